#if SQLite
  import ECS
  import ECSStore

  struct Author: Component, Equatable { var name = "" }

  struct Book: Component, Equatable {
    /// What people call it at the keyboard: its title in small letters.
    var id = ""
    var title = ""
    var year: Int?
    var pages: Int?
  }

  /// Not every book was rated: those that were have one component more.
  struct Rating: Component, Equatable { var stars = 0 }

  struct Shelf: Component, Equatable { var name = "" }

  /// From a book to its authors.
  enum WrittenBy: Relation {}

  /// From a shelf to its books, in the order in which they stand.
  enum Holds: Relation {}

  /// What rows and JSON say of entities: one description serves both.
  struct Tables: Sendable {
    let authors: Table<Author, String>
    let books: Table<Book, String>
    let shelves: Table<Shelf, String>

    init() throws(SchemaError) {
      let authors = try Table("author", key: \Author.name) {
        Fields(of: Author()) { Field(\.name, at: "name") }
      }
      let books = try Table("book", key: \Book.id) {
        Fields(of: Book()) {
          Field(\.id, at: "id")
          Field(\.title, at: "title").required()
          Field(\.year, at: "year")
          Field(\.pages, at: "pages")
        }
        Fields(of: Rating()) { Field(\.stars, at: "stars") }
        Nested(
          many: authors.recipe, at: "authors", as: .key, through: .targets(of: WrittenBy.self))
      } columns: {
        Column(\Book.title).indexed()
      }
      shelves = try Table("shelf", key: \Shelf.name) {
        Fields(of: Shelf()) { Field(\.name, at: "name") }
        Nested(many: books.recipe, at: "books", as: .key, through: .targets(of: Holds.self))
      }
      (self.authors, self.books) = (authors, books)
    }

    func schema() throws(SchemaError) -> Schema {
      try Schema {
        authors
        books
        shelves
      }
    }
  }
#endif
