#if SQLite
  import ECS
  import ECSLocalStorage
  import ECSRecipes
  import ECSStore
  import ECSTestSupport
  import GRDB
  import Testing

  /// Entities whose key is a component of its own, and does not come with them.
  @Suite(.noHangs) struct KeylessTests {
    struct SheetID: Component, Equatable { var value = 0 }
    struct Sheet: Component, Equatable { var text = "" }
    struct Color: Component, Equatable { var name = "" }

    private static func recipe() throws -> Recipe {
      try Recipe("sheet") {
        Identity(\SheetID.value, at: "id", of: SheetID())
        Fields(of: Sheet()) { Field(\.text, at: "text") }
        Fields(of: Color()) { Field(\.name, at: "color") }
      }
    }

    /// A session of sheets by either of the tables that keep them, and of authors.
    private func session(_ isNamed: Bool) throws -> StoreSession {
      let (recipe, authors) = (try KeylessTests.recipe(), try Library.authors())
      let named = try ECSStore.Table(recipe, of: Sheet.self, key: \SheetID.value)
      let found = try ECSStore.Table(recipe, key: \SheetID.value)
      let schema = try Schema {
        if isNamed { named }
        if !isNamed { found }
        authors
      }
      return try Store(at: .memory, schema: schema).session()
    }

    @Test(arguments: [true, false])
    func `an entity without its key is no row, and saving says so`(isNamed: Bool) throws {
      let session = try session(isNamed)
      let sheet = session.context.createEntity(with: Sheet(text: "A"))
      session.context.createEntity(with: Author(id: 1))
      for _ in 1...2 {
        guard case .missingKey("sheet", let entity)? = storeError({ try session.save() }) else {
          Issue.record("it was said to be kept")
          return
        }
        expectTrue(entity == sheet && session.hasChanges)
      }
      try expectEqual(session.store.rows("SELECT count(*) FROM author"), ["0"])
      sheet.set(SheetID(value: 7))
      try expectEqual(session.save(), SaveReport(inserted: 2))
      let other = try session.store.session()
      let all = other.context.group(Sheet.matcher).map { $0.get(SheetID.self)?.value }
      expectTrue(all == [7] && !session.hasChanges)
    }

    @Test(arguments: [true, false])
    func `a row that loses its key is not deleted`(isNamed: Bool) throws {
      let session = try session(isNamed)
      let sheet = session.context.createEntity(with: Sheet(text: "A"), SheetID(value: 1))
      try session.save()
      sheet.remove(SheetID.self)
      guard case .missingKey? = storeError({ try session.save() }) else {
        Issue.record("it was said to be kept")
        return
      }
      session.context.createEntity(with: Sheet(text: "draft"))
      session.rollback()
      expectTrue(
        sheet.get(SheetID.self)?.value == 1 && session.context.group(Sheet.matcher).count == 1)
      try expectTrue(session.save() == SaveReport() && !session.hasChanges)
      sheet.destroy()
      try expectEqual(session.save(), SaveReport(deleted: 1))
    }

    @Test func `what another table keeps, and other components alone, need no key`() throws {
      let recipe = try KeylessTests.recipe()
      let sheets = try ECSStore.Table(recipe, key: \SheetID.value)
      let drafts = try ECSStore.Table("draft", of: Sheet.self) {
        Fields(of: Sheet()) { Field(\.text, at: "text") }
      }
      let schema = try Schema {
        sheets
        drafts
      }
      let store = try Store(at: .memory, schema: schema)
      let session = try store.session()
      session.context.createEntity(with: Sheet(text: "A"))
      session.context.createEntity(with: Color(name: "red"))
      try expectEqual(session.save(), SaveReport(inserted: 1))
      try expectEqual(store.rows("SELECT text FROM draft"), ["A"])
    }

    @Test func `keys beside the root find, load, link and delete rows`() throws {
      let sheets = try ECSStore.Table(KeylessTests.recipe(), of: Sheet.self, key: \SheetID.value)
      for table in [sheets, sheets.onRequest()] {
        let store = try Store(at: .memory, schema: Schema { table })
        try store.write {
          try $0.execute(sql: "INSERT INTO sheet(id, text) VALUES (1, 'A'), (2, 'B')")
        }
        let session = try store.session()
        let rows = session.repository(table)
        try expectEqual(rows.require(2).get(Sheet.self)?.text, "B")
        try rows.require(1).update(SheetID.self) { $0.value = 3 }
        try expectTrue(rows.delete(key: 2))
        try expectEqual(session.save(), SaveReport(updated: 1, deleted: 1))
        try expectEqual(store.rows("SELECT id, text FROM sheet"), ["3 A"])
      }
    }

    @Test func `a key beside the root must be the only field of its component`() throws {
      #expect(throws: SchemaError.self) {
        _ = try ECSStore.Table(
          Recipe("seat") {
            Fields(of: Seat()) {
              Field(\.row, at: "row")
              Field(\.number, at: "number")
            }
            Fields(of: Sheet()) { Field(\.text, at: "text") }
          }, of: Sheet.self, key: \Seat.row)
      }
    }

    @Test(arguments: ["named", "found", "storage"])
    func `each back end keeps all others and says which entity has no key`(kind: String)
      async throws
    {
      let recipe = try KeylessTests.recipe()
      let (named, found, authors) = (
        try ECSStore.Table(recipe, of: Sheet.self, key: \SheetID.value),
        try ECSStore.Table(recipe, key: \SheetID.value), try Library.authors()
      )
      let schema = try Schema {
        if kind == "named" { named }
        if kind != "named" { found }
        authors
      }
      let session = try Store(at: .memory, schema: schema).session()
      let mapper = Mapper(session.context)
      let backend: any EntityBackend =
        switch kind {
        case "named": StoreBackend(session, named, mapper: mapper)
        case "found": StoreBackend(session, found, mapper: mapper)
        default: StorageBackend(MemoryStorage(), recipe, mapper)
        }
      let sheet = session.context.createEntity(with: Sheet(text: "A"))
      let other = session.context.createEntity(with: Sheet(text: "B"), SheetID(value: 2))
      for body in [
        { try await backend.save(sheet) }, { try await backend.save([other, sheet]) },
      ] as [() async throws -> Any] {
        do {
          _ = try await body()
          Issue.record("it was said to be kept")
        } catch let error as BackendError {
          expectEqual(error.reason, .missingKey)
        }
      }
      try await expectEqual(backend.list().filter { $0.has(SheetID.self) }, [other])
      try await backend.keepNotes()
      if kind != "storage" {
        try expectEqual(session.store.rows("SELECT id FROM sheet"), ["2"])
        expectTrue(session.hasChanges)
      }
      sheet.set(SheetID(value: 1))
      try await backend.save(sheet)
      try await expectEqual(Set(backend.list()), [sheet, other])
    }
  }
#endif
