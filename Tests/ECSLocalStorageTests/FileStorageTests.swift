import Dispatch
import ECSLocalStorage
import ECSRecipes
import ECSTestSupport
import Foundation
import Testing

@Suite(.noHangs) struct FileStorageTests {
  private func names(_ folder: URL) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
  }

  @Test func `A file for each key says what is kept`() throws {
    try withFolder { folder in
      let storage = try FileStorage(folder: folder)
      try storage.set(["id": 7, "name": "Ada"], for: "user/7")
      try storage.set(1, for: "Volume")
      try storage.set(2, for: "volume")
      try expectEqual(names(folder), ["%56olume.json", "user%2F7.json", "volume.json"])
      let text = try String(
        contentsOf: folder.appendingPathComponent("user%2F7.json"), encoding: .utf8)
      expectEqual(text, "{\n  \"id\": 7,\n  \"name\": \"Ada\"\n}\n")
      try expectEqual(FileStorage(folder: folder).value(for: "user/7")?["name"], "Ada")
    }
  }

  @Test func `Long keys have short names of files`() throws {
    try withFolder { folder in
      let storage = try FileStorage(folder: folder)
      let keys = (0..<20).map { String(repeating: "/", count: 300) + "\($0)" }
      for (number, key) in keys.enumerated() {
        try storage.set(.number(JSONNumber(number)), for: key)
      }
      try expectTrue(names(folder).allSatisfy { $0.utf8.count <= 200 })
      try expectEqual(storage.keys(), keys.sorted())
      try expectEqual(storage.value(for: keys[7]), 7)
      // A file that says another key has nothing for this one, and is not written over.
      let names = try names(folder)
      let other = String(repeating: "/", count: 300) + "0"
      let file = try #require(
        try names.first { name in
          try String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8)
            .contains("\(other)\"")
        })
      try Data(#"{"key": "another", "value": 1}"#.utf8)
        .write(to: folder.appendingPathComponent(file))
      try expectNil(storage.value(for: other))
      try expectFalse(storage.removeValue(for: other))
      #expect(throws: StorageError.self) { try storage.set(2, for: other) }
      try expectEqual(storage.keys(), keys.filter { $0 != other }.sorted())
    }
  }

  @Test func `Files of others are left alone, and are no keys`() throws {
    try withFolder { folder in
      let storage = try FileStorage(folder: folder)
      for name in [
        "README", "A.json", "a b.json", ".json", "%6a.json", "%zz.json", "x~1.json", "e%CC%81.json",
      ] {
        try Data("1".utf8).write(to: folder.appendingPathComponent(name))
      }
      try FileManager.default.createDirectory(
        at: folder.appendingPathComponent("folder.txt"), withIntermediateDirectories: false)
      try storage.set(1, for: "key")
      try expectEqual(storage.keys(), ["key"])
      try expectEqual(names(folder).count, 10)
    }
  }

  @Test(arguments: ["", "{", "nul", "[1,]", "{\"a\":1}x", "\"\\ud800\""])
  func `A damaged file is told, and stays`(_ text: String) throws {
    try withFolder { folder in
      let storage = try FileStorage(folder: folder)
      let file = folder.appendingPathComponent("key.json")
      try Data(text.utf8).write(to: file)
      #expect {
        try storage.value(for: "key")
      } throws: { error in
        if case .unreadable("key", _)? = error as? StorageError { true } else { false }
      }
      // Foundation leaks a block whenever it reads an empty file.
      if !text.isEmpty { try expectEqual(Data(contentsOf: file), Data(text.utf8)) }
      try expectEqual(storage.keys(), ["key"])
      try storage.set(1, for: "key")
      try expectEqual(storage.value(for: "key"), 1)
    }
  }

  @Test func `What is no file is told, and nobody waits for it`() throws {
    try withFolder { folder in
      let storage = try FileStorage(folder: folder)
      try FileManager.default.createDirectory(
        at: folder.appendingPathComponent("folder.json/inner"), withIntermediateDirectories: true)
      expectTrue(unsafe mkfifo(folder.appendingPathComponent("pipe.json").path, 0o600) == 0)
      #expect(throws: StorageError.self) { try storage.value(for: "folder") }
      #expect(throws: StorageError.self) { try storage.value(for: "pipe") }
      #expect(throws: StorageError.self) { try storage.set(1, for: "folder") }
      try expectEqual(names(folder), ["folder.json", "pipe.json"])
    }
  }

  @Test func `A folder that can't be made or is gone is told`() throws {
    try withFolder { folder in
      let file = folder.appendingPathComponent("file")
      let storage = try FileStorage(folder: folder)
      try Data().write(to: file)
      #expect {
        try FileStorage(folder: file.appendingPathComponent("below"))
      } throws: { error in
        if case .unavailable? = error as? StorageError { true } else { false }
      }
      #expect(throws: StorageError.self) { try FileStorage(folder: file) }
      try FileManager.default.removeItem(at: folder)
      try expectNil(storage.value(for: "key"))
      #expect(throws: StorageError.self) { try storage.set(1, for: "key") }
      #expect(throws: StorageError.self) { try storage.keys() }
      try expectFalse(storage.removeValue(for: "key"))
    }
  }

  @Test func `What killed processes left is taken away after a day`() throws {
    try withFolder { folder in
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      for (name, age) in [
        ("a.json.1-2.partial", 100_000.0), ("b.json.1-2.partial", 10), ("c.partial", 100_000),
        ("d.json", 100_000),
        // Of another program that names files in a similar way.
        ("e.json.partial", 100_000), ("e.json.old.partial", 100_000),
        ("e.json.1-2.3.partial", 100_000), ("E.json.1-2.partial", 100_000),
        ("e.json.backup.1-2.partial", 100_000), ("e.json.1-x.partial", 100_000),
      ] {
        let file = folder.appendingPathComponent(name)
        try Data("1".utf8).write(to: file)
        try FileManager.default.setAttributes(
          [.modificationDate: Date(timeIntervalSinceNow: -age)], ofItemAtPath: file.path)
      }
      let storage = try FileStorage(folder: folder)
      try expectEqual(
        names(folder),
        [
          "E.json.1-2.partial", "b.json.1-2.partial", "c.partial", "d.json",
          "e.json.1-2.3.partial", "e.json.1-x.partial", "e.json.backup.1-2.partial",
          "e.json.old.partial", "e.json.partial",
        ])
      try expectEqual(storage.keys(), ["d"])
    }
  }

  @Test func `Remains of long keys are deleted as well`() throws {
    try withFolder { folder in
      let key = String(repeating: "/", count: 300)
      try FileStorage(folder: folder).set(1, for: key)
      let name = try #require(try names(folder).first)
      let file = folder.appendingPathComponent("\(name).12-34.partial")
      try Data("1".utf8).write(to: file)
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSinceNow: -100_000)], ofItemAtPath: file.path)
      _ = try FileStorage(folder: folder)
      try expectEqual(names(folder), [name])
    }
  }

  #if os(macOS) || os(Linux)
    @Test func `Who is told that a value was not written finds the one before`() async {
      await #expect(processExitsWith: .success) {
        try withFolder { folder in
          let storage = try FileStorage(folder: folder)
          try storage.set(1, for: "key")
          try OpenFiles.limit { expectNil((try? storage.set(2, for: "key"))) }
          try expectEqual(storage.value(for: "key"), 1)
        }
      }
    }
  #endif

  @Test func `Readers see whole values while several write`() throws {
    try withFolder { folder in
      let texts = (0..<4).map { String(repeating: "\($0)", count: 20_000) }
      try FileStorage(folder: folder).set(.string(texts[0]), for: "key")
      DispatchQueue.concurrentPerform(iterations: 8) { number in
        for _ in 0..<50 {
          do {
            let storage = try FileStorage(folder: folder)
            if number < 4 {
              try storage.set(.string(texts[number]), for: "key")
            } else {
              let text = try storage.value(for: "key")?.string
              expectEqual(text.map(texts.contains), true)
            }
          } catch {
            Issue.record(error)
          }
        }
      }
      try expectEqual(names(folder), ["key.json"])
    }
  }

  #if !canImport(Darwin)
    @Test func `Suites are where the specification says`() throws {
      try expectEqual(
        FileStorage.dataFolder(environment: ["XDG_DATA_HOME": "/data", "HOME": "/me"]).path,
        "/data")
      for relative in ["", "data"] {
        try expectEqual(
          FileStorage.dataFolder(
            environment: ["XDG_DATA_HOME": relative, "HOME": "/me"]
          ).path, "/me/.local/share")
      }
      #expect(throws: StorageError.self) { try FileStorage.dataFolder(environment: [:]) }
      #expect(throws: StorageError.badKey("")) { try FileStorage(suite: "") }
    }
  #endif
}

#if os(macOS) || os(Linux)
  private enum OpenFiles {
    /// Runs a body while one more file can be opened.
    static func limit(_ body: () throws -> Void) throws {
      let next = dup(0)
      close(next)
      #if canImport(Darwin)
        let resource = RLIMIT_NOFILE
      #else
        let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
      #endif
      var limits = rlimit()
      // SAFETY: the structure is ours.
      unsafe getrlimit(resource, &limits)
      let usual = limits.rlim_cur
      limits.rlim_cur = rlim_t(next) + 1
      unsafe setrlimit(resource, &limits)
      defer {
        limits.rlim_cur = usual
        unsafe setrlimit(resource, &limits)
      }
      try body()
    }
  }
#endif
