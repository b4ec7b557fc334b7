#if SQLite
  import ECS
  import ECSRecipes
  import ECSStore
  import ECSTestSupport
  import Foundation
  import Testing

  /// Where files are, how long they have to be, and values that have no form in them.
  @Suite struct FileTests {
    struct Event: Component, Equatable {
      var id = 0
      var at: Date?
      var when: Date?
    }

    @Test func `a file that was cut is damaged, and stays as it is`() throws {
      let folder = try Folder()
      let whole = try Data(contentsOf: folder.filled())
      for size in [whole.count - 1, whole.count / 2, 4097, 4096, 512, 100] {
        let cut = folder.file("cut-\(size)")
        try whole.prefix(size).write(to: cut)
        guard
          case .corrupt(cut.path, _)? = storeError({
            _ = try Store(at: .file(cut), schema: Library.schema())
          })
        else {
          Issue.record("\(size) bytes were taken for the whole")
          continue
        }
        try expectEqual(Data(contentsOf: cut), whole.prefix(size))
        expectFalse(folder.names.contains("cut-\(size)-wal"))
      }
    }

    @Test func `a default place is made, and a missing folder is named`() throws {
      let place = try Store.defaultURL(suite: "ecs-store-tests")
      expectEqual(place.deletingLastPathComponent().lastPathComponent, "ecs-store-tests")
      defer { try? FileManager.default.removeItem(at: place.deletingLastPathComponent()) }
      let schema = try Library.schemaOfAuthors()
      try Store(at: .file(place), schema: schema).close()
      expectTrue(FileManager.default.fileExists(atPath: place.path))
      #expect(throws: StoreError.self) { try Store.defaultURL(suite: "") }
      let folder = try Folder()
      let missing = folder.file("none/library.sqlite")
      guard
        case .cannotOpen(_, let reason)? = storeError({
          _ = try Store(at: .file(missing), schema: schema)
        })
      else {
        Issue.record("it was opened")
        return
      }
      expectTrue(reason.contains(folder.file("none").path))
    }

    @Test(arguments: [Double.nan, .infinity, -.infinity, 1e300])
    func `dates that have no form are errors`(seconds: Double) throws {
      for transformer in [
        Transformer<Date>.secondsSince1970, .millisecondsSince1970, .iso8601,
        .date(format: "yyyy-MM-dd"),
      ] {
        let table = try Table("event", key: \Event.id) {
          Fields(of: Event()) {
            Field(\.id, at: "id")
            Field(\.at, at: "at", as: transformer)
          }
        }
        let session = try Store(at: .memory, schema: Schema { table }).session()
        let date = Date(timeIntervalSince1970: seconds)
        let event = try session.repository(table).create(Event(id: 1, at: date))
        let mapper = Mapper(session.context)
        let written = try? mapper.decompose(event, with: table.recipe)
        let error = storeError { try session.save() }
        if seconds.isNaN {
          guard case .unstorable("event", "at", event, _)? = error else {
            Issue.record("\(String(describing: error))")
            continue
          }
          expectNil(written)
        }
      }
    }
  }
#endif
