import ECSLocalStorage
import ECSRecipes
import ECSTestSupport
import Foundation
import Testing

/// What all storages promise.
@Suite(.longRunning, .noHangs) struct KeyValueStorageTests {
  enum Kind: CaseIterable, Sendable { case memory, files, defaults }

  /// Runs a body with a storage without values, and takes away what it leaves.
  private func withStorage(_ kind: Kind, _ body: (any KeyValueStorage) throws -> Void) throws {
    switch kind {
    case .memory: try body(MemoryStorage())
    case .files: try withFolder { try body(try FileStorage(folder: $0)) }
    case .defaults:
      let suite = "swift-ecs-tests-\(UUID().uuidString)"
      let storage = try UserDefaultsStorage(suite: suite)
      defer { UserDefaults(suiteName: suite)?.removePersistentDomain(forName: suite) }
      try body(storage)
    }
  }

  private static let values: [JSONValue] = [
    .null, true, false, 0, -1, 9_223_372_036_854_775_807, 18_446_744_073_709_551_615, 0.1, 1e300,
    "",
    "text", "a\u{0}b\u{1F600}", "42", "null", [], [1, [2, .null]], [:],
    ["b": 1, "a": ["c": ["\"": "\\"]]],
  ]

  @Test(arguments: Kind.allCases) func `Values come back as they were`(_ kind: Kind) throws {
    try withStorage(kind) { storage in
      try expectNil(storage.value(for: "key"))
      try expectFalse(storage.removeValue(for: "key"))
      for value in Self.values {
        try storage.set(value, for: "key")
        try expectEqual(storage.value(for: "key"), value)
      }
      try expectTrue(storage.removeValue(for: "key"))
      try expectFalse(storage.removeValue(for: "key"))
      try expectNil(storage.value(for: "key"))
      try expectEqual(storage.keys(), [])
    }
  }

  private static let keys = [
    "a", "A", "aa", "aA", " ", "/", "user/7", "..", ".", ".hidden", "a.json", "a~b", "%41", "%",
    "é",
    "ＡＢ", "日本", "con", "a\nb", "a\u{0}", "\\", ":", String(repeating: "long ", count: 100),
    String(repeating: "long ", count: 100) + "er", String(repeating: "é", count: 4_000),
  ]

  @Test(arguments: Kind.allCases) func `Any text but an empty one is a key`(_ kind: Kind) throws {
    try withStorage(kind) { storage in
      for (number, key) in Self.keys.enumerated() {
        if kind == .defaults, key.contains("\u{0}") { continue }
        try storage.set(.number(JSONNumber(number)), for: key)
      }
      for (number, key) in Self.keys.enumerated() {
        if kind == .defaults, key.contains("\u{0}") { continue }
        try expectEqual(storage.value(for: key), .number(JSONNumber(number)), "\(key)")
      }
      let kept = Self.keys.filter { kind != .defaults || !$0.contains("\u{0}") }
      try expectEqual(storage.keys(), kept.sorted())
      #expect(throws: StorageError.badKey("")) { try storage.value(for: "") }
      #expect(throws: StorageError.badKey("")) { try storage.set(1, for: "") }
      #expect(throws: StorageError.badKey("")) { try storage.removeValue(for: "") }
    }
  }

  @Test(arguments: Kind.allCases) func `Equal texts are one key`(_ kind: Kind) throws {
    try withStorage(kind) { storage in
      try storage.set(1, for: "e\u{301}")
      try expectEqual(storage.value(for: "\u{E9}"), 1)
      try storage.set(2, for: "\u{E9}")
      try expectEqual(storage.value(for: "e\u{301}"), 2)
      try expectEqual(storage.keys(), ["é"])
      try expectTrue(storage.removeValue(for: "e\u{301}"))
      try expectEqual(storage.keys(), [])
    }
  }

  @Test(arguments: Kind.allCases)
  func `Random programs leave what a dictionary has`(_ kind: Kind) throws {
    for seed in 0..<UInt64(kind == .memory ? 100 : Effort.full(3, debug: 1)) {
      try withStorage(kind) { storage in
        var random = SplitMix64(seed: seed)
        var expected: [String: JSONValue] = [:]
        for _ in 0..<60 {
          let key = Self.keys.filter { !$0.contains("\u{0}") }.randomElement(using: &random) ?? "a"
          let value = Self.values.randomElement(using: &random) ?? .null
          switch Int.random(in: 0..<4, using: &random) {
          case 0, 1:
            try storage.set(value, for: key)
            expected[key] = value
          case 2:
            let wasThere = expected.removeValue(forKey: key) != nil
            try expectEqual(storage.removeValue(for: key), wasThere)
          default: try expectEqual(storage.value(for: key), expected[key])
          }
        }
        try expectEqual(storage.keys(), expected.keys.sorted())
        for (key, value) in expected { try expectEqual(storage.value(for: key), value) }
      }
    }
  }

  @Test(arguments: [Kind.files, .defaults])
  func `What could not be read again is not written`(_ kind: Kind) throws {
    try withStorage(kind) { storage in
      var deep: JSONValue = 1
      for _ in 0...JSONValue.maximumDepth { deep = [deep] }
      try storage.set("before", for: "key")
      let tooDeep = deep
      #expect {
        try storage.set(tooDeep, for: "key")
      } throws: { error in
        if case .notWritten("key", _)? = error as? StorageError { true } else { false }
      }
      try expectEqual(storage.value(for: "key"), "before")
    }
  }

  @Test func `Defaults of earlier programs are read as far as JSON has them`() throws {
    let suite = "swift-ecs-tests-\(UUID().uuidString)"
    let defaults = try #require(UserDefaults(suiteName: suite))
    defer { defaults.removePersistentDomain(forName: suite) }
    defaults.set("plain text", forKey: "text")
    defaults.set(7, forKey: "number")
    defaults.set(0.5, forKey: "fraction")
    defaults.set(true, forKey: "flag")
    defaults.set(["a", "b"], forKey: "list")
    defaults.set(Data([1, 2]), forKey: "bytes")
    defaults.synchronize()
    let storage = try UserDefaultsStorage(suite: suite)
    try expectEqual(storage.value(for: "text"), "plain text")
    try expectEqual(storage.value(for: "number"), 7)
    try expectEqual(storage.value(for: "fraction"), 0.5)
    try expectEqual(storage.value(for: "flag"), true)
    try expectEqual(storage.value(for: "list"), ["a", "b"])
    #expect {
      try storage.value(for: "bytes")
    } throws: { error in
      if case .unreadable("bytes", _)? = error as? StorageError { true } else { false }
    }
    try expectEqual(storage.keys(), ["bytes", "flag", "fraction", "list", "number", "text"])
  }
}

/// Runs a body with a folder that is gone afterwards.
func withFolder(_ body: (URL) throws -> Void) throws {
  let folder = FileManager.default.temporaryDirectory
    .appendingPathComponent("swift-ecs-\(UUID().uuidString)", isDirectory: true)
  defer { try? FileManager.default.removeItem(at: folder) }
  try body(folder)
}
