#if SQLite
  import ECS
  import ECSStore
  import Foundation

  struct Author: Component, Equatable {
    var id: Int64 = 0
    var first = ""
    var last: String?
  }

  struct Book: Component, Equatable {
    enum Format: String, Sendable { case paper, sound }

    var isbn = ""
    var title = ""
    var pages = 0
    var format = Format.paper
    var tags: [String] = []
    var published: Date?
    var cover: Data?
    var number: UUID?
  }

  /// A component that a book may lack.
  struct Rating: Component, Equatable { var stars = 0.0 }

  /// One whose fields may all be nil.
  struct Note: Component, Equatable {
    var text: String?
    var page: Int?
  }

  struct Lent: Component, Equatable {}

  struct Settings: Component, Codable, Equatable {
    var theme = "light"
    var sizes: [String: Int] = [:]
    var since: Date?
    var isLoud = false
  }

  enum WrittenBy: Relation {}
  enum PublishedBy: ToOneRelation {}

  struct TodoID: Component, Equatable { var value: Int64 }
  struct Todo: Component, Equatable {
    var text = ""
    var isDone = false
  }
  struct LogLine: Component, Equatable { var text = "" }
  struct Seat: Component, Equatable {
    var row = ""
    var number = 0
    var price = 0.0
  }

  /// The tables of a library.
  enum Library {
    static func authors() throws -> Table<Author, Int64> {
      try Table("author", key: \Author.id) {
        Fields(of: Author()) {
          Field(\.id, at: "id")
          Field(\.first, at: "first")
          Field(\.last, at: "last")
        }
      }
    }

    /// What a book has, whatever it is linked to.
    @RecipeBuilder static func bookParts() -> [RecipePart] {
      Fields(of: Book()) {
        Field(\.isbn, at: "isbn")
        Field(\.title, at: "info.title")
        Field(\.pages, at: "pages")
        Field(\.format, at: "format", as: .rawValue)
        Field(\.tags, at: "tags")
        Field(\.published, at: "published", as: .iso8601)
        Field(\.cover, at: "cover")
        Field(\.number, at: "number")
      }
      Fields(of: Rating()) { Field(\.stars, at: "rating.stars") }
      Fields(of: Note()) {
        Field(\.text, at: "note.text")
        Field(\.page, at: "note.page")
      }
      Flag(Lent(), at: "lent")
    }

    static func books() throws -> Table<Book, String> {
      let authors = try authors()
      return try Table("book", key: \Book.isbn) {
        bookParts()
        Nested(many: authors.recipe, at: "authors", as: .key, through: .targets(of: WrittenBy.self))
        Nested(
          one: authors.recipe, at: "publisher", as: .key, through: .targets(of: PublishedBy.self))
      } columns: {
        Column(\Book.title).indexed()
        Column(\Book.number).unique()
      }
    }

    static func todos() throws -> Table<Todo, Int64> {
      try Table("todo", of: Todo.self, generatedKey: \TodoID.value, in: TodoID(value: 0)) {
        Fields(of: Todo()) {
          Field(\.text, at: "text")
          Field(\.isDone, at: "done")
        }
      }
    }

    static func log() throws -> Table<LogLine, NoKey> {
      try Table("log", of: LogLine.self) { Fields(of: LogLine()) { Field(\.text, at: "text") } }
    }

    static func seats() throws -> Table<Seat, KeyPair<String, Int>> {
      try Table("seat", key: \Seat.row, \Seat.number) {
        Fields(of: Seat()) {
          Field(\.row, at: "row")
          Field(\.number, at: "number")
          Field(\.price, at: "price")
        }
      }
    }

    static func schemaOfAuthors() throws -> Schema {
      let authors = try authors()
      return try Schema { authors }
    }

    static func schema() throws -> Schema {
      let (authors, books, todos, log, seats) = try (authors(), books(), todos(), log(), seats())
      return try Schema {
        authors
        books
        todos
        log
        seats
      }
    }
  }

  /// A folder that is gone when the test is.
  final class Folder: Sendable {
    let url: URL

    init() throws {
      url = FileManager.default.temporaryDirectory.appendingPathComponent("store-\(UUID())")
      try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    func file(_ name: String = "library.sqlite") -> URL { url.appendingPathComponent(name) }
    var names: [String] {
      (try? FileManager.default.contentsOfDirectory(atPath: url.path))?.sorted() ?? []
    }
  }

  /// The error that a body throws, if it is one of a store.
  func storeError(_ body: () throws -> Void) -> StoreError? {
    do {
      try body()
      return nil
    } catch {
      return error as? StoreError
    }
  }
#endif
