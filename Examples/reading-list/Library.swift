import ECS

/// The books of a reader, and what can be asked of them.
struct Library {
  let context = Context(name: "Library")
  let books: Group

  /// A secondary index: all books of a genre, without a search.
  let byGenre: Index<String>

  /// The three books that are read farthest, as long as they are not finished.
  let current: LiveView

  init() {
    books = context.all([Title.cid, Bookmark.cid])
    byGenre = context.index { (genre: Genre) in genre.name }
    current = context.all([Title.cid, Bookmark.cid], none: [IsRead.cid])
      .sorted(by: \Bookmark.share, .descending).then(by: \Title.text).limited(to: 3)
  }

  func add(_ title: String, by author: Entity, _ genre: String, pages: Int) -> Entity {
    context.createEntity(with: Title(text: title), Bookmark(pages: pages), Genre(name: genre))
      .relate(WrittenBy.self, to: author)
  }

  func named(_ name: String) -> Entity { context.createEntity(with: Name(text: name)) }
}

extension Entity {
  /// The title of a book, or the name of anything else.
  var label: String { self.get(Title.self)?.text ?? self.get(Name.self)?.text ?? "nothing" }
}

extension Collection where Element == Entity {
  var labels: String { isEmpty ? "none" : map(\.label).joined(separator: ", ") }
}
