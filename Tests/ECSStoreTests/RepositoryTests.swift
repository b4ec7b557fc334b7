#if SQLite
  import ECS
  import ECSStore
  import ECSTestSupport
  import Foundation
  import GRDB
  import Testing

  /// Finding, making and deleting the entities of a table.
  @Suite struct RepositoryTests {
    private let context = Context()
    private let books: Repository<Book, String>
    private let authors: Repository<Author, Int64>

    init() throws {
      let (bookTable, authorTable) = try (Library.books(), Library.authors())
      let schema = try Schema {
        authorTable
        bookTable
      }
      books = Repository(bookTable, in: context, of: schema)
      authors = Repository(authorTable, in: context, of: schema)
    }

    private func titles(_ entities: [Entity]) -> [String] {
      entities.map { $0.get(Book.self)?.title ?? "-" }
    }

    @Test func `what is made is found by its key, and all in the order in which it came`() throws {
      let second = try books.create(Book(isbn: "2", title: "B"))
      let first = try books.create(Book(isbn: "1", title: "A")) { $0.set(Rating(stars: 5)) }
      expectEqual(books.find("1"), first)
      expectNil(books.find("3"))
      try expectEqual(books.require("2"), second)
      expectEqual(first.get(Rating.self)?.stars, 5)
      try expectEqual(Array(books.all()), [second, first])
      expectEqual(books.group.count, 2)
      guard case .notFound("book", "3")? = storeError({ _ = try books.require("3") }) else {
        Issue.record("not told")
        return
      }
    }

    @Test func `a key that is there already is refused before anything changes`() throws {
      try books.create(Book(isbn: "1"))
      var isConfigured = false
      guard
        case .duplicateKey("book", "1")? = storeError({
          try books.create(Book(isbn: "1")) { _ in isConfigured = true }
        })
      else {
        Issue.record("not told")
        return
      }
      expectFalse(isConfigured)
      expectEqual(books.group.count, 1)
    }

    @Test func `keys follow what changes and goes`() throws {
      let entity = try books.create(Book(isbn: "1"))
      entity.update(Book.self) { $0.isbn = "2" }
      expectNil(books.find("1"))
      expectEqual(books.find("2"), entity)
      entity.destroy()
      expectNil(books.find("2"))
      try books.create(Book(isbn: "2"))
    }

    @Test func `upsert makes or changes, and is silent if nothing differs`() throws {
      let entity = books.upsert(Book(isbn: "1", title: "A"))
      let collector = context.collector(for: Book.matcher, type: .addedUpdatedOrRemoved)
      expectEqual(books.upsert(Book(isbn: "1", title: "A")), entity)
      expectTrue(collector.isEmpty)
      expectEqual(books.upsert(Book(isbn: "1", title: "B")), entity)
      expectEqual(Array(collector.drain()), [entity])
      expectEqual(entity.get(Book.self)?.title, "B")
    }

    @Test func `keys that the database gives out are found when they are there`() throws {
      let table = try Library.todos()
      let todos = Repository(table, in: context, of: try Schema { table })
      let (one, two) = (todos.upsert(Todo(text: "a")), try todos.create(Todo(text: "a")))
      expectNotEqual(one, two)
      expectNil(todos.find(1))
      two.set(TodoID(value: 1))
      expectEqual(todos.find(1), two)
    }

    @Test func `keys of two fields are found`() throws {
      let table = try Library.seats()
      let seats = Repository(table, in: context, of: try Schema { table })
      let seat = try seats.create(Seat(row: "A", number: 12))
      expectEqual(seats.find(KeyPair("A", 12)), seat)
      expectNil(seats.find(KeyPair("A", 13)))
      guard
        case .duplicateKey("seat", "A, 12")? = storeError({
          try seats.create(Seat(row: "A", number: 12))
        })
      else {
        Issue.record("not told")
        return
      }
      try expectTrue(seats.delete(key: KeyPair("A", 12)))
      try expectFalse(seats.delete(key: KeyPair("A", 12)))
    }

    // MARK: Conditions

    private func fill() throws {
      let day = Date(timeIntervalSince1970: 1_000_000)
      try books.create(Book(isbn: "1", title: "Alpha", pages: 100, published: day)) {
        $0.set(Rating(stars: 1))
      }
      try books.create(Book(isbn: "2", title: "beta", pages: 200)) { $0.set(Note(text: "n")) }
      try books.create(
        Book(isbn: "3", title: "Gamma", pages: 300, published: day + 1)
      ) { $0.set(Rating(stars: 3)) }
      try books.create(Book(isbn: "4", title: "delta", pages: 200)) { $0.set(Rating(stars: 2)) }
    }

    private func found(_ condition: (RowReference<Book>) -> Condition) throws -> [String] {
      try books.fetch(where: condition).map { $0.get(Book.self)?.isbn ?? "-" }
    }

    @Test func `fields are compared with values`() throws {
      try fill()
      try expectEqual(found { _ in .all }, ["1", "2", "3", "4"])
      try expectEqual(found { $0.pages == 200 }, ["2", "4"])
      try expectEqual(found { $0.pages != 200 }, ["1", "3"])
      try expectEqual(found { $0.pages < 200 }, ["1"])
      try expectEqual(found { $0.pages <= 200 }, ["1", "2", "4"])
      try expectEqual(found { $0.pages > 200 }, ["3"])
      try expectEqual(found { $0.pages >= 200 }, ["2", "3", "4"])
      try expectEqual(found { $0.pages.isIn([100, 300]) }, ["1", "3"])
      try expectEqual(
        found { $0.format == .paper && $0.pages > 200 || $0.isbn == "1" }, ["1", "3"])
      try expectEqual(found { !($0.pages == 200) }, ["1", "3"])
    }

    @Test func `nil is a value of equality, and of nothing else`() throws {
      try fill()
      let day = Date(timeIntervalSince1970: 1_000_000)
      try expectEqual(found { $0.published == nil }, ["2", "4"])
      try expectEqual(found { $0.published != nil }, ["1", "3"])
      try expectEqual(found { $0.published != day }, ["2", "3", "4"])
      try expectEqual(found { $0.published > day }, ["3"])
      try expectEqual(found { $0.published >= day }, ["1", "3"])
      try expectEqual(found { !($0.published > day) }, ["1"])
      try expectEqual(found { $0.published <= day || $0.pages == 200 }, ["1", "2", "4"])
    }

    @Test func `entities without a component fulfil no comparison of it`() throws {
      try fill()
      try expectEqual(found { $0[\Rating.stars] > 1 }, ["3", "4"])
      try expectEqual(found { !($0[\Rating.stars] > 1) }, ["1"])
      try expectEqual(found { $0[\Rating.stars] != 1 }, ["3", "4"])
      try expectEqual(found { $0[\Note.text] == nil }, [])
      try expectEqual(found { $0.has(Rating.self) }, ["1", "3", "4"])
      try expectEqual(found { !$0.has(Rating.self) }, ["2"])
      try expectEqual(found { $0[\Note.text].contains("n") }, ["2"])
    }

    @Test func `texts are matched by their beginning, parts and patterns`() throws {
      try fill()
      try expectEqual(found { $0.title.hasPrefix("A") }, ["1"])
      try expectEqual(found { $0.title.hasPrefix("a") }, [])
      try expectEqual(found { $0.title.contains("ta") }, ["2", "4"])
      try expectEqual(found { $0.title.contains("") }, ["1", "2", "3", "4"])
      try expectEqual(found { $0.title.like("%A") }, ["1", "2", "3", "4"])
      try expectEqual(found { $0.title.like("_e%") }, ["2", "4"])
      try expectEqual(found { $0.title.like("g_m%a") }, ["3"])
      try expectEqual(found { $0.title.like("gamma_") }, [])
      try books.create(Book(isbn: "5", title: "10%_é\0x"))
      try expectEqual(found { $0.title.like("10__É%") }, [])
      try expectEqual(found { $0.title.like("10__é%x") }, ["5"])
      try expectEqual(found { $0.title.contains("\0") }, ["5"])
    }

    @Test func `patterns match as SQL says`() throws {
      let store = try Store(at: .memory, schema: Schema {})
      var random = SplitMix64(seed: 3)
      for _ in 0..<2000 {
        let text = String((0..<random.below(7)).map { _ in Array("abAé")[random.below(4)] })
        let pattern = String((0..<random.below(6)).map { _ in Array("aB%_é")[random.below(5)] })
        let entity = try books.create(Book(isbn: "x", title: text))
        let isFound = try books.exists { $0.title.like(pattern) }
        entity.destroy()
        let isFoundBySQL = try store.read {
          try Bool.fetchOne($0, sql: "SELECT ? LIKE ?", arguments: [text, pattern])
        }
        expectEqual(isFound, isFoundBySQL, "'\(text)' LIKE '\(pattern)'")
      }
    }

    @Test func `links are conditions, and lead to the entities of a relation`() throws {
      try fill()
      let author = try authors.create(Author(id: 1))
      try books.require("2").relate(WrittenBy.self, to: author)
      try books.require("3").relate(WrittenBy.self, to: author)
      try expectEqual(found { $0.isRelated(WrittenBy.self, to: author) && $0.pages > 200 }, ["3"])
      try expectEqual(books.related(WrittenBy.self, to: author).count, 2)
      guard
        case .noForeignKey("author", "WrittenBy")? = storeError({
          _ = try authors.related(WrittenBy.self, to: author)
        })
      else {
        Issue.record("not told")
        return
      }
    }

    // MARK: Order

    @Test func `each field has its direction, nil comes last, ties stay`() throws {
      try fill()
      try expectEqual(
        titles(books.fetch(sortedBy: Sort(\Book.title))), ["Alpha", "Gamma", "beta", "delta"])
      try expectEqual(
        titles(
          books.fetch(sortedBy: Sort(\Book.pages, .descending), Sort(\Book.title, .descending))),
        ["Gamma", "delta", "beta", "Alpha"])
      try expectEqual(
        titles(books.fetch(sortedBy: Sort(\Book.pages))), ["Alpha", "beta", "delta", "Gamma"])
      for order in [LiveViewOrder.ascending, .descending] {
        let rated = try titles(books.fetch(sortedBy: Sort(\Rating.stars, order)))
        expectEqual(rated.last, "beta")
        expectEqual(rated.first, (order == .ascending ? "Alpha" : "Gamma"))
        let dated = try titles(books.fetch(sortedBy: Sort(\Book.published, order)))
        expectEqual(Array(dated.suffix(2)), ["beta", "delta"])
      }
    }

    @Test func `columns and paths name what to sort by`() throws {
      try fill()
      let byPath = try titles(books.fetch(sortedBy: Sort(column: "info.title", .descending)))
      expectEqual(byPath, ["delta", "beta", "Gamma", "Alpha"])
      try expectEqual(
        titles(books.fetch(sortedBy: Sort(column: "INFO_TITLE", .descending))), byPath)
      let rated = try titles(books.fetch(sortedBy: Sort(column: "rating_stars", .descending)))
      expectEqual(rated, ["Gamma", "delta", "Alpha", "beta"])
      guard
        case .schemaMismatch("book", _)? = storeError({
          _ = try books.fetch(sortedBy: Sort(column: "nothing"))
        })
      else {
        Issue.record("not told")
        return
      }
    }

    @Test func `a part of what is found`() throws {
      try fill()
      try expectEqual(
        titles(books.fetch(sortedBy: Sort(\Book.pages), limit: 2, offset: 1)),
        [
          "beta", "delta",
        ])
      try expectTrue(books.fetch(limit: 0).isEmpty)
      try expectTrue(books.fetch(offset: 9).isEmpty)
      try expectEqual(books.first { $0.pages > 100 }?.get(Book.self)?.isbn, "2")
      try expectEqual(
        books.first(sortedBy: Sort(\Book.pages, .descending))?.get(Book.self)?.isbn, "3")
      try expectNil(books.first { $0.pages > 900 })
      try expectEqual(books.count(), 4)
      try expectEqual(books.count { $0.pages == 200 }, 2)
      try expectTrue(books.exists())
      try expectFalse(books.exists { $0.pages == 0 })
    }

    // MARK: Deleting

    private enum Borrows: Relation { static var deleteRule: DeleteRule { .deny } }

    @Test func `deleting destroys, unless a relation denies it`() throws {
      try fill()
      try books.delete(try books.require("1"))
      expectNil(books.find("1"))
      let reader = context.createEntity()
      reader.relate(Borrows.self, to: try books.require("2"))
      #expect(throws: DestructionDenied.self) { try books.delete(key: "2") }
      try expectEqual(books.deleteAll { $0.pages == 200 }, 1)
      expectNotNil(books.find("2"))
      try expectEqual(books.deleteAll(), 1)
      try expectEqual(books.count(), 1)
      try expectEqual(books.delete(key: "9"), false)
    }
  }
#endif
