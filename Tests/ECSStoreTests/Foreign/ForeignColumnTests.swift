#if SQLite
  import ECSTestSupport
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
      try expectEqual(file.rows("SELECT * FROM v"), ["'1'"])
      let names = try file.rows("SELECT name FROM sqlite_master WHERE type = 'trigger'")
      expectEqual(names.sorted(), ["'own'", "'tr'"])
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

    @Test func `generated columns, checks, collations and keys stay as they were declared`() throws
    {
      let file = try migrate(
        """
        CREATE TABLE "t" ( -- its (own) comment, with a comma
          id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, /* ) */
          name TEXT CONSTRAINT given NOT NULL ON CONFLICT ABORT DEFAULT 'a, (b' COLLATE NOCASE
            CHECK (name <> ')' AND length(name) <= 9) UNIQUE REFERENCES p(name) ON DELETE SET NULL
            ON UPDATE SET DEFAULT NOT DEFERRABLE,
          [ho t] INTEGER AS (length(name) >= 2) STORED, shout TEXT GENERATED ALWAYS AS (upper(name)) VIRTUAL,
          "q""uoted" TEXT DEFAULT 'x' NOT NULL, CONSTRAINT both UNIQUE (name, "q""uoted") -- last
          ) STRICT;
        CREATE TABLE p(name TEXT PRIMARY KEY); INSERT INTO p VALUES ('ab'), ('c');
        CREATE INDEX shouted ON t(shout); CREATE VIEW v AS SELECT shout FROM t;
        INSERT INTO t(id, name) VALUES (7, 'ab');
        """)
      try expectEqual(
        file.rows("SELECT id, name, [ho t], shout, \"q\"\"uoted\" AS q FROM t"),
        ["7 'ab' 1 'AB' 'x'"])
      try expectEqual(file.rows("SELECT * FROM v"), ["'AB'"])
      try expectEqual(
        file.rows("SELECT on_delete, on_update FROM pragma_foreign_key_list('t')"),
        ["'SET NULL' 'SET DEFAULT'"])
      try file.execute("INSERT INTO t(name) VALUES (NULL), ('c')")
      try expectEqual(
        file.rows("SELECT id, shout FROM t ORDER BY id"), ["7 'AB'", "8 NULL", "9 'C'"])
      for refused in [
        "INSERT INTO t(name) VALUES ('AB')", "INSERT INTO t(name) VALUES (')')",
        "INSERT INTO t(name) VALUES ('0123456789')", "UPDATE t SET shout = 'x'",
        "INSERT INTO t(name, \"q\"\"uoted\") VALUES ('z', NULL)", "INSERT INTO t(id) VALUES ('x')",
      ] {
        #expect(throws: DatabaseError.self, "\(refused)") { try file.execute(refused) }
      }
    }

    @Test func `a generated column may get another type, and a key without row numbers stays one`()
      throws
    {
      let file = try migrate(
        """
        CREATE TABLE t(a DECIMAL(10, 2), b TEXT, name INTEGER NOT NULL AS (a * 2), PRIMARY KEY (a, b)) WITHOUT ROWID;
        INSERT INTO t VALUES (1, 'x'), (2, 'y')
        """)
      try expectEqual(file.rows("SELECT a, b, name FROM t"), ["1 'x' '2'", "2 'y' '4'"])
      #expect(throws: DatabaseError.self) { try file.execute("INSERT INTO t VALUES (1, 'x')") }
      #expect(throws: DatabaseError.self) { try file.rows("SELECT rowid FROM t") }
    }

    @Test func `what is no table of its own is left alone`() throws {
      for sql in ["CREATE VIRTUAL TABLE t USING fts5(name)", "CREATE VIEW t AS SELECT 1 AS name"] {
        let file = try OtherFile(sql)
        let authors = try Library.authors()
        let migration = Migration(to: 1) {
          try $0.changeColumn("name", to: ColumnDescription("name", .blob), in: "t")
        }
        let error = storeError {
          _ = try Store(
            at: .file(file.url), schema: Schema(version: 1, migrations: [migration]) { authors })
        }
        guard case .migrationFailed(1, _)? = error else {
          Issue.record("\(sql): \(String(describing: error))")
          continue
        }
        try expectEqual(
          file.rows("SELECT count(*) AS n FROM sqlite_master WHERE name = 't'"), ["1"])
      }
    }
  }
#endif
