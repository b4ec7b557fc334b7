#if SQLite
  import ECSTestSupport
  import ECS
  import ECSStore
  import Foundation
  import GRDB
  import Testing

  /// SQL, values, copies and the options of a store.
  @Suite struct StoreUseTests {
    @Test func `what is written in SQL is read, and taken back if the body throws`() throws {
      struct Boom: Error {}
      let store = try Store(at: .memory, schema: Library.schema())
      let count = try store.write { database in
        try database.execute(sql: "INSERT INTO author (first) VALUES (?)", arguments: ["Ada"])
        return database.changesCount
      }
      expectEqual(count, 1)
      #expect(throws: Boom.self) {
        try store.write { database in
          try database.execute(sql: "DELETE FROM author")
          throw Boom()
        }
      }
      try expectEqual(
        store.read { try String.fetchAll($0, sql: "SELECT first FROM author") }, ["Ada"])
      #expect(throws: DatabaseError.self) {
        try store.write {
          try $0.execute(sql: "INSERT INTO book (isbn, publisher) VALUES ('1', 9)")
        }
      }
    }

    @Test func `values are kept by key, in the file`() throws {
      let folder = try Folder()
      let store = try Store(at: .file(folder.file()), schema: Library.schema())
      try expectNil(store.values.value(for: "a"))
      let value: JSONValue = [
        "text": "a\0b", "number": 12_345_678_901_234_567_890, "list": [true, .null],
      ]
      try store.values.set(value, for: "a\0b")
      try store.values.set(nil, for: "nothing")
      try store.values.set(.null, for: "null")
      try store.close()
      let again = try Store(at: .file(folder.file()), schema: Library.schema())
      try expectEqual(again.values.value(for: "a\0b"), value)
      try expectNil(again.values.value(for: "a"))
      try expectEqual(again.values.value(for: "null"), .null)
      try again.values.set("other", for: "a\0b")
      try expectEqual(again.values.value(for: "a\0b"), "other")
      try again.values.set(nil, for: "a\0b")
      try expectNil(again.values.value(for: "a\0b"))
      try again.write { try $0.execute(sql: "UPDATE ecs_value SET value = 'no JSON'") }
      guard
        case .unreadable("ecs_value", "null", "value", _)? = storeError({
          _ = try again.values.value(for: "null")
        })
      else {
        Issue.record("not told")
        return
      }
    }

    @Test func `a copy is whole while the store is in use, and replaces what was there`() throws {
      let folder = try Folder()
      let store = try Store(at: .file(folder.file()), schema: Library.schema())
      try store.write { try $0.execute(sql: "INSERT INTO log (text) VALUES ('a')") }
      let copy = folder.file("copy.sqlite")
      try Data("something else".utf8).write(to: copy)
      // Another program writes two rows at a time meanwhile.
      DispatchQueue.concurrentPerform(iterations: 2) { number in
        if number == 0 {
          #expect(throws: Never.self) { try store.backup(to: copy) }
        } else {
          for _ in 0..<50 {
            #expect(throws: Never.self) {
              try store.write {
                try $0.execute(
                  sql: "INSERT INTO log (text) VALUES ('x'); INSERT INTO log (text) VALUES ('x')")
              }
            }
          }
        }
      }
      try store.write { try $0.execute(sql: "INSERT INTO log (text) VALUES ('b')") }
      let other = try Store(at: .file(copy), schema: Library.schema())
      let texts = try other.read { try String.fetchAll($0, sql: "SELECT text FROM log") }
      expectTrue(texts.count % 2 == 1 && texts.first == "a" && !texts.contains("b"))
      try expectEqual(other.read { try String.fetchOne($0, sql: "PRAGMA integrity_check") }, "ok")
      expectFalse(folder.names.contains { $0.contains("part") })
      let missing = folder.file("none/copy.sqlite")
      guard case .cannotOpen(missing.path, _)? = storeError({ try store.backup(to: missing) })
      else {
        Issue.record("not told")
        return
      }
    }

    @Test func `a copy replaces what a killed reader has left beside the one before`() throws {
      let folder = try Folder()
      let store = try Store(at: .file(folder.file()), schema: Library.schema())
      let copy = folder.file("copy.sqlite")
      let left = ["", "-wal", "-shm"]
      try store.backup(to: copy)
      // As a killed process leaves it: with changes that are beside the file alone.
      let other = try Store(at: .file(copy), schema: Library.schema())
      try other.write { try $0.execute(sql: "INSERT INTO log (text) VALUES ('old')") }
      for suffix in left {
        try FileManager.default.copyItem(
          atPath: copy.path + suffix, toPath: copy.path + ".left" + suffix)
      }
      try other.close()
      for suffix in left {
        try? FileManager.default.removeItem(atPath: copy.path + suffix)
        try FileManager.default.moveItem(
          atPath: copy.path + ".left" + suffix, toPath: copy.path + suffix)
      }
      try store.write { try $0.execute(sql: "INSERT INTO log (text) VALUES ('new')") }
      try store.backup(to: copy)
      let again = try Store(at: .file(copy), schema: Library.schema())
      try expectEqual(again.rows("SELECT text FROM log"), ["new"])
      try expectEqual(again.rows("PRAGMA integrity_check"), ["ok"])
    }

    @Test func `a store is not copied onto itself`() throws {
      let folder = try Folder()
      let store = try Store(at: .file(folder.file()), schema: Library.schema())
      let link = folder.file("link.sqlite")
      try FileManager.default.createSymbolicLink(at: link, withDestinationURL: folder.file())
      for place in [folder.file(), link] {
        guard case .cannotOpen(place.path, _)? = storeError({ try store.backup(to: place) }) else {
          Issue.record("\(place.path) was replaced")
          return
        }
      }
      try store.write { try $0.execute(sql: "INSERT INTO log (text) VALUES ('a')") }
      try expectEqual(store.rows("SELECT text FROM log"), ["a"])
    }

    @Test func `a store in memory can be copied to a file`() throws {
      let folder = try Folder()
      let store = try Store(at: .memory, schema: Library.schema())
      try store.values.set(1, for: "a")
      try store.backup(to: folder.file())
      let other = try Store(at: .file(folder.file()), schema: Library.schema())
      try expectEqual(other.values.value(for: "a"), 1)
    }

    @Test func `durability says how SQLite waits for the disk`() throws {
      for (durability, level) in [(Store.Options.Durability.process, 1), (.power, 2)] {
        let folder = try Folder()
        var options = Store.Options()
        options.durability = durability
        let store = try Store(at: .file(folder.file()), schema: Library.schema(), options: options)
        try expectEqual(
          store.write { try Int.fetchOne($0, sql: "PRAGMA synchronous") } as Int?, level)
        try expectEqual(store.read { try String.fetchOne($0, sql: "PRAGMA journal_mode") }, "wal")
      }
    }
  }
#endif
