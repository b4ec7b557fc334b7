#if SQLite
  import ECS
  import ECSRecipes
  import ECSStore
  import ECSTestSupport
  import Foundation
  import GRDB
  import Testing

  /// What opening a file of another program changes, and that it is nothing if the file is refused.
  @Suite(.noHangs) struct RefusalTests {
    struct Stop: Error {}

    /// A file in a folder of its own.
    private func file(_ sql: String, _ journal: String, in folder: Folder) throws -> Data {
      let queue = try DatabaseQueue(path: folder.file().path)
      try queue.writeWithoutTransaction { database in
        _ = try String.fetchOne(database, sql: "PRAGMA journal_mode = \(journal)")
        try database.execute(sql: sql)
        _ = try Row.fetchAll(database, sql: "PRAGMA wal_checkpoint(TRUNCATE)")
      }
      try queue.close()
      return try Data(contentsOf: folder.file())
    }

    private func schema(
      _ evolution: Schema.Evolution, _ migrations: [Migration] = []
    ) throws -> Schema {
      let authors = try Table("author", key: \Author.id) {
        Fields(of: Author()) {
          Field(\.id, at: "id")
          Field(\.first, at: "first")
        }
      } columns: {
        Column(\Author.first).indexed()
      }
      return try Schema(version: 3, evolution: evolution, migrations: migrations) { authors }
    }

    private static let authors =
      "CREATE TABLE author(id INTEGER PRIMARY KEY, first TEXT NOT NULL); INSERT INTO author VALUES (1, 'a');"

    @Test(arguments: ["DELETE", "WAL"], [Schema.Evolution.automatic, .manual, .adopting])
    func `a file that is refused stays as it was, and nothing is beside it`(
      journal: String, evolution: Schema.Evolution
    ) throws {
      let fails = [Migration(to: 3) { _ in throw Stop() }]
      let breaks = [
        Migration(to: 2) { try $0.execute("ALTER TABLE author ADD COLUMN more TEXT") },
        Migration(to: 3) { try $0.execute("DROP TABLE author") },
      ]
      for (sql, migrations) in [
        ("CREATE TABLE author(id INTEGER PRIMARY KEY, first INTEGER)", []),
        ("CREATE TABLE author(name TEXT PRIMARY KEY, first TEXT)", []),
        (RefusalTests.authors + "PRAGMA user_version = 9", []),
        (RefusalTests.authors + "PRAGMA user_version = 1", fails),
        (RefusalTests.authors + "PRAGMA user_version = 1", breaks),
        (RefusalTests.authors, []),
      ] as [(String, [Migration])] {
        let folder = try Folder()
        let before = try file(sql, journal, in: folder)
        let names = folder.names
        let schema = try schema(evolution, migrations)
        let error = storeError {
          try Store(at: .file(folder.file()), schema: schema).close()
        }
        let isAccepted =
          sql == RefusalTests.authors && evolution == .automatic
          || evolution == .adopting && sql.hasPrefix(RefusalTests.authors)
          || evolution == .automatic && !migrations.isEmpty && error == nil
        expectEqual((error == nil), isAccepted, "\(sql): \(String(describing: error))")
        if error != nil || evolution == .adopting {
          try expectEqual(Data(contentsOf: folder.file()), before, "\(sql)")
          expectEqual(folder.names, names, "\(sql): \(folder.names)")
        }
      }
    }

    @Test
    func `the evolution manual takes a file for the program's own, and leaves tables and rows`()
      throws
    {
      let sql = RefusalTests.authors + "CREATE INDEX author_first ON author(first);"
      for evolution in [Schema.Evolution.manual, .adopting] {
        let folder = try Folder()
        let before = try file(sql, "DELETE", in: folder)
        let store = try Store(at: .file(folder.file()), schema: schema(evolution))
        try expectEqual(store.session().loaded.rows, 1)
        try expectEqual(
          store.rows("SELECT name FROM sqlite_master ORDER BY name"),
          [
            "author", "author_first",
          ])
        try expectEqual(store.rows("SELECT * FROM author"), ["1 a"])
        try expectEqual(store.rows("PRAGMA user_version"), [evolution == .manual ? "3" : "0"])
        try expectEqual(
          store.rows("PRAGMA journal_mode"), [evolution == .manual ? "wal" : "delete"])
        expectEqual(store.missing.isEmpty, (evolution == .manual))
        try store.close()
        try expectEqual((Data(contentsOf: folder.file()) == before), (evolution == .adopting))
      }
    }
  }
#endif
