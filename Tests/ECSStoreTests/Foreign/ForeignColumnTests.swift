#if SQLite
  import ECS
  import ECSStore
  import GRDB
  import Testing

  /// Columns that migrations change in tables which views, triggers and references name.
  @Suite struct ForeignColumnTests {
    private func migrate(_ sql: String) throws -> OtherFile {
      let file = try OtherFile(sql)
      let authors = try Library.authors()
      let migration = Migration(to: 1) {
        try $0.changeColumn("name", to: ColumnDescription("name", .text, isNullable: true), in: "t")
      }
      try Store(
        at: .file(file.url), schema: Schema(version: 1, migrations: [migration]) { authors }
      ).close()
      return file
    }

    @Test func `views and triggers that name the table stay and work`() throws {
      let file = try migrate(
        """
        CREATE TABLE t(id INTEGER PRIMARY KEY, name TEXT NOT NULL); INSERT INTO t VALUES (1, 'a');
        CREATE TABLE o(x REFERENCES t); CREATE VIEW v AS SELECT name FROM t;
        CREATE TRIGGER tr AFTER INSERT ON o BEGIN UPDATE t SET name = new.x; END;
        CREATE TRIGGER own AFTER UPDATE ON t BEGIN SELECT 1; END
        """)
      try file.execute("INSERT INTO o VALUES (1); UPDATE t SET name = NULL WHERE id = 9")
      #expect(try file.rows("SELECT * FROM v") == ["'1'"])
      let names = try file.rows("SELECT name FROM sqlite_master WHERE type = 'trigger'")
      #expect(names.sorted() == ["'own'", "'tr'"])
    }

    @Test func `references stay deferrable or not, each by itself`() throws {
      let file = try migrate(
        """
        CREATE TABLE p(id INTEGER PRIMARY KEY);
        CREATE TABLE t(id INTEGER PRIMARY KEY, name TEXT NOT NULL DEFAULT ' REFERENCES ',
          a REFERENCES p(id) DEFERRABLE INITIALLY DEFERRED, b REFERENCES p,
          c REFERENCES p NOT DEFERRABLE INITIALLY DEFERRED, d,
          FOREIGN KEY (d) REFERENCES p(id) ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED)
        """)
      for (column, isDeferred) in [("a", true), ("b", false), ("c", false), ("d", true)] {
        let sql = "INSERT INTO t(id, \(column)) VALUES (1, 1); INSERT INTO p VALUES (1)"
        if isDeferred {
          try file.execute(sql, enforcing: true)
          try file.execute("DELETE FROM t; DELETE FROM p")
        } else {
          #expect(throws: DatabaseError.self) { try file.execute(sql, enforcing: true) }
        }
      }
    }

    @Test func `generated columns are not lost, also without the word`() throws {
      let sql =
        "CREATE TABLE t(id INTEGER PRIMARY KEY, name TEXT NOT NULL, shout TEXT AS (upper(name)) STORED)"
      guard case .migrationFailed(1, let reason)? = storeError({ _ = try migrate(sql) }) else {
        Issue.record("it was migrated")
        return
      }
      #expect(reason.contains("generated columns"))
    }
  }
#endif
