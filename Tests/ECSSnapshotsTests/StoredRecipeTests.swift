import ECS
import ECSRecipes
import ECSSnapshots
import ECSTestSupport
import Foundation
import Testing

@Suite struct StoredRecipeTests {
  struct AuthorID: Component, Equatable { let value: Int }
  struct Author: Component, Equatable {
    var name = ""
    var born: Date?
  }
  struct Admin: Component {}
  struct Tint: Component, Equatable { var red = 0 }
  struct Settings: Component, Codable, Equatable {
    var fontSize = 12
    var theme: String?
  }
  struct Book: Component, Equatable {
    var title = ""
    var tags: [String] = []
    var isShown = false
    var sequel: Entity?
  }
  enum WrittenBy: Relation {}

  private let authors: Recipe
  private let books: Recipe

  init() throws {
    let authors = try Recipe("author") {
      Identity(\AuthorID.value, at: "id", make: AuthorID.init(value:))
      Fields(of: Author()) {
        Field(\.name, at: "name")
        Field(\.born, at: "life.born", as: .iso8601)
      }
      Flag(Admin(), at: "admin")
      Whole(
        Tint.self, at: "tint",
        as: Int.transformer.then("tint") {
          Tint(red: $0)
        } encode: {
          $0.red
        })
      AutomaticFields(of: Settings(), keys: .snakeCase, at: "settings")
    }
    self.authors = authors
    books = try Recipe("book") {
      Fields(of: Book()) {
        Field(\.title, at: "title")
        Field(\.tags, at: "tags")
      }
      Nested(many: authors, at: "authors", as: .key, through: .targets(of: WrittenBy.self))
      Nested(one: authors, at: "sequel", as: .key, through: .toOne(\Book.sequel, of: Book()))
    }
  }

  private func reason(_ make: () throws -> Schema) -> SchemaError.Reason? {
    do {
      _ = try make()
      return nil
    } catch {
      return (error as? SchemaError)?.reason
    }
  }

  private func library() -> Context {
    let context = Context()
    let abbott = context.createEntity(
      with: AuthorID(value: 1), Author(name: "Abbott", born: Date(timeIntervalSince1970: 12.5)),
      Admin(), Tint(red: 7), Settings(fontSize: 14, theme: "dark"))
    let square = context.createEntity(with: AuthorID(value: 2), Author(name: "Square"))
    let second = context.createEntity(with: Book(title: "Sphereland"))
    let first = context.createEntity(
      with: Book(title: "Flatland", tags: ["math"], isShown: true, sequel: second))
    first.relate(WrittenBy.self, to: square)
    first.relate(WrittenBy.self, to: abbott)
    return context
  }

  private func check(_ context: Context, isShown: Bool = false) throws {
    let authors = context.group(Author.matcher).sorted()
    expectEqual(authors.map { $0.get(AuthorID.self)?.value }, [1, 2])
    expectEqual(
      authors[0].get(Author.self),
      Author(name: "Abbott", born: Date(timeIntervalSince1970: 12.5)))
    expectEqual(authors.map { $0.has(Admin.cid) }, [true, false])
    expectEqual(authors.map { $0.get(Tint.self) }, [Tint(red: 7), nil])
    expectEqual(authors.map { $0.get(Settings.self)?.theme }, ["dark", nil])
    let books = context.group(Book.matcher).sorted()
    let book = try #require(books.last?.get(Book.self))
    expectEqual(book, Book(title: "Flatland", tags: ["math"], isShown: isShown, sequel: books[0]))
    expectEqual(books[1].targets(WrittenBy.self).entities().map { $0 }, [authors[1], authors[0]])
  }

  @Test func `all that a recipe and the recipes that it nests map is restored`() throws {
    let schema = try Schema("library") {
      Stored(books).keeping(Book.self) { $0.leaving(\.isShown) }
    }
    let snapshot = try library().snapshot(schema)
    let context = Context()
    try Snapshot(snapshot.data).restore(into: context, schema)
    try check(context)
    let text = try snapshot.json(schema)
    let shown = String(decoding: text, as: UTF8.self)
    expectTrue(shown.contains(#""AuthorID":{"id":1}"#) && shown.contains(#""life.born""#))
    let read = Context()
    try Snapshot(json: text, schema).restore(into: read, schema)
    try check(read)
  }

  @Test func `files of listed components are read by recipes, after renaming too`()
    throws
  {
    let listed = try Schema("library") {
      Stored(of: Book(), as: "book") {
        Field(\.title, at: "title")
        Field(\.tags, at: "tags")
        Field(\.isShown, at: "isShown")
        Field(\.sequel, at: "sequel")
      }
      Stored(authors)
      Links(WrittenBy.self, as: "writtenBy")
    }
    let derived = try Schema("library") {
      Stored(books).keeping(Book.self, as: "Volume", formerly: "book", "Book") {
        $0.leaving(\.isShown)
      }
      Links(WrittenBy.self, as: "writtenBy")
    }
    let snapshot = try library().snapshot(listed)
    let later = Context()
    try snapshot.restore(into: later, derived)
    try check(later)
    let text = String(decoding: try later.snapshot(derived).json(derived), as: UTF8.self)
    expectTrue(text.contains(#""Volume":{"#))
  }

  @Test func `a change of what fields mean is a migration, as of listed components`() throws {
    struct Price: Component, Equatable { var cents = 0 }
    let old = try Recipe("item") { Fields(of: Price()) { Field(\.cents, at: "euros") } }
    let new = try Recipe("item") { Fields(of: Price()) { Field(\.cents, at: "cents") } }
    let before = try Schema("shop") { Stored(old) }
    let after = try Schema("shop") {
      Stored(new).keeping(Price.self, version: 2) { price in
        price.migrating(from: 1) { fields in
          fields["cents"] = .number(JSONNumber((fields["euros"]?.number?.int ?? 0) * 100))
        }
      }
    }
    let context = Context()
    context.createEntity(with: Price(cents: 3))
    let restored = Context()
    try context.snapshot(before).restore(into: restored, after)
    expectEqual(restored.group(Price.matcher).first?.get(Price.self), Price(cents: 300))
  }

  @Test func `what would be lost, or is described twice, is an error`() throws {
    expectNotNil(reason { try Schema("s") { Stored(books) } })
    expectEqual(
      reason { try Schema("s") { Stored(authors).keeping(Book.self) } },
      .unmapped(Book.cid.name))
    let other = try Recipe("person") { Fields(of: Author()) { Field(\.name, at: "title") } }
    expectEqual(
      reason {
        try Schema("s") {
          Stored(authors)
          Stored(other)
        }
      }, .mappedTwice(Author.cid.name))
    let custom = try Recipe("custom") {
      Nested(
        many: authors, at: "authors",
        through: RecipeLink("friends", targets: { _ in [] }, setTargets: { _, _ in }))
    }
    expectEqual(reason { try Schema("s") { Stored(custom) } }, .customLink("friends"))
    struct Pair: Component, Equatable { var other: Entity? }
    let whole = try Recipe("whole") {
      Whole(
        Pair.self, at: "pair", as: Transformer("pair", decode: { _ in Pair() }, encode: { _ in "" })
      )
      Nested(one: authors, at: "other", as: .key, through: .toOne(\Pair.other, of: Pair()))
    }
    guard case .linkOfWhole? = reason({ try Schema("s") { Stored(whole) } }) else {
      Issue.record("a link through a component that is kept as a whole would be lost")
      return
    }
    // What the schema lists by itself is as that says.
    _ = try Schema("s") {
      Stored(whole)
      Stored(of: Pair(), as: "pair") { Field(\.other, at: "other") }
    }
    expectEqual(
      reason { try Schema("s") { Stored(authors).migrating(from: 1) { _ in } } }, .badVersion(1))
    let oneWay = try Recipe("oneWay") {
      Whole(Tint.self, at: "tint", as: Transformer("only") { _ in Tint() })
    }
    guard case .oneWay? = reason({ try Schema("s") { Stored(oneWay) } }) else {
      Issue.record("a component that is only read can't be kept")
      return
    }
  }

  @Test func `what the schema lists by itself, or leaves out, is as that says`() throws {
    let schema = try Schema("s") {
      Stored(authors)
      Stored(authors)
      Stored(of: Author(), as: "author") { Field(\.name, at: "name") }.leaving(\.born)
      Excluded(Admin.self)
    }
    let text = String(decoding: try library().snapshot(schema).json(schema), as: UTF8.self)
    expectTrue(text.contains(#""author":{"name":"Abbott"}"#) && !text.contains("Admin"))
  }

  @Test func `a key that is made becomes fields, and is read from files of before`() throws {
    struct Key: Component, Equatable { var value = 0 }
    let made = try Recipe("key") { Identity(\Key.value, at: "id") { Key(value: $0) } }
    let fields = try Recipe("key") { Identity(\Key.value, at: "id", of: Key()) }
    let (before, after) = (try Schema("s") { Stored(made) }, try Schema("s") { Stored(fields) })
    for (first, second) in [(before, after), (after, before)] {
      let (context, restored) = (Context(), Context())
      context.createEntity(with: Key(value: 5))
      try context.snapshot(first).restore(into: restored, second)
      expectEqual(restored.group(Key.matcher).first?.get(Key.self), Key(value: 5))
    }
  }

  // MARK: Values of links

  private struct Share: Component, Equatable {
    var percent = 0
    var note: String?
  }
  private enum SharedBy: Relation { typealias Value = Share }

  private func sharing(_ link: RecipeLink) throws -> Recipe {
    try books.named("shared").adding {
      Nested(many: authors, at: "shares", as: .key, through: link)
    }
  }

  @Test func `values of links are kept as recipes map them`() throws {
    let shares = Fields(of: Share()) {
      Field(\.percent, at: "percent")
      Field(\.note, at: "note")
    }
    let recipe = try sharing(.targets(of: SharedBy.self, at: "author", values: shares))
    let schema = try Schema("books") { Stored(recipe).keeping(Book.self) { $0.leaving(\.isShown) } }
    let context = Context()
    let mapper = Mapper(context)
    let book = try mapper.make(
      recipe,
      from: ["title": "T", "shares": [["author": 1, "percent": 30], ["author": 2, "note": "x"]]])
    let snapshot = try context.snapshot(schema)
    let expected = try mapper.decompose(book, with: recipe)
    for copied in [snapshot, try Snapshot(json: try snapshot.json(schema), schema)] {
      let copy = Context()
      try copied.restore(into: copy, schema)
      let restored = try #require(copy.group(Book.matcher).first)
      try expectEqual(Mapper(copy).decompose(restored, with: recipe), expected)
    }
  }

  @Test func `values that no recipe maps are to be listed`() throws {
    let recipe = try sharing(.targets(of: SharedBy.self, at: "author", default: Share()))
    let kept = Stored(recipe).keeping(Book.self) { $0.leaving(\.isShown) }
    expectEqual(reason { try Schema("books") { kept } }, .valuesUnmapped("SharedBy"))
    _ = try Schema("books") {
      kept
      Links(
        SharedBy.self, as: "sharedBy",
        values: Stored(of: Share(), as: "share") {
          Field(\.percent, at: "percent")
          Field(\.note, at: "note")
        })
    }
  }
}
