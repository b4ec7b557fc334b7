#if SQLite
  import ECSTestSupport
  import ECS
  import ECSLocalStorage
  import ECSStore
  import Foundation
  import GRDB
  import Testing

  @Suite struct StorageTests {
    private let store: Store

    init() throws { store = try Store(at: .memory, schema: Library.schema()) }

    @Test func `Values of a store are a storage like any other`() throws {
      let storage: any KeyValueStorage = StoreStorage(store)
      try expectNil(storage.value(for: "a"))
      try expectFalse(storage.removeValue(for: "a"))
      try expectEqual(storage.keys(), [])
      let values: [JSONValue] = [
        .null, true, 1, -0.5, 18_446_744_073_709_551_615, "a\u{0}b", ["x": [1, "2", .null]], [:],
      ]
      let keys = ["a", "A", "b/c", "a\u{0}", "a\u{0}b", "\u{E9}", " ", "%"]
      for (key, value) in zip(keys, values) { try storage.set(value, for: key) }
      for (key, value) in zip(keys, values) {
        try expectEqual(storage.value(for: key), value, "\(key)")
      }
      try expectEqual(storage.keys(), keys.sorted())
      try storage.set(2, for: "e\u{301}")
      try expectEqual(storage.value(for: "\u{E9}"), 2)
      try expectEqual(store.values.value(for: "e\u{301}"), 2)
      try expectTrue(storage.removeValue(for: "e\u{301}"))
      try expectFalse(storage.removeValue(for: "\u{E9}"))
      try expectEqual(storage.keys(), keys.filter { $0 != "\u{E9}" }.sorted())
      #expect(throws: StorageError.badKey("")) { try storage.set(1, for: "") }
    }

    @Test func `What can't be kept or read is told, and what was kept stays`() throws {
      let storage = StoreStorage(store)
      try storage.set("before", for: "a")
      var deep: JSONValue = 1
      for _ in 0...JSONValue.maximumDepth { deep = [deep] }
      let tooDeep = deep
      #expect {
        try storage.set(tooDeep, for: "a")
      } throws: { error in
        if case .notWritten("a", _)? = error as? StorageError { true } else { false }
      }
      guard case .badValue("a", _)? = storeError({ try store.values.set(tooDeep, for: "a") }) else {
        Issue.record("not told")
        return
      }
      try expectEqual(storage.value(for: "a"), "before")
      try store.write { try $0.execute(sql: "UPDATE ecs_value SET value = '{'") }
      #expect {
        try storage.value(for: "a")
      } throws: { error in
        if case .unreadable("a", _)? = error as? StorageError { true } else { false }
      }
      try store.close()
      #expect(throws: StorageError.self) { try storage.keys() }
      #expect(throws: StorageError.self) { try storage.set(1, for: "a") }
    }

    @Test func `Entities are kept in a store by their recipes`() throws {
      let (context, storage) = (Context(), StoreStorage(store))
      let mapper = Mapper(context)
      let authors = try Library.authors().recipe
      let ada = context.createEntity(with: Author(id: 7, first: "Ada"))
      try mapper.save(ada, with: authors, to: storage)
      ada.set(Author(id: 7, first: "changed"))
      try expectTrue(mapper.load(ada, with: authors, from: storage))
      expectEqual(ada.get(Author.self)?.first, "Ada")
      withExtendedLifetime(context) {}
    }
  }
#endif
