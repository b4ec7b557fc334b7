#if SQLite
  import ECS
  import ECSStore
  import ECSTestSupport
  import Foundation
  import GRDB
  import Testing

  /// What programs without the library, or that come later than a store, do to the file.
  @Suite(.noHangs) struct ForeignTests {
    let folder: Folder

    init() throws { folder = try Folder() }

    private func program(_ sql: String) throws {
      try DatabaseQueue(path: folder.file().path).write { try $0.execute(sql: sql) }
    }

    private func store(_ ids: ClosedRange<Int64>) throws -> Store {
      let store = try Town.store(at: .file(folder.file()))
      let session = try store.session()
      for id in ids { session.context.createEntity(with: Author(id: id, first: "A\(id)")) }
      try session.save()
      return store
    }

    // MARK: Rows that are gone

    @Test func `what is changed here of a row that is gone there is asked about, and not lost`()
      throws
    {
      let store = try store(1...3)
      for (id, policy) in [(1, MergePolicy.localWins), (2, .storeWins), (3, .error)] {
        let session = try store.session(policy: policy)
        let author = try #require(session.author(Int64(id)))
        try program("DELETE FROM author WHERE id = \(id)")
        author.update(Author.self) { $0.first = "here" }
        let rows = "SELECT first FROM author WHERE id = \(id)"
        switch policy {
        case .localWins:
          try expectEqual(session.save(), SaveReport(inserted: 1))
          try expectEqual(session.refresh(), MergeReport())
          expectTrue(author.isAlive)
          try expectEqual(store.rows(rows), ["here"])
        case .storeWins:
          try expectEqual(session.save(), SaveReport())
          expectFalse(author.isAlive)
          try expectEqual(store.rows(rows), [])
        default:
          guard case .conflicts? = storeError({ try session.save() }) else {
            Issue.record("it was not asked")
            return
          }
          expectTrue(session.hasChanges)
        }
      }
    }

    @Test func `keys and links of rows that are gone there are not lost either`() throws {
      let store = try store(1...2)
      let session = try store.session()
      let author = try #require(session.author(1))
      let book = session.context.createEntity(with: Book(isbn: "1"))
      try session.save()
      try program("DELETE FROM author WHERE id = 1")
      author.update(Author.self) { $0.id = 7 }
      try session.save()
      try expectEqual(store.rows("SELECT id FROM author ORDER BY id"), ["2", "7"])
      try program("DELETE FROM book")
      book.relate(PublishedBy.self, to: author)
      try session.save()
      try expectEqual(store.rows("SELECT isbn, publisher FROM book"), ["1 7"])
    }

    @Test func `what is deleted on both sides is gone`() throws {
      let store = try store(1...2)
      let session = try store.session()
      try program("DELETE FROM author WHERE id = 1")
      session.author(1)?.destroy()
      try expectEqual(session.save(), SaveReport())
      expectFalse(session.hasChanges)
      try expectEqual(store.rows("SELECT id FROM author"), ["2"])
    }

    @Test func `a row that a trigger keeps as it is can't be saved, and is told`() throws {
      let store = try store(1...1)
      let session = try store.session()
      try store.write {
        try $0.execute(
          sql: "CREATE TRIGGER keep BEFORE UPDATE ON author BEGIN SELECT RAISE(IGNORE); END")
      }
      session.author(1)?.update(Author.self) { $0.first = "here" }
      guard case .notFound(table: "author", key: "1")? = storeError({ try session.save() }) else {
        Issue.record("it was said to be saved")
        return
      }
      expectTrue(session.hasChanges)
    }

    // MARK: The log

    @Test(arguments: [true, false])
    func `what is noted of an own change does not hide what another program has written`(
      isValue: Bool
    ) throws {
      let (here, there) = (try Town.shared(folder, every: .seconds(3600)), try store(1...2))
      let session = try there.session(merging: .manual)
      let own = try here.session(merging: .manual)
      for round in 1...2 {
        try program("UPDATE author SET first = 'SQL \(round)' WHERE id = 1")
        if isValue {
          try here.values.set(1, for: "a")
        } else {
          try here.write { try $0.execute(sql: "UPDATE author SET first = 'own' WHERE id = 2") }
        }
        try session.refresh()
        try own.refresh()
        expectEqual(session.author(1)?.get(Author.self)?.first, "SQL \(round)")
        expectEqual(own.author(1)?.get(Author.self)?.first, "SQL \(round)")
        // And nothing is read twice.
        try here.values.set(2, for: "a")
        try expectEqual(
          here.rows("SELECT changes FROM ecs_change ORDER BY stamp DESC LIMIT 1"), ["{}"])
      }
    }

    @Test func `a store without sessions does not hide it either`() throws {
      let (here, there) = (try Town.shared(folder, every: .seconds(3600)), try store(1...2))
      let session = try there.session(merging: .manual)
      try program("UPDATE author SET first = 'before' WHERE id = 2")
      try session.refresh()
      try here.values.set(0, for: "a")
      try program("UPDATE author SET first = 'SQL' WHERE id = 1")
      try here.values.set(1, for: "a")
      try session.refresh()
      expectEqual(session.author(1)?.get(Author.self)?.first, "SQL")
    }

    @Test
    func `a store that was opened before others said that there are several keeps their word`()
      throws
    {
      let early = try store(1...2)
      let session = try early.session(policy: .error)
      let later = try Town.shared(folder, every: .seconds(3600))
      let other = try later.session(merging: .manual)
      session.author(1)?.update(Author.self) { $0.first = "early" }
      try session.save()
      try expectEqual(
        later.rows("SELECT changes FROM ecs_change ORDER BY stamp DESC LIMIT 1"),
        [#"{"author":{"rows":[1]}}"#])
      try expectEqual(other.refresh().updated, 1)
      other.author(2)?.update(Author.self) { $0.first = "later" }
      try other.save()
      session.author(2)?.update(Author.self) { $0.first = "early" }
      guard case .conflicts? = storeError({ try session.save() }) else {
        Issue.record("overwritten unseen")
        return
      }
    }

    // MARK: Sessions of one store

    @Test func `what one session finds in the file comes into the others by themselves`() throws {
      let store = try store(1...3)
      let (one, two) = (try store.session(merging: .manual), try store.session())
      func first(_ id: Int64) -> String? { two.author(id)?.get(Author.self)?.first }
      try program("UPDATE author SET first = 'refresh' WHERE id = 1")
      try one.refresh()
      expectEqual(first(1), "refresh")
      try program("UPDATE author SET first = 'session' WHERE id = 2")
      _ = try store.session()
      expectEqual(first(2), "session")
      let here = try Town.shared(folder, every: .seconds(3600))
      let (three, four) = (try here.session(merging: .manual), try here.session())
      try program("UPDATE author SET first = 'save' WHERE id = 3")
      three.context.createEntity(with: Author(id: 3))
      #expect(throws: StoreError.self) { try three.save() }
      expectEqual(four.author(3)?.get(Author.self)?.first, "save")
    }

    @Test func `what SQL takes back that waits in an inbox is taken back there as well`() throws {
      let store = try store(1...3)
      let (one, two) = (try store.session(merging: .manual), try store.session())
      two.author(1)?.update(Author.self) { $0.first = "two" }
      two.author(2)?.destroy()
      two.author(3)?.update(Author.self) { $0.id = 9 }
      two.context.createEntity(with: Author(id: 4))
      let book = two.context.createEntity(with: Book(isbn: "1"))
      for id in [1, 4] { book.relate(WrittenBy.self, to: try #require(two.author(Int64(id)))) }
      try two.save()
      try store.write { database in
        try database.execute(
          sql: """
            UPDATE author SET first = 'A1' WHERE id = 1; INSERT INTO author VALUES (2, 'A2', NULL);
            UPDATE author SET id = 3 WHERE id = 9; DELETE FROM book_authors;
            DELETE FROM author WHERE id = 4
            """)
      }
      try one.refresh()
      let fresh = try store.session()
      for id in 1...9 as ClosedRange<Int64> {
        expectEqual(one.author(id)?.get(Author.self), fresh.author(id)?.get(Author.self), "\(id)")
        expectEqual(two.author(id)?.get(Author.self), fresh.author(id)?.get(Author.self), "\(id)")
      }
      expectEqual(one.context.group(Author.matcher).count, 3)
      expectEqual(one.book("1")?.targets(WrittenBy.self).isEmpty, true)
      expectFalse(one.hasChanges)
      one.author(1)?.update(Author.self) { $0.last = "L" }
      try expectEqual(one.save(), SaveReport(updated: 1))
    }

    // MARK: Keys

    @Test func `texts that only look the same are keys of different rows`() throws {
      let store = try Town.store()
      let session = try store.session()
      let (one, two) = ("\u{E9}", "e\u{301}")
      try store.write { database in
        for isbn in [one, two] {
          try database.execute(
            sql:
              "INSERT INTO book (isbn, info_title, pages, format, tags) SELECT ?, ?, 1, 'paper', '[]'",
            arguments: [isbn, "\(isbn.utf8.count)"])
        }
      }
      expectEqual(session.context.group(Book.matcher).count, 2)
      try store.write { try $0.execute(sql: "DELETE FROM book WHERE isbn = ?", arguments: [two]) }
      expectEqual(
        session.context.group(Book.matcher).compactMap { $0.get(Book.self)?.title }, ["2"])
      let book = try #require(session.context.group(Book.matcher).first)
      let author = session.context.createEntity(with: Author(id: 1))
      book.relate(WrittenBy.self, to: author)
      try session.save()
      book.update(Book.self) { $0.isbn = two }
      try session.save()
      try expectEqual(store.rows("SELECT hex(isbn) FROM book"), ["65CC81"])
      try expectEqual(store.rows("SELECT hex(book_isbn) FROM book_authors"), ["65CC81"])
    }
  }
#endif
