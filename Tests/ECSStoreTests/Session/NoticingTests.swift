#if SQLite
  import Dispatch
  import ECS
  import ECSStore
  import ECSTestSupport
  import GRDB
  import Testing

  /// How sessions notice what SQL writes through their store.
  @Suite(.noHangs) struct NoticingTests {
    let store: Store

    init() throws {
      store = try Town.store()
      let session = try store.session()
      let author = session.context.createEntity(with: Author(id: 1, first: "Ada", last: "L"))
      let book = session.context.createEntity(with: Book(isbn: "1", title: "One", pages: 1))
      book.relate(WrittenBy.self, to: author)
      try session.save()
    }

    private func writeSQL() throws {
      try store.write { database in
        try database.execute(
          sql: """
            UPDATE author SET first = 'SQL'; INSERT INTO author VALUES (2, 'B', NULL);
            DELETE FROM book_authors; DELETE FROM book
            """)
      }
    }

    private func check(_ session: StoreSession) throws {
      expectEqual(session.author(1)?.get(Author.self)?.first, "SQL")
      expectNotNil(session.author(2))
      expectNil(session.book("1"))
      expectFalse(session.hasChanges)
      try expectEqual(session.refresh(), MergeReport())
    }

    @Test func `what SQL writes is merged at once`() throws {
      let sessions = try [store.session(), store.session()]
      try writeSQL()
      for session in sessions { try check(session) }
    }

    @Test func `what SQL writes is merged on a queue that was named`() throws {
      let queue = DispatchQueue(label: "merging")
      let session = try store.session(merging: .on(queue))
      queue.suspend()
      try writeSQL()
      expectNil(session.author(2))
      queue.resume()
      queue.sync {}
      try check(session)
    }

    @Test func `what SQL writes in some rows of many comes into sessions that know different ones`()
      throws
    {
      let one = try store.session()
      for id in 2...6 {
        one.context.createEntity(with: Author(id: Int64(id), first: "a\(id)"))
        one.context.createEntity(with: LogLine(text: "l\(id)"))
        one.context.createEntity(with: Book(isbn: "\(id)"), Rating(stars: 1), Note(text: "n"))
      }
      try one.save()
      let two = try store.session(merging: .manual)
      one.author(3)?.update(Author.self) { $0.first = "one" }
      one.context.createEntity(with: Todo(text: "one"))
      try one.save()
      try store.write { database in
        try database.execute(
          sql: """
            UPDATE author SET last = 'L' WHERE id = 5; DELETE FROM author WHERE id = 2;
            INSERT INTO author VALUES (0, 'Z', NULL); UPDATE log SET text = 'SQL' WHERE ecs_row = 2;
            DELETE FROM log WHERE ecs_row = 4;
            UPDATE book SET rating_stars = NULL WHERE isbn = '3';
            UPDATE book SET note_text = NULL WHERE isbn = '4'; UPDATE book SET pages = 7 WHERE isbn = '6'
            """)
      }
      let report = try two.refresh()
      expectTrue((report.made, report.destroyed, report.conflicts) == (2, 2, []))
      let fresh = try store.session()
      for session in [one, two] {
        expectEqual(all(session), all(fresh))
        expectFalse(session.hasChanges)
        try expectEqual(session.refresh(), MergeReport())
      }
    }

    private func text(of entity: Entity) -> String {
      entity.components().map { "\($0)" }.sorted().joined(separator: " ")
    }

    /// What a session has, whatever its order.
    private func all(_ session: StoreSession) -> [String] {
      let books = session.context.group(Book.matcher).map { text(of: $0) }
      let authors = session.context.group(Author.matcher).map { text(of: $0) }
      let lines = session.context.group(LogLine.matcher).map { text(of: $0) }
      let todos = session.context.group(Todo.matcher).map { text(of: $0) }
      return (books + authors + lines + todos).sorted()
    }

    @Test func `what SQL writes waits for refresh, if merging is manual`() throws {
      let session = try store.session(merging: .manual)
      try writeSQL()
      expectNil(session.author(2))
      let report = try session.refresh()
      expectTrue((report.made, report.updated, report.destroyed) == (1, 1, 1))
      try check(session)
    }

    @Test func `what SQL writes is merged before a save, field by field`() throws {
      let session = try store.session(merging: .manual, policy: .error)
      session.author(1)?.update(Author.self) { $0.last = "M" }
      try store.write { try $0.execute(sql: "UPDATE author SET first = 'SQL'") }
      try expectEqual(session.save(), SaveReport(updated: 1))
      expectEqual(session.author(1)?.get(Author.self), Author(id: 1, first: "SQL", last: "M"))
      session.author(1)?.update(Author.self) { $0.first = "here" }
      try store.write { try $0.execute(sql: "UPDATE author SET first = 'there'") }
      guard case .conflicts(let conflicts)? = storeError({ try session.save() }) else {
        Issue.record("no conflict")
        return
      }
      expectEqual(conflicts.map(\.column), ["first"])
      try expectEqual(store.rows("SELECT first FROM author"), ["there"])
    }

    @Test func `what is taken back, or is no row of a table, tells nobody`() throws {
      struct Boom: Error {}
      let session = try store.session()
      let changes = Tally()
      let token = session.context.observeEvents { _ in changes.add() }
      #expect(throws: Boom.self) {
        try store.write {
          try $0.execute(sql: "DELETE FROM log; UPDATE author SET first = 'SQL'")
          throw Boom()
        }
      }
      try store.write {
        try $0.execute(sql: "CREATE TABLE other (a); INSERT INTO other VALUES (1)")
      }
      try store.values.set(1, for: "a")
      try expectEqual(session.refresh(), MergeReport())
      expectEqual(changes.value, 0)
      expectEqual(session.author(1)?.get(Author.self)?.first, "Ada")
      token.cancel()
    }

    @Test func `a row that SQL makes unreadable is refused, or stays as it was known`() throws {
      let (refusing, skipping) = (
        try store.session(), try store.session(unreadable: .skipAndReport)
      )
      try store.write { try $0.execute(sql: "UPDATE book SET format = 'stone', pages = 9") }
      guard
        case .unreadable(table: "book", key: "1", column: "format", _)? = storeError({
          try refusing.refresh()
        })
      else {
        Issue.record("it was read")
        return
      }
      expectEqual(skipping.book("1")?.get(Book.self)?.pages, 1)
      try store.write { try $0.execute(sql: "UPDATE book SET format = 'sound'") }
      expectEqual(refusing.book("1")?.get(Book.self)?.pages, 9)
      expectEqual(skipping.book("1")?.get(Book.self)?.format, .sound)
    }

    @Test func `a row that is refused keeps nobody from what has nothing to do with it`() throws {
      let session = try store.session()
      try store.write {
        try $0.execute(sql: "UPDATE book SET format = 'stone'; UPDATE author SET first = 'SQL'")
      }
      expectEqual(session.author(1)?.get(Author.self)?.first, "SQL")
      session.author(1)?.update(Author.self) { $0.last = "here" }
      try expectEqual(session.save(), SaveReport(updated: 1))
      #expect(throws: StoreError.self) { try session.refresh() }
      session.book("1")?.update(Book.self) { $0.pages = 5 }
      guard case .unreadable(table: "book", _, _, _)? = storeError({ try session.save() }) else {
        Issue.record("what nobody can read was written")
        return
      }
      expectTrue(session.hasChanges)
      try store.write { try $0.execute(sql: "UPDATE book SET format = 'sound'") }
      try session.save()
      try expectEqual(store.rows("SELECT pages, format FROM book"), ["5 sound"])
    }

    @Test func `SQL in a section, and sessions in SQL, stop with a message`() async {
      let section = await #expect(
        processExitsWith: .failure, observing: [\.standardErrorContent]
      ) {
        let store = try Town.store()
        let session = try store.session()
        try session.context.perform { try store.write { try $0.execute(sql: "DELETE FROM log") } }
      }
      expectTrue(stopped(section, saying: "write(_:)", "call it when the section has ended"))
      let body = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        let store = try Town.store()
        let session = try store.session()
        session.context.createEntity(with: Author(id: 1))
        try store.write { _ in _ = try session.save() }
      }
      expectTrue(stopped(body, saying: "in the body of write(_:)"))
    }
  }
#endif
