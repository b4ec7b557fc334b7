#if SQLite
  import ECS
  import ECSStore
  import ECSTestSupport
  import Foundation
  import GRDB
  import Testing

  /// Processes that are killed while they migrate a file or copy one.
  @Suite(.noHangs) struct OpeningKillTests {
    @Test func `a migration that is killed is through or has not begun, and goes on later`()
      async throws
    {
      let folder = try Folder()
      try Migrating.prepare(folder.file())
      var (version, ends, copies) = (1, [0, 0], 0)
      var random = SplitMix64(seed: 3)
      for round in 0..<Torment.otherKills {
        let (path, end) = (folder.url.path, Migrating.End.allCases[round % 4].rawValue)
        let delay = random.next() % 20_000
        await #expect(processExitsWith: .signal(SIGKILL)) {
          [
            path = path as String, version = version + 1 as Int, end = end as String,
            delay = delay as UInt64
          ] in
          try Migrating.migrateUntilKilled(in: path, to: version, end, after: delay)
        }
        if folder.names.contains("library.sqlite.before-migration") { copies += 1 }
        let found = try Migrating.version(folder)
        expectTrue(found == version || found == version + 1)
        if end == "will" || end == "step" { expectEqual(found, version) }
        if end == "did" { expectEqual(found, version + 1) }
        ends[found - version] += 1
        version = found
        // The next one that opens it finds it whole, and nothing beside it afterwards.
        try Migrating.check(folder.file(), version)
        expectEqual(folder.names, ["library.sqlite"])
      }
      expectGreaterThan(copies, 0)
      print(
        "Of \(Torment.otherKills) migrations that were killed, \(ends[1]) were through, \(copies) left a copy."
      )
    }

    @Test func `a backup that is killed leaves the earlier copy or the new one`() async throws {
      let folder = try Folder()
      let copy = folder.file("copy.sqlite")
      try Copying.prepare(folder)
      var (last, parts) = (0, 0)
      var random = SplitMix64(seed: 4)
      for _ in 0..<Torment.otherKills {
        let (path, delay) = (folder.url.path, random.next() % 20_000)
        await #expect(processExitsWith: .signal(SIGKILL)) {
          [path = path as String, delay = delay as UInt64] in
          try Copying.copyUntilKilled(in: path, after: delay)
        }
        if folder.names.contains("copy.sqlite.part") { parts += 1 }
        let store = try Town.store(at: .file(folder.file()))
        let present = try #require(try Generations(store).present)
        try expectEqual(store.integrity(), "ok")
        let copied = try Town.store(at: .file(copy))
        let number = try #require(try Generations(copied).present)
        expectTrue(number == present || number == present - 1)
        expectGreaterThanOrEqual(number, last)
        try expectEqual(copied.integrity(), "ok")
        try copied.close()
        last = number
        try store.backup(to: copy)
        expectFalse(folder.names.contains("copy.sqlite.part"))
        try store.close()
      }
      print("Of \(Torment.otherKills) backups that were killed, \(parts) left a part, at \(last).")
    }
  }

  enum Migrating {
    /// What a process ends in.
    enum End: String, CaseIterable { case will, step, did, anywhere }

    static let lines = 2000

    /// Each version has its number in all lines, in a table that is made anew.
    static func schema(_ version: Int, end: End? = nil) throws -> Schema {
      let dies: @Sendable (End) -> Void = { if end == $0 { kill(getpid(), SIGKILL) } }
      let table = try Library.log()
      let migrations = (2...max(2, version)).prefix(version - 1).map { version in
        Migration(to: version) { schema in
          try schema.execute("UPDATE log SET text = ?", ["\(version)"])
          dies(.step)
          try schema.changeColumn(
            "text", to: ColumnDescription("text", .text, isNullable: false), in: "log")
        }
      }
      let will: @Sendable (Int, Int) -> Void = { _, _ in dies(.will) }
      let did: @Sendable (Int, Int) -> Void = { _, _ in dies(.did) }
      return try Schema(
        version: version, migrations: migrations, willMigrate: will, didMigrate: did
      ) {
        table
      }
    }

    static func prepare(_ file: URL) throws {
      let store = try Store(at: .file(file), schema: schema(1))
      let session = try store.session()
      for _ in 0..<lines { session.context.createEntity(with: LogLine(text: "1")) }
      try session.save()
      try store.close()
    }

    /// Opens a file with a version, and throws unless all lines are of it.
    static func check(_ file: URL, _ version: Int) throws {
      let store = try Store(at: .file(file), schema: schema(version))
      let rows = try store.rows("SELECT DISTINCT text, count(*) FROM log")
      guard rows == ["\(version) \(lines)"], try store.integrity() == "ok" else {
        throw StoreError.corrupt(path: file.path, detail: "version \(version): \(rows)")
      }
      try store.close()
    }

    static func version(_ folder: Folder) throws -> Int {
      let queue = try DatabaseQueue(path: folder.file().path)
      defer { try? queue.close() }
      return try queue.read { try Int.fetchOne($0, sql: "PRAGMA user_version") } ?? 0
    }

    static func migrateUntilKilled(
      in folder: String, to version: Int, _ end: String, after delay: UInt64
    ) throws {
      let file = URL(fileURLWithPath: folder).appendingPathComponent("library.sqlite")
      let end = End(rawValue: end)
      let schema = try schema(version, end: end)
      if end == .anywhere { Killing.begin(after: delay) }
      let store = try Store(at: .file(file), schema: schema)
      while true { _ = try store.rows("SELECT count(*) FROM log") }
    }
  }

  private enum Copying {
    /// Enough pages for a copy to take a while.
    static func prepare(_ folder: Folder) throws {
      let store = try Town.store(at: .file(folder.file()))
      let session = try Generations(store).session
      for number in 0..<2000 {
        session.context.createEntity(
          with: Seat(row: String(repeating: "x", count: 200), number: number))
      }
      try session.save()
      try store.backup(to: folder.file("copy.sqlite"))
      try store.close()
    }

    static func copyUntilKilled(in folder: String, after delay: UInt64) throws {
      let folder = URL(fileURLWithPath: folder)
      let store = try Town.store(at: .file(folder.appendingPathComponent("library.sqlite")))
      let generations = try Generations(store)
      var number = generations.present ?? 0
      Killing.begin(after: delay)
      while true {
        number += 1
        try generations.save(number)
        try store.backup(to: folder.appendingPathComponent("copy.sqlite"))
      }
    }
  }

  /// The end of this process at any moment, which is no test's waiting for something.
  enum Killing {
    static func begin(after microseconds: UInt64) {
      Thread.detachNewThread {
        usleep(UInt32(microseconds))
        kill(getpid(), SIGKILL)
      }
    }
  }
#endif
