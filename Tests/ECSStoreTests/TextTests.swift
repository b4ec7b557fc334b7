#if SQLite
  import ECS
  import ECSLocalStorage
  import ECSRecipes
  import ECSStore
  import ECSTestSupport
  import GRDB
  import Testing

  /// Texts that look the same and have other bytes.
  @Suite(.noHangs) struct TextTests {
    struct Word: Component, Equatable {
      var id = ""
      var text = ""
      var note: String?
      var tags: [String] = []
    }
    struct Pen: Component, Codable, Equatable { var name = "" }

    /// The angstrom and the letter have as many bytes as their twins, in another order.
    static let twins = [("\u{e9}", "e\u{301}"), ("a\u{323}\u{307}", "a\u{307}\u{323}")]

    static func words() throws -> ECSStore.Table<Word, String> {
      try Table("word", key: \Word.id) {
        Fields(of: Word()) {
          Field(\.id, at: "id")
          Field(\.text, at: "text")
          Field(\.note, at: "note")
          Field(\.tags, at: "tags")
        }
        AutomaticFields(of: Pen())
      }
    }

    private func session(_ table: ECSStore.Table<Word, String>, _ sql: String = "") throws
      -> StoreSession
    {
      let store = try Store(at: .memory, schema: Schema { table })
      try store.write { try $0.execute(sql: sql) }
      return try store.session(merging: .manual)
    }

    private func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

    @Test(arguments: twins, [true, false])
    func `keys are found, changed and deleted by their bytes`(
      twins: (String, String), isOnRequest: Bool
    ) throws {
      let table = try isOnRequest ? TextTests.words().onRequest() : TextTests.words()
      let session = try session(
        table,
        """
        INSERT INTO word (id, text, tags) VALUES ('\(twins.0)', 'first', '[]'), ('\(twins.1)', 'second', '[]')
        """)
      let rows = session.repository(table)
      try expectEqual(rows.require(twins.1).get(Word.self)?.text, "second")
      try expectEqual(rows.require(twins.0).get(Word.self)?.text, "first")
      rows.upsert(Word(id: twins.1, text: "third"))
      try expectEqual(session.save(), SaveReport(updated: 1))
      try expectEqual(
        session.store.rows("SELECT text FROM word ORDER BY rowid"), ["first", "third"])
      try expectTrue(rows.delete(key: twins.1))
      expectNil(rows.find(twins.1))
      try session.save()
      try expectEqual(session.store.rows("SELECT text FROM word"), ["first"])
      try rows.create(Word(id: twins.1, text: "again"))
      try expectEqual(session.save(), SaveReport(inserted: 1))
      #expect(throws: StoreError.self) { try rows.create(Word(id: twins.1)) }
    }

    @Test(arguments: twins)
    func `a text that gets other bytes is a change, which is saved and merged`(
      twins: (String, String)
    ) throws {
      let table = try TextTests.words()
      let session = try session(table)
      let rows = session.repository(table)
      let word = try rows.create(
        Word(id: "1", text: twins.0, note: twins.0, tags: [twins.0])
      ) { $0.set(Pen(name: twins.0)) }
      try session.save()
      let other = try session.store.session(merging: .manual)
      let same = try #require(other.repository(table).find("1"))
      word.update(Word.self) { $0.text = twins.1 }
      try expectEqual(session.save(), SaveReport(updated: 1))
      word.update(Word.self) { $0.note = twins.1 }
      try expectEqual(session.save(), SaveReport(updated: 1))
      word.update(Word.self) { $0.tags = [twins.1] }
      try expectEqual(session.save(), SaveReport(updated: 1))
      word.set(Pen(name: twins.1))
      try expectEqual(session.save(), SaveReport(updated: 1))
      try other.refresh()
      let merged = try #require(same.get(Word.self))
      expectTrue(bytes(merged.text) == bytes(twins.1) && bytes(merged.note ?? "") == bytes(twins.1))
      expectEqual(bytes(merged.tags[0]), bytes(twins.1))
      expectEqual(bytes(same.get(Pen.self)?.name ?? ""), bytes(twins.1))
      word.update(Word.self) { $0.text = twins.0 }
      session.rollback()
      expectEqual(bytes(word.get(Word.self)?.text ?? ""), bytes(twins.1))
      rows.upsert(Word(id: "1", text: twins.0, note: twins.1, tags: [twins.1]))
      try expectEqual(session.save(), SaveReport(updated: 1))
      try expectEqual(rows.count(where: { $0.text == twins.0 }), 1)
      try expectEqual(rows.count(where: { $0.text == twins.1 || $0.text.isIn([twins.1]) }), 0)
    }

    @Test(arguments: twins, ["store", "on request", "storage"])
    func `each back end keeps entities by the bytes of their keys`(
      twins: (String, String), kind: String
    ) async throws {
      let table = try Table(
        Recipe("word") {
          Identity(\Word.id)
          Fields(of: Word()) {
            Field(\.id, at: "id")
            Field(\.text, at: "text")
          }
        }, key: \Word.id)
      let used = kind == "on request" ? table.onRequest() : table
      let store = try Store(at: .memory, schema: Schema { used })
      let storage = MemoryStorage()
      func backend() throws -> any EntityBackend {
        if kind == "storage" { return StorageBackend(storage, table.recipe, Mapper(Context())) }
        return StoreBackend(try store.session(merging: .manual), used)
      }
      let first = try backend()
      for (key, text) in [(twins.0, "one"), (twins.1, "two")] {
        let word = first.context.createEntity(with: Word(id: key, text: text))
        try await first.save(word)
      }
      let next = try backend()
      expectEqual(
        Set(try await next.list().compactMap { $0.get(Word.self)?.text }), ["one", "two"])
      let second = try await next.fetch(key: .string(twins.1))
      expectEqual(second.get(Word.self)?.text, "two")
      expectEqual(bytes(second.get(Word.self)?.id ?? ""), bytes(twins.1))
      second.update(Word.self) { $0.text = "three" }
      try await next.save(second)
      try await expectEqual(first.fetch(key: .string(twins.0)).get(Word.self)?.text, "one")
      try await next.delete(key: .string(twins.1))
      let last = try backend()
      let left = try await last.list()
      expectEqual(left.map { $0.get(Word.self)?.text }, ["one"])
      expectEqual(bytes(left.first?.get(Word.self)?.id ?? ""), bytes(twins.0))
    }

    @Test(arguments: twins)
    func `unique texts change places, and storages keep the bytes`(twins: (String, String))
      async throws
    {
      let table = try Table("word", key: \Word.id) {
        Fields(of: Word()) {
          Field(\.id, at: "id")
          Field(\.text, at: "text")
        }
      } columns: {
        Column(\Word.text).unique()
      }
      let session = try session(
        table,
        "INSERT INTO word VALUES ('1', '\(twins.0)'), ('2', '\(twins.1)')")
      let rows = session.repository(table)
      let (one, two) = (try rows.require("1"), try rows.require("2"))
      session.context.perform {
        one.update(Word.self) { $0.text = twins.1 }
        two.update(Word.self) { $0.text = twins.0 }
      }
      try expectEqual(session.save(), SaveReport(updated: 2))
      let (storage, mapper) = (MemoryStorage(), Mapper(session.context))
      let backend = StorageBackend(storage, table.recipe, mapper)
      for text in [twins.0, twins.1] {
        one.update(Word.self) { $0.text = text }
        try await backend.save(one)
        let kept = try storage.value(for: "word/1")?["text"]?.string
        expectEqual(bytes(kept ?? ""), bytes(text))
        // What comes as data is applied.
        one.update(Word.self) { $0.text = "x" }
        one.update(Word.self) { $0.text = text == twins.0 ? twins.1 : twins.0 }
        try await backend.fetch(one)
        expectEqual(bytes(one.get(Word.self)?.text ?? ""), bytes(text))
      }
    }
  }
#endif
