#if SQLite
  import ECS
  import ECSStore
  import ECSTestSupport
  import Foundation
  import GRDB
  import Testing

  /// What is made of files that can't be used, and that they stay as they were.
  @Suite(.serialized) struct FailureTests {
    private func error(opening url: URL, _ options: Store.Options = Store.Options()) throws
      -> StoreError?
    {
      let schema = try Library.schema()
      return storeError { _ = try Store(at: .file(url), schema: schema, options: options) }
    }

    /// Opens a file that is refused, and checks that not a byte of it changes.
    private func refusal(of file: URL) throws -> StoreError? {
      let before = try Data(contentsOf: file)
      let error = try error(opening: file)
      try expectEqual(Data(contentsOf: file), before)
      return error
    }

    @Test func `a missing folder and a folder can't be opened`() throws {
      let folder = try Folder()
      let missing = folder.file("none/library.sqlite")
      let first = try error(opening: missing)
      guard case .cannotOpen(missing.path, _)? = first else {
        Issue.record("a missing folder: \(String(describing: first))")
        return
      }
      let second = try error(opening: folder.url)
      guard case .cannotOpen(folder.url.path, _)? = second else {
        Issue.record("a folder: \(String(describing: second))")
        return
      }
    }

    @Test func `a file that is no database is told`() throws {
      let folder = try Folder()
      var random = SystemRandomNumberGenerator()
      let noise = Data((0..<8192).map { _ in UInt8.random(in: 1...255, using: &random) })
      try noise.write(to: folder.file("noise"))
      try Data("SQLite format 3\0".utf8).write(to: folder.file("header"))
      try Data("hello".utf8).write(to: folder.file("text"))
      for name in ["noise", "header", "text"] {
        guard case .notADatabase(folder.file(name).path)? = try refusal(of: folder.file(name))
        else {
          Issue.record("\(name)")
          continue
        }
      }
    }

    @Test func `an empty file is a new database`() throws {
      let folder = try Folder()
      try Data().write(to: folder.file())
      let store = try Store(at: .file(folder.file()), schema: Library.schema())
      try expectTrue(store.read { try $0.tableExists("book") })
    }

    @Test func `a damaged database is told, and more about it`() throws {
      let folder = try Folder()
      let file = try folder.filled()
      var data = try Data(contentsOf: file)
      // The page with the schema, behind the header.
      for place in 100..<4096 { data[place] = 0xA5 }
      try data.write(to: file)
      let error = try refusal(of: file)
      guard case .corrupt(file.path, let detail)? = error else {
        Issue.record("\(String(describing: error))")
        return
      }
      expectTrue(detail.contains("malformed"))
    }

    @Test func `a file of a later program is not touched`() throws {
      let folder = try Folder()
      let file = try folder.filled()
      try DatabaseQueue(path: file.path).writeWithoutTransaction {
        try $0.execute(sql: "PRAGMA user_version = 9")
        _ = try $0.checkpoint(.truncate)
      }
      guard case .newerSchema(found: 9, supported: 1)? = try refusal(of: file) else {
        Issue.record("not told")
        return
      }
    }

    @Test func `another one who writes is waited for, and then told`() throws {
      let folder = try Folder()
      let store = try Store(
        at: .file(folder.file()), schema: Library.schema(), options: .waiting(.milliseconds(50)))
      let other = try DatabaseQueue(path: folder.file().path)
      try other.writeWithoutTransaction { database in
        try database.execute(sql: "BEGIN IMMEDIATE")
        let error = storeError { try store.values.set(1, for: "a") }
        guard case .locked(waited: .milliseconds(50))? = error else {
          Issue.record("\(String(describing: error))")
          return
        }
        try database.execute(sql: "COMMIT")
      }
      try store.values.set(1, for: "a")
      try expectEqual(store.values.value(for: "a"), 1)
    }

    @Test func `a full disk is told, and leaves the last save`() throws {
      let folder = try Folder()
      let store = try Store(at: .file(folder.file()), schema: Library.schema())
      try store.values.set("kept", for: "a")
      let limit = try store.write { database in
        let pages = try Int.fetchOne(database, sql: "PRAGMA page_count") ?? 0
        return try Int.fetchOne(database, sql: "PRAGMA max_page_count = \(pages)")
      }
      expectGreaterThan(limit ?? 0, 0)
      let long = JSONValue.string(String(repeating: "x", count: 100_000))
      guard case .full? = storeError({ try store.values.set(long, for: "a") }) else {
        Issue.record("not told")
        return
      }
      try expectEqual(store.values.value(for: "a"), "kept")
      try expectEqual(store.read { try String.fetchOne($0, sql: "PRAGMA integrity_check") }, "ok")
      try store.write { _ = try Int.fetchOne($0, sql: "PRAGMA max_page_count = 1000000") }
      try store.values.set(long, for: "a")
      try expectEqual(store.values.value(for: "a"), long)
    }

    @Test func `a file that was removed or replaced is told before anything is written`() throws {
      let folder = try Folder()
      let store = try Store(at: .file(folder.file()), schema: Library.schema())
      let moved = folder.file("elsewhere")
      try FileManager.default.moveItem(at: folder.file(), to: moved)
      for isReplaced in [false, true] {
        if isReplaced { try Data("other".utf8).write(to: folder.file()) }
        guard
          case .fileGone(folder.file().path)? = storeError({ try store.values.set(1, for: "a") })
        else {
          Issue.record("replaced: \(isReplaced)")
          continue
        }
      }
      try FileManager.default.removeItem(at: folder.file())
      try FileManager.default.moveItem(at: moved, to: folder.file())
      try store.values.set(1, for: "a")
    }

    @Test func `a store that only reads changes nothing`() throws {
      let folder = try Folder()
      let file = try folder.filled()
      var options = Store.Options()
      options.isReadOnly = true
      guard case .cannotOpen? = try error(opening: folder.file("none"), options) else {
        Issue.record("a missing file")
        return
      }
      expectEqual(folder.names.contains("none"), false)
      let before = try Data(contentsOf: file)
      let store = try Store(at: .file(file), schema: Library.schema(), options: options)
      try expectEqual(store.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM author") }, 500)
      guard case .readOnly? = storeError({ try store.values.set(1, for: "a") }) else {
        Issue.record("written")
        return
      }
      try store.close()
      try expectEqual(Data(contentsOf: file), before)
      let authors = try Library.authors()
      let later = try Schema(version: 2) { authors }
      guard
        case .readOnly? = storeError({
          _ = try Store(at: .file(file), schema: later, options: options)
        })
      else {
        Issue.record("an older file")
        return
      }
    }

    @Test func `a closed store says so`() throws {
      let store = try Store(at: .memory, schema: Library.schema())
      try store.close()
      try store.close()
      guard case .closed? = storeError({ _ = try store.values.value(for: "a") }) else {
        Issue.record("read")
        return
      }
      guard case .closed? = storeError({ try store.write { _ in } }) else {
        Issue.record("written")
        return
      }
    }
  }

  extension Folder {
    /// A database with a few hundred rows, closed.
    func filled() throws -> URL {
      let store = try Store(at: .file(file()), schema: Library.schema())
      try store.write { database in
        for number in 0..<500 {
          try database.execute(
            sql: "INSERT INTO author VALUES (?, ?, ?)",
            arguments: [number, String(repeating: "x", count: 100), nil])
        }
      }
      try store.close()
      return file()
    }
  }

  extension Store.Options {
    static func waiting(_ time: Duration) -> Store.Options {
      var options = Store.Options()
      options.busyTimeout = time
      return options
    }
  }
#endif
