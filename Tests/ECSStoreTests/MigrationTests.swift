#if SQLite
  import ECS
  import ECSStore
  import ECSTestSupport
  import Foundation
  import GRDB
  import Synchronization
  import Testing

  /// The way from earlier versions of a file.
  @Suite struct MigrationTests {
    struct Boom: Error {}

    /// A schema of one table whose migrations add to what is there.
    private static func schema(
      _ version: Int, _ migrations: [Migration] = [], manual: Bool = false,
      will: (@Sendable (Int, Int) throws -> Void)? = nil,
      did: (@Sendable (Int, Int) -> Void)? = nil
    ) throws -> Schema {
      let table = try Table("log", of: LogLine.self) {
        Fields(of: LogLine()) { Field(\.text, at: "text") }
      }
      return try Schema(
        version: version, evolution: manual ? .manual : .automatic, migrations: migrations,
        willMigrate: will, didMigrate: did
      ) {
        table
      }
    }

    /// A file of version 1 with two lines.
    private static func firstVersion(_ folder: Folder) throws {
      let store = try Store(at: .file(folder.file()), schema: schema(1))
      try store.write { try $0.execute(sql: "INSERT INTO log (text) VALUES ('a'), ('b')") }
      try store.close()
    }

    private static func append(_ text: String) -> @Sendable (SchemaEditor) throws -> Void {
      { try $0.execute("UPDATE log SET text = text || ?", [text]) }
    }

    @Test func `steps are carried out in the order of their versions, once`() throws {
      let folder = try Folder()
      try Self.firstVersion(folder)
      let steps = [
        Migration(to: 4, Self.append("4")), Migration(to: 2, Self.append("2")),
        Migration(to: 3, Self.append("3")), Migration(to: 1, Self.append("1")),
      ]
      for _ in 0..<2 {
        let store = try Store(at: .file(folder.file()), schema: Self.schema(5, steps))
        try expectEqual(
          store.read { try String.fetchAll($0, sql: "SELECT text FROM log") },
          [
            "a234", "b234",
          ])
        try expectEqual(store.read { try Int.fetchOne($0, sql: "PRAGMA user_version") }, 5)
        try store.close()
      }
      expectEqual(folder.names, ["library.sqlite"])
    }

    @Test func `a new file runs none`() throws {
      let folder = try Folder()
      let hooks = Atomic(0)
      let schema = try Self.schema(
        3, [Migration(to: 2) { _ in throw Boom() }],
        will: { _, _ in hooks.add(1, ordering: .relaxed) },
        did: { _, _ in hooks.add(1, ordering: .relaxed) })
      let store = try Store(at: .file(folder.file()), schema: schema)
      try expectEqual(store.read { try Int.fetchOne($0, sql: "PRAGMA user_version") }, 3)
      expectEqual(hooks.load(ordering: .relaxed), 0)
      _ = try Store(at: .memory, schema: schema)
    }

    @Test func `hooks are told from where to where, before and after`() throws {
      let folder = try Folder()
      try Self.firstVersion(folder)
      let told = Mutex<[String]>([])
      let schema = try Self.schema(
        3, [Migration(to: 2) { _ in told.withLock { $0.append("step") } }],
        will: { from, to in told.withLock { $0.append("will \(from) \(to)") } },
        did: { from, to in told.withLock { $0.append("did \(from) \(to)") } })
      _ = try Store(at: .file(folder.file()), schema: schema)
      expectEqual(told.withLock { $0 }, ["will 1 3", "step", "did 1 3"])
    }

    @Test func `a step that throws takes all back, and the copy goes`() throws {
      let folder = try Folder()
      try Self.firstVersion(folder)
      let names = Mutex<[String]>([])
      let steps = [
        Migration(to: 2, Self.append("2")),
        Migration(to: 3) { _ in
          names.withLock { $0 = folder.names }
          throw Boom()
        },
      ]
      let schema = try Self.schema(3, steps)
      let error = storeError { _ = try Store(at: .file(folder.file()), schema: schema) }
      guard case .migrationFailed(version: 3, reason: "Boom()")? = error else {
        Issue.record("\(String(describing: error))")
        return
      }
      expectTrue(names.withLock { $0.contains("library.sqlite.before-migration") })
      expectEqual(folder.names, ["library.sqlite"])
      let store = try Store(at: .file(folder.file()), schema: Self.schema(1))
      try expectEqual(
        store.read { try String.fetchAll($0, sql: "SELECT text FROM log") }, ["a", "b"])
    }

    @Test func `a hook that throws lets nothing begin`() throws {
      let folder = try Folder()
      try Self.firstVersion(folder)
      let schema = try Self.schema(
        2, [Migration(to: 2, Self.append("2"))], will: { _, _ in throw Boom() })
      let error = storeError { _ = try Store(at: .file(folder.file()), schema: schema) }
      guard case .migrationFailed(version: 2, reason: "Boom()")? = error else {
        Issue.record("\(String(describing: error))")
        return
      }
      let store = try Store(at: .file(folder.file()), schema: Self.schema(1))
      try expectEqual(
        store.read { try String.fetchAll($0, sql: "SELECT text FROM log") }, ["a", "b"])
    }

    @Test func `wrong SQL in a step names the step`() throws {
      let folder = try Folder()
      try Self.firstVersion(folder)
      let schema = try Self.schema(2, [Migration(to: 2) { try $0.dropTable("nothing") }])
      let error = storeError { _ = try Store(at: .file(folder.file()), schema: schema) }
      guard case .migrationFailed(version: 2, reason: "no such table: nothing")? = error else {
        Issue.record("\(String(describing: error))")
        return
      }
    }

    @Test func `a step that ends the transaction is told`() throws {
      let folder = try Folder()
      try Self.firstVersion(folder)
      let schema = try Self.schema(2, [Migration(to: 2) { try $0.execute("ROLLBACK") }])
      let error = storeError { _ = try Store(at: .file(folder.file()), schema: schema) }
      guard case .migrationFailed(version: 2, _)? = error else {
        Issue.record("\(String(describing: error))")
        return
      }
    }

    @Test func `a row that refers to nothing is told at the end`() throws {
      let folder = try Folder()
      let tables = try Library.schema()
      try Store(at: .file(folder.file()), schema: tables).close()
      let (authors, books) = try (Library.authors(), Library.books())
      let schema = try Schema(
        version: 2,
        migrations: [
          Migration(to: 2) { try $0.execute("INSERT INTO book (isbn, publisher) VALUES ('1', 5)") }
        ]
      ) {
        authors
        books
      }
      let error = storeError { _ = try Store(at: .file(folder.file()), schema: schema) }
      guard case .schemaMismatch("book", _)? = error else {
        Issue.record("\(String(describing: error))")
        return
      }
    }

    @Test func `versions that can't be are told when the schema is made`() throws {
      #expect(throws: SchemaError.self) { _ = try Self.schema(2, [Migration(to: 3) { _ in }]) }
      #expect(throws: SchemaError.self) { _ = try Self.schema(2, [Migration(to: 0) { _ in }]) }
      do throws(SchemaError) {
        _ = try Schema(
          version: 2, migrations: [Migration(to: 2) { _ in }, Migration(to: 2) { _ in }]
        ) {}
        Issue.record("not told")
      } catch {
        expectEqual(error.reason, .duplicateMigration(2))
      }
    }

    // MARK: What steps can do

    /// Runs a step on a file with a table of people and one that refers to it.
    private static func migrated(
      in folder: Folder, _ step: @escaping @Sendable (SchemaEditor) throws -> Void
    ) throws -> Store {
      let queue = try DatabaseQueue(path: folder.file().path)
      try queue.write {
        try $0.execute(
          sql: """
            CREATE TABLE person (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT, age TEXT);
            CREATE UNIQUE INDEX person_name ON person (name);
            CREATE TABLE pet (id TEXT PRIMARY KEY, owner INTEGER NOT NULL REFERENCES person (id) ON DELETE CASCADE, UNIQUE (owner, id));
            INSERT INTO person VALUES (1, 'Ada', '36'), (2, 'Bob', NULL), (3, 'Cy', 'x');
            DELETE FROM person WHERE id = 3;
            INSERT INTO pet VALUES ('Rex', 1), ('Tom', 2);
            """)
      }
      try queue.close()
      let schema = try Self.schema(2, [Migration(to: 2, step)])
      return try Store(at: .file(folder.file()), schema: schema)
    }

    private static func rows(_ store: Store, _ sql: String) throws -> [Row] {
      try store.read { try Row.fetchAll($0, sql: sql) }
    }

    @Test func `columns are added, renamed and dropped`() throws {
      let folder = try Folder()
      let store = try Self.migrated(in: folder) { schema in
        try schema.addColumn(
          ColumnDescription("level", .integer, isNullable: false, defaultValue: .integer(3)),
          to: "person")
        try schema.addColumn(ColumnDescription("mail", .text, isUnique: true), to: "person")
        try schema.renameColumn("age", to: "years", in: "person")
        try schema.dropColumn("name", in: "person")
      }
      try expectEqual(
        Self.rows(store, "SELECT * FROM person"),
        [
          ["id": 1, "years": "36", "level": 3, "mail": nil],
          ["id": 2, "years": nil, "level": 3, "mail": nil],
        ])
      #expect(throws: DatabaseError.self) {
        try store.write { try $0.execute(sql: "UPDATE person SET mail = 'same'") }
      }
    }

    @Test func `a changed column converts its values, and leaves all else`() throws {
      let folder = try Folder()
      let store = try Self.migrated(in: folder) { schema in
        try schema.changeColumn(
          "age",
          to: ColumnDescription("years", .integer, isNullable: false, defaultValue: .integer(7)),
          in: "person")
      }
      try expectEqual(
        Self.rows(store, "SELECT * FROM person"),
        [
          ["id": 1, "name": "Ada", "years": 36], ["id": 2, "name": "Bob", "years": 7],
        ])
      // References, their rules, indexes and the numbers that were given out are as they were.
      try expectEqual(Self.rows(store, "SELECT * FROM pet").count, 2)
      try store.write { database in
        try database.execute(sql: "INSERT INTO person (name) VALUES ('Dan')")
        expectEqual(database.lastInsertedRowID, 4)
        #expect(throws: DatabaseError.self) {
          try database.execute(sql: "INSERT INTO person (name) VALUES ('Dan')")
        }
        #expect(throws: DatabaseError.self) {
          try database.execute(sql: "UPDATE person SET years = NULL")
        }
        try database.execute(sql: "DELETE FROM person WHERE id = 1")
      }
      try expectEqual(Self.rows(store, "SELECT id FROM pet"), [["id": "Tom"]])
    }

    @Test func `a table with text keys and references is made anew as it was`() throws {
      let folder = try Folder()
      let store = try Self.migrated(in: folder) { schema in
        try schema.changeColumn(
          "owner", to: ColumnDescription("owner", .integer, isNullable: true), in: "pet")
      }
      try expectEqual(
        Self.rows(store, "SELECT rowid AS row, * FROM pet"),
        [
          ["row": 1, "id": "Rex", "owner": 1], ["row": 2, "id": "Tom", "owner": 2],
        ])
      try store.write { database in
        try database.execute(sql: "INSERT INTO pet VALUES ('Ann', NULL)")
        #expect(throws: DatabaseError.self) {
          try database.execute(sql: "INSERT INTO pet VALUES ('Rex', 2)")
        }
        try database.execute(sql: "DELETE FROM person")
      }
      try expectEqual(Self.rows(store, "SELECT id FROM pet"), [["id": "Ann"]])
    }

    @Test func `tables are renamed and dropped`() throws {
      let folder = try Folder()
      let store = try Self.migrated(in: folder) { schema in
        try schema.renameTable("person", to: "human")
        try schema.execute("CREATE TABLE extra (a)")
        try schema.dropTable("extra")
      }
      try expectEqual(
        Self.rows(store, "SELECT name FROM pet JOIN human ON owner = human.id ORDER BY name"),
        [["name": "Ada"], ["name": "Bob"]])
      try expectEqual(store.read { try $0.tableExists("extra") }, false)
    }

    @Test func `a manual schema refuses what its migrations have not made`() throws {
      let folder = try Folder()
      try DatabaseQueue(path: folder.file().path).write {
        try $0.execute(sql: "CREATE TABLE other (a)")
      }
      let step: @Sendable (SchemaEditor) throws -> Void = { editor in
        try editor.execute("CREATE TABLE log (ecs_row INTEGER PRIMARY KEY)")
      }
      let short = try Self.schema(2, [Migration(to: 2, step)], manual: true)
      let error = storeError { _ = try Store(at: .file(folder.file()), schema: short) }
      guard case .schemaMismatch("log", "the column text is missing")? = error else {
        Issue.record("\(String(describing: error))")
        return
      }
      let whole = try Self.schema(
        3,
        [
          Migration(to: 2, step),
          Migration(to: 3) {
            try $0.addColumn(
              ColumnDescription("text", .text, isNullable: false, defaultValue: .text("")),
              to: "log")
          },
        ], manual: true)
      _ = try Store(at: .file(folder.file()), schema: whole)
    }

    @Test func `two that open an old file at once migrate it once`() throws {
      let folder = try Folder()
      try Self.firstVersion(folder)
      let schema = try Self.schema(2, [Migration(to: 2, Self.append("2"))])
      let failures = Mutex<[String]>([])
      DispatchQueue.concurrentPerform(iterations: 4) { _ in
        do {
          let store = try Store(at: .file(folder.file()), schema: schema)
          _ = try store.read { try Int.fetchOne($0, sql: "SELECT 1") }
        } catch {
          failures.withLock { $0.append("\(error)") }
        }
      }
      expectEqual(failures.withLock { $0 }, [])
      let store = try Store(at: .file(folder.file()), schema: schema)
      try expectEqual(
        store.read { try String.fetchAll($0, sql: "SELECT text FROM log") }, ["a2", "b2"])
    }

    @Test func `a step can make a table of its own for what was a column`() throws {
      struct Patient: Component, Equatable {
        var id = 0
        var name = ""
      }
      struct Address: Component, Equatable {
        var patient = 0
        var street = ""
      }
      let patients = try Table("patient", key: \Patient.id) {
        Fields(of: Patient()) {
          Field(\.id, at: "id")
          Field(\.name, at: "name")
        }
      }
      let addresses = try Table("address", key: \Address.patient) {
        Fields(of: Address()) {
          Field(\.patient, at: "patient_id")
          Field(\.street, at: "street")
        }
      }
      let folder = try Folder()
      let old = try Store(at: .file(folder.file()), schema: Schema(version: 3) { patients })
      try old.write {
        try $0.execute(
          sql: """
            ALTER TABLE patient ADD COLUMN street TEXT;
            INSERT INTO patient VALUES (1, 'Ada', 'Main Street'), (2, 'Bob', NULL)
            """)
      }
      try old.close()
      let made =
        "CREATE TABLE address (patient_id INTEGER PRIMARY KEY NOT NULL, street TEXT NOT NULL DEFAULT '') STRICT"
      let step = Migration(to: 4) {
        try $0.execute(made)
        try $0.execute("INSERT INTO address SELECT id, coalesce(street, '') FROM patient")
        try $0.dropColumn("street", in: "patient")
      }
      let schema = try Schema(version: 4, migrations: [step]) {
        patients
        addresses
      }
      let store = try Store(at: .file(folder.file()), schema: schema)
      expectTrue(store.missing.isEmpty)
      try expectEqual(store.rows("SELECT * FROM patient"), ["1 Ada", "2 Bob"])
      let session = try store.session()
      try expectEqual(
        session.repository(addresses).require(1).get(Address.self)?.street, "Main Street")
      try expectEqual(session.repository(addresses).require(2).get(Address.self)?.street, "")
      try session.repository(addresses).create(Address(patient: 3, street: "New"))
      try expectEqual(session.save(), SaveReport(inserted: 1))
      let new = try Store(at: .memory, schema: schema)
      let columns =
        "SELECT name, type, \"notnull\", dflt_value, pk FROM pragma_table_info('address')"
      try expectEqual(store.rows(columns), new.rows(columns))
      try store.close()
    }
  }
#endif
