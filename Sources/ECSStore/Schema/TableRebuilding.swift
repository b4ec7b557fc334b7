#if SQLite
  import GRDB

  /// Makes a table anew with another declaration of one column, as SQLite advises: new table,
  /// copied rows, old table dropped, new one renamed.
  ///
  /// Foreign keys must not be enforced meanwhile, which is so within migrations.
  struct TableRebuilding {
    private let database: Database
    private let table: String

    init(_ database: Database, _ table: String) throws {
      (self.database, self.table) = (database, table)
    }

    func changeColumn(_ name: String, to column: ColumnDescription) throws {
      if name != column.name {
        // Indexes, triggers, references and generated columns learn the name by this.
        try database.execute(
          sql:
            "ALTER TABLE \(SQLText.name(table)) RENAME COLUMN \(SQLText.name(name)) TO \(SQLText.name(column.name))"
        )
      }
      let old = try TableDeclaration(database, table)
      guard let index = old.index(of: column.name) else {
        throw DatabaseError(message: "no column \(name) in table \(table)")
      }
      try rebuild(old, index, column)
    }

    /// The columns that are copied, and what is copied into them.
    private func copied(
      _ old: TableDeclaration, _ position: Int, _ column: ColumnDescription
    ) throws -> (names: [String], values: [String]) {
      var names: [String] = []
      var values: [String] = []
      for (index, other) in old.columns.enumerated() where !other.isGenerated {
        let name = SQLText.name(other.name)
        names.append(name)
        guard index == position else {
          values.append(name)
          continue
        }
        var value = "CAST(\(name) AS \(column.type.rawValue))"
        if !column.isNullable, let standard = column.defaultValue.flatMap(SQLText.literal) {
          value = "COALESCE(\(value), \(standard))"
        }
        values.append(value)
      }
      if try keepsRowNumbers(old) {
        names.append("rowid")
        values.append("rowid")
      }
      return (names, values)
    }

    /// Whether rows have numbers that no column shows.
    private func keepsRowNumbers(_ old: TableDeclaration) throws -> Bool {
      guard old.hasRowNumbers, old.index(of: "rowid") == nil else { return false }
      let key = try String.fetchAll(
        database, sql: "SELECT upper(type) FROM pragma_table_info(?) WHERE pk > 0",
        arguments: [table])
      return key != ["INTEGER"]
    }

    private func rebuild(
      _ old: TableDeclaration, _ position: Int, _ column: ColumnDescription
    ) throws {
      let others = try String.fetchAll(
        database,
        sql:
          "SELECT sql FROM sqlite_master WHERE lower(tbl_name) = ? AND type IN ('index', 'trigger') AND sql NOT NULL",
        arguments: [table.lowercased()])
      let sequence =
        try old.isNumbered
        ? Int64.fetchOne(
          database, sql: "SELECT seq FROM sqlite_sequence WHERE lower(name) = ?",
          arguments: [table.lowercased()]) : nil
      let new = "ecs_new_\(table)"
      let (names, values) = try copied(old, position, column)
      try database.execute(sql: old.statement(named: new, position, as: column))
      try database.execute(
        sql:
          "INSERT INTO \(SQLText.name(new)) (\(names.joined(separator: ", "))) SELECT \(values.joined(separator: ", ")) FROM \(SQLText.name(table))"
      )
      // Views and triggers that name the table would make the renaming fail, since there is none
      // for a moment.
      let isLegacy = try Bool.fetchOne(database, sql: "PRAGMA legacy_alter_table") ?? false
      try database.execute(sql: "PRAGMA legacy_alter_table = ON")
      defer {
        if !isLegacy { try? database.execute(sql: "PRAGMA legacy_alter_table = OFF") }
      }
      try database.execute(sql: "DROP TABLE \(SQLText.name(table))")
      try database.execute(
        sql: "ALTER TABLE \(SQLText.name(new)) RENAME TO \(SQLText.name(table))")
      for sql in others { try database.execute(sql: sql) }
      if let sequence {
        // No key comes twice, be it that its row is gone.
        try database.execute(
          sql: "DELETE FROM sqlite_sequence WHERE lower(name) = ?", arguments: [table.lowercased()])
        try database.execute(
          sql: "INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)",
          arguments: [table, sequence])
      }
    }
  }
#endif
