#if SQLite
  import Dispatch
  import ECS
  import ECSStore
  import ECSTestSupport
  import Foundation
  import GRDB
  import Synchronization
  import Testing

  /// How stores that are unaware of each other, as those of several processes, share a file.
  @Suite(.noHangs) struct SharingTests {
    let folder: Folder
    let (here, there): (Store, Store)

    init() throws {
      folder = try Folder()
      here = try Town.shared(folder)
      there = try Town.shared(folder)
    }

    private func sessions(
      _ policy: MergePolicy = .localWins, _ merging: StoreSession.Merging = .manual
    ) throws -> (here: StoreSession, there: StoreSession) {
      let session = try here.session(merging: .manual, policy: policy)
      let authors = (1...4).map {
        session.context.createEntity(with: Author(id: Int64($0), first: "A\($0)", last: "L"))
      }
      let book = session.context.createEntity(with: Book(isbn: "1", title: "One", pages: 1))
      for author in authors.prefix(2) { book.relate(WrittenBy.self, to: author) }
      book.relate(PublishedBy.self, to: authors[0])
      session.context.createEntity(with: Seat(row: "A", number: 1, price: 1))
      session.context.createEntity(with: LogLine(text: "a"))
      try session.save()
      return (session, try there.session(merging: merging, policy: policy))
    }

    @Test
    func `what another process changes, makes and deletes comes by refresh, and is not saved back`()
      throws
    {
      let (here, there) = try sessions()
      let before = try self.there.write { $0.totalChangesCount }
      here.author(1)?.update(Author.self) { $0.first = "Bob" }
      here.author(4)?.destroy()
      here.context.createEntity(with: Author(id: 5, first: "new"))
      here.context.createEntity(with: Todo(text: "do"))
      here.context.createEntity(with: LogLine(text: "b"))
      here.context.group(Seat.matcher).first?.update(Seat.self) { $0.price = 2 }
      let book = try #require(here.book("1"))
      book.unrelate(WrittenBy.self, from: try #require(here.author(1)))
      book.relate(WrittenBy.self, to: try #require(here.author(3)))
      book.relate(PublishedBy.self, to: try #require(here.author(2)))
      try here.save()
      expectNil(there.author(5))
      let report = try there.refresh()
      expectTrue((report.made, report.destroyed, report.conflicts) == (3, 1, []))
      expectEqual(there.author(1)?.get(Author.self), Author(id: 1, first: "Bob", last: "L"))
      expectTrue(there.author(4) == nil && there.author(5)?.get(Author.self)?.first == "new")
      expectEqual(there.context.group(TodoID.matcher).first?.get(TodoID.self)?.value, 1)
      expectEqual(there.context.group(LogLine.matcher).count, 2)
      expectEqual(there.context.group(Seat.matcher).first?.get(Seat.self)?.price, 2)
      let same = try #require(there.book("1"))
      expectEqual(same.targets(WrittenBy.self).compactMap { $0.get(Author.self)?.id }, [2, 3])
      expectEqual(same.target(PublishedBy.self), there.author(2))
      expectFalse(there.hasChanges)
      try expectEqual(there.save(), SaveReport())
      try expectEqual(there.refresh(), MergeReport())
      try expectEqual(here.refresh(), MergeReport())
      try expectEqual(self.there.write { $0.totalChangesCount }, before)
    }

    @Test func `fields are merged three-way before a save, so that no change is lost`() throws {
      let (here, there) = try sessions(.error)
      here.author(1)?.update(Author.self) { $0.first = "here" }
      there.author(1)?.update(Author.self) { $0.last = "there" }
      there.book("1")?.update(Book.self) { $0.pages = 5 }
      try here.save()
      try there.save()
      expectEqual(there.author(1)?.get(Author.self), Author(id: 1, first: "here", last: "there"))
      try here.refresh()
      expectEqual(here.author(1)?.get(Author.self), Author(id: 1, first: "here", last: "there"))
      here.author(2)?.update(Author.self) { $0.first = "here" }
      there.author(2)?.update(Author.self) { $0.first = "there" }
      try here.save()
      guard case .conflicts(let conflicts)? = storeError({ try there.save() }) else {
        Issue.record("overwritten unseen")
        return
      }
      expectEqual(conflicts.map(\.column), ["first"])
      expectTrue(conflicts.first?.base == "A2" && conflicts.first?.stored == "here")
      try expectEqual(self.here.rows("SELECT first FROM author WHERE id = 2"), ["here"])
    }

    @Test func `counters that both count up have the total`() throws {
      let policy = MergePolicy.resolve { conflict in
        guard let base = conflict.base?.number?.int, let local = conflict.local?.number?.int,
          let stored = conflict.stored?.number?.int
        else { return .local }
        return .value(.number(JSONNumber(local + stored - base)))
      }
      let (here, there) = try sessions(policy)
      for round in 1...20 {
        for (session, count) in [(here, 1), (there, 2)] {
          session.book("1")?.update(Book.self) { $0.pages += count }
          if round % 3 == count { try session.refresh() }
        }
        try here.save()
        try there.save()
      }
      try expectEqual(self.here.rows("SELECT pages FROM book"), ["61"])
    }

    @Test func `keys that change or change places are the same entities there`() throws {
      let (here, there) = try sessions()
      let known = try (1...4).map { try #require(there.author(Int64($0))) }
      let authors = try (1...4).map { try #require(here.author(Int64($0))) }
      // 1 and 2 change places; 3 becomes 9 in two steps, and another one takes its key; 4 goes
      // after it moved.
      authors[0].update(Author.self) { $0.id = 2 }
      authors[1].update(Author.self) { $0.id = 1 }
      authors[2].update(Author.self) { $0.id = 8 }
      authors[3].update(Author.self) { $0.id = 7 }
      try here.save()
      authors[2].update(Author.self) { $0.id = 9 }
      here.context.createEntity(with: Author(id: 3, first: "third"))
      authors[3].destroy()
      try here.save()
      try there.refresh()
      expectEqual(known.prefix(3).map { $0.get(Author.self)?.id }, [2, 1, 9])
      expectFalse(known[3].isAlive)
      expectEqual(there.author(3)?.get(Author.self)?.first, "third")
      expectEqual(there.context.group(Author.matcher).count, 4)
      expectEqual(
        there.book("1")?.targets(WrittenBy.self).compactMap { $0.get(Author.self)?.id }, [2, 1])
      try expectEqual(there.save(), SaveReport())
    }

    @Test func `a session that comes later is not told what it has loaded`() throws {
      let (here, there) = try sessions()
      here.author(3)?.update(Author.self) { $0.id = 9 }
      try here.save()
      here.context.createEntity(with: Author(id: 3, first: "third"))
      try here.save()
      let late = try self.there.session(merging: .manual)
      try there.refresh()
      try expectEqual(late.refresh(), MergeReport())
      for session in [there, late] {
        expectEqual(session.author(3)?.get(Author.self)?.first, "third")
        expectEqual(session.author(9)?.get(Author.self)?.first, "A3")
      }
    }

    @Test func `who has missed what is forgotten compares all`() throws {
      let (here, there) = try sessions()
      for round in 0..<1200 {
        here.author(1)?.update(Author.self) { $0.first = "\(round)" }
        try here.save()
      }
      here.author(2)?.destroy()
      try here.save()
      let count = try self.here.rows("SELECT count(*) FROM ecs_change").first.flatMap { Int($0) }
      try expectLessThan(#require(count), 1100)
      try there.refresh()
      expectEqual(there.author(1)?.get(Author.self)?.first, "1199")
      expectNil(there.author(2))
      expectEqual(there.book("1")?.targets(WrittenBy.self).count, 1)
    }

    @Test func `what a save has changed is noted by one statement`() throws {
      let session = try sessions().here
      let statements = Mutex<[String]>([])
      try here.write { database in
        database.trace { event in statements.withLock { $0.append("\(event)") } }
      }
      for round in 0..<128 {
        session.author(1)?.update(Author.self) { $0.first = "\(round)" }
        try session.save()
      }
      try here.write { $0.trace(options: []) }
      let writing = statements.withLock { all in
        all.filter { statement in
          ["INSERT", "UPDATE", "DELETE"].contains { statement.hasPrefix($0) }
        }
      }
      // One for the row and one for the log; none is old enough to be forgotten.
      expectEqual(writing.count { $0.contains("author") }, 128)
      expectEqual(writing.count { $0.contains("ecs_change") }, 128)
      expectEqual(writing.count, 256)
    }

    @Test func `many rows at once are compared`() throws {
      let (here, there) = try sessions()
      for number in 0..<5000 { here.context.createEntity(with: Seat(row: "B", number: number)) }
      here.author(1)?.update(Author.self) { $0.first = "Bob" }
      try here.save()
      try expectEqual(
        self.here.rows("SELECT changes FROM ecs_change ORDER BY stamp DESC LIMIT 1"),
        [#"{"author":{"rows":[1]},"seat":null}"#])
      try expectEqual(there.refresh().made, 5000)
      expectEqual(there.author(1)?.get(Author.self)?.first, "Bob")
      for seat in here.context.group(Seat.matcher) { seat.destroy() }
      try here.save()
      try expectEqual(there.refresh().destroyed, 5001)
    }

    @Test func `programs that know nothing of it are noticed`() throws {
      let (here, there) = try sessions()
      let program = try DatabaseQueue(path: folder.file().path)
      try program.write { try $0.execute(sql: "UPDATE author SET first = 'SQL' WHERE id = 1") }
      try expectEqual(there.refresh().updated, 1)
      try program.write {
        try $0.execute(
          sql: "DELETE FROM author WHERE id = 4; INSERT INTO ecs_change DEFAULT VALUES")
      }
      here.author(2)?.update(Author.self) { $0.first = "here" }
      try here.save()
      expectNil(here.author(4))
      try there.refresh()
      expectTrue(there.author(4) == nil && there.author(2)?.get(Author.self)?.first == "here")
    }

    @Test func `what SQL writes in one process is merged in others, and values are no rows`() throws
    {
      let (_, there) = try sessions()
      try here.write { try $0.execute(sql: "UPDATE author SET first = 'SQL' WHERE id = 1") }
      try expectEqual(
        here.rows("SELECT changes FROM ecs_change ORDER BY stamp DESC LIMIT 1"),
        [#"{"author":null}"#])
      try here.values.set(1, for: "a")
      try there.refresh()
      expectEqual(there.author(1)?.get(Author.self)?.first, "SQL")
      try here.values.set(2, for: "a")
      try expectEqual(there.refresh(), MergeReport())
    }

    @Test func `sessions that merge by themselves are told in an interval`() throws {
      let (here, there) = try sessions(.localWins, .automatic)
      let told = DispatchSemaphore(value: 0)
      let token = there.context.group(Author.matcher).observeAfterwards { told.signal() }
      for round in 1...3 {
        here.context.createEntity(with: Author(id: Int64(10 + round)))
        try here.save()
        told.wait()
        expectNotNil(there.author(Int64(10 + round)))
        expectFalse(there.hasChanges)
      }
      token.cancel()
    }

    @Test func `a save waits for the one of another process, and then says so`() throws {
      var options = Store.Options.shared
      options.busyTimeout = .milliseconds(30)
      let store = try Store(at: .file(folder.file()), schema: Town.schema(), options: options)
      let session = try store.session()
      session.context.createEntity(with: Author(id: 1))
      let (held, done) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
      let other = try here.session(merging: .manual)
      // Observers of what a save merges are called in its turn.
      try there.write { try $0.execute(sql: "INSERT INTO author VALUES (7, '', NULL)") }
      let token = other.context.group(Author.matcher).observeAfterwards {
        held.signal()
        done.wait()
      }
      Thread.detachNewThread {
        other.context.createEntity(with: LogLine(text: "a"))
        #expect(throws: Never.self) { try other.save() }
        held.signal()
      }
      held.wait()
      guard case .locked(waited: .milliseconds(30))? = storeError({ try session.save() }) else {
        Issue.record("it did not wait")
        return
      }
      token.cancel()
      done.signal()
      held.wait()
      expectTrue(session.hasChanges)
      try session.save()
      try expectEqual(store.rows("SELECT id FROM author ORDER BY id"), ["1", "7"])
    }

    @Test func `what a program writes between a merge and its save is merged as well`() throws {
      let (here, there) = try sessions(.error)
      let program = try DatabaseQueue(path: folder.file().path)
      there.author(1)?.update(Author.self) { $0.first = "there" }
      try there.save()
      here.author(2)?.update(Author.self) { $0.first = "here" }
      let writes = Tally()
      // Observers of what the save merges are called before it writes.
      let token = here.context.group(Author.matcher).observeAfterwards {
        guard writes.value == 0 else { return }
        writes.add()
        #expect(throws: Never.self) {
          try program.write { try $0.execute(sql: "UPDATE author SET first = 'SQL' WHERE id = 2") }
        }
      }
      guard case .conflicts(let conflicts)? = storeError({ try here.save() }) else {
        Issue.record("overwritten unseen")
        return
      }
      expectEqual(writes.value, 1)
      expectEqual(conflicts.map(\.key), ["2"])
      try expectEqual(self.here.rows("SELECT first FROM author WHERE id < 3"), ["there", "SQL"])
      token.cancel()
    }

    @Test func `a store that says nothing of others keeps the file's word`() throws {
      let (_, there) = try sessions()
      let silent = try Town.store(at: .file(folder.file()))
      let session = try silent.session()
      session.author(1)?.update(Author.self) { $0.first = "silent" }
      try session.save()
      try expectEqual(
        silent.rows("SELECT changes FROM ecs_change ORDER BY stamp DESC LIMIT 1"),
        [#"{"author":{"rows":[1]}}"#])
      try expectEqual(there.refresh().updated, 1)
    }
  }

  extension Store.Options {
    /// With other processes, which are looked for all the time.
    static var shared: Store.Options {
      var options = Store.Options()
      options.sharing = .processes(checkingEvery: .milliseconds(1))
      options.busyTimeout = .seconds(60)
      return options
    }
  }

  extension Town {
    static func shared(_ folder: Folder, every interval: Duration = .milliseconds(1)) throws
      -> Store
    {
      var options = Store.Options.shared
      options.sharing = .processes(checkingEvery: interval)
      return try Store(at: .file(folder.file()), schema: schema(), options: options)
    }
  }
#endif
