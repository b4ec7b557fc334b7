#if SQLite
  import ECS
  import ECSStore
  import ECSTestSupport
  import Foundation
  import GRDB
  import Testing

  /// How stores that share a file notice programs that keep no log, whatever is in the log.
  @Suite(.noHangs) struct ForeignCommitTests {
    let folder: Folder
    let (here, there): (Store, Store)

    init() throws {
      folder = try Folder()
      here = try Town.shared(folder, every: .seconds(3600))
      there = try Town.shared(folder, every: .seconds(3600))
    }

    private func sessions(
      _ policy: MergePolicy = .localWins
    ) throws -> (here: StoreSession, there: StoreSession) {
      let session = try here.session(merging: .manual, policy: policy)
      for id in 1...20 { session.context.createEntity(with: Author(id: Int64(id), first: "A")) }
      session.context.createEntity(with: Seat(row: "A", number: 1, price: 0))
      try session.save()
      return (session, try there.session(merging: .manual, policy: policy))
    }

    @Test(arguments: [false, true], [false, true])
    func `SQL is found whatever a store saves before and after it`(
      _ isBefore: Bool, _ isBySession: Bool
    ) throws {
      let (here, there) = try sessions(.error)
      let program = try DatabaseQueue(path: folder.file().path)
      for turn in 1...3 {
        func save() throws {
          if isBySession {
            here.author(2)?.update(Author.self) { $0.first = "here \(turn)" }
            try here.save()
          } else {
            try self.here.values.set(.string("\(turn)"), for: "a")
          }
        }
        if isBefore { try save() }
        try program.write {
          try $0.execute(sql: "UPDATE author SET first = 'SQL \(turn)' WHERE id = 1")
        }
        if !isBefore { try save() }
        there.author(1)?.update(Author.self) { $0.first = "mine" }
        guard case .conflicts(let conflicts)? = storeError({ try there.save() }) else {
          Issue.record("overwritten unseen")
          return
        }
        expectEqual(conflicts.map(\.stored), [.string("SQL \(turn)")])
        there.rollback()
        try there.refresh()
        expectEqual(there.author(1)?.get(Author.self)?.first, "SQL \(turn)")
        try expectEqual(there.refresh(), MergeReport())
        try here.refresh()
      }
    }

    @Test func `rows that stores save are read alone, also when SQL has taken turns`() throws {
      let (here, there) = try sessions()
      let program = try DatabaseQueue(path: folder.file().path)
      let wholes = Tally()
      for store in [self.here, self.there] {
        try store.write { database in
          countWholes(of: database, wholes)
        }
      }
      for turn in 1...3 {
        try program.write {
          try $0.execute(sql: "UPDATE author SET first = 'SQL \(turn)' WHERE id = 1")
        }
        for session in [here, there] { try session.refresh() }
        expectEqual(wholes.value, 2 * turn)
        for (saving, reading) in [(here, there), (there, here)] {
          saving.author(2)?.update(Author.self) { $0.first += "." }
          try saving.save()
          try self.here.values.set(.string("\(turn)"), for: "a")
          try self.there.write { try $0.execute(sql: "UPDATE seat SET price = \(turn)") }
          try expectEqual(reading.refresh().updated, 2)
          expectEqual(wholes.value, 2 * turn)
        }
      }
    }

    @Test func `what is committed while the log is found is not hidden by what is saved next`()
      throws
    {
      let folder = try Folder()
      let here = try Town.store(at: .file(folder.file()))
      let session = try here.session(merging: .manual)
      for id in 1...2 { session.context.createEntity(with: Author(id: Int64(id), first: "A")) }
      try session.save()
      let program = try DatabaseQueue(path: folder.file().path)
      let calls = Tally()
      try here.write { database in
        database.trace { event in
          guard calls.value == 1, "\(event)".contains("sqlite_master") else { return }
          calls.add()
          try? program.write {
            try $0.execute(sql: "UPDATE author SET first = 'SQL' WHERE id = 1")
          }
        }
      }
      let store = try Town.shared(folder, every: .seconds(3600))
      let there = try store.session(merging: .manual)
      calls.add()
      try session.refresh()
      expectEqual(calls.value, 2)
      try there.refresh()
      there.author(2)?.update(Author.self) { $0.first = "B" }
      try there.save()
      try session.refresh()
      expectEqual(session.author(2)?.get(Author.self)?.first, "B")
      expectEqual(session.author(1)?.get(Author.self)?.first, "SQL")
    }

    @Test(arguments: [false, true])
    func `a store that only reads, or has no write-ahead log, finds what others write`(
      _ isReadOnly: Bool
    ) throws {
      let folder = try Folder()
      let file = folder.file()
      let store = try Town.shared(folder, every: .seconds(3600))
      let session = try store.session()
      for id in 1...20 { session.context.createEntity(with: Author(id: Int64(id), first: "A")) }
      try session.save()
      let names = folder.names
      let program: DatabaseQueue
      var options = Store.Options()
      options.isReadOnly = isReadOnly
      if isReadOnly {
        program = try DatabaseQueue(path: file.path)
        _ = try program.read { try Row.fetchAll($0, sql: "SELECT * FROM author") }
        for name in names {
          try FileManager.default.setAttributes(
            [.posixPermissions: 0o444], ofItemAtPath: folder.file(name).path)
        }
      } else {
        try store.close()
        program = try DatabaseQueue(path: file.path)
        try program.writeWithoutTransaction { try $0.execute(sql: "PRAGMA journal_mode = DELETE") }
      }
      func open() throws -> Store {
        let authors = try Library.authors()
        let schema = try Schema(evolution: .adopting) { authors }
        return try Store(at: .file(file), schema: schema, options: options)
      }
      let readers = try (0...1).map { _ in try open().session(merging: .manual) }
      let wholes = Tally()
      try readers[0].store.read { database in
        countWholes(of: database, wholes)
      }
      for turn in 1...3 {
        try program.write {
          try $0.execute(sql: "UPDATE author SET first = 'SQL \(turn)' WHERE id = 1")
        }
        let writer = isReadOnly ? session : readers[1]
        writer.author(2)?.update(Author.self) { $0.first = "store \(turn)" }
        try writer.save()
        try expectEqual(readers[0].refresh().updated, 2)
        expectEqual(readers[0].author(1)?.get(Author.self)?.first, "SQL \(turn)")
        expectEqual(readers[0].author(2)?.get(Author.self)?.first, "store \(turn)")
        writer.author(2)?.update(Author.self) { $0.first += "." }
        try writer.save()
        try expectEqual(readers[0].refresh().updated, 1)
        expectEqual(wholes.value, turn)
      }
      try expectEqual(readers[0].store.rows("PRAGMA journal_mode"), [isReadOnly ? "wal" : "delete"])
      if isReadOnly { expectEqual(folder.names, names) }
    }
  }

  /// Counts from here on how often all authors are read.
  private func countWholes(of database: Database, _ wholes: Tally) {
    database.trace { event in
      let text = "\(event)"
      if text.contains("FROM \"author\""), !text.contains("WHERE") { wholes.add() }
    }
  }
#endif
