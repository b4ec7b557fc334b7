#if SQLite
  import GRDB

  /// Makes a table anew with another declaration of one column, as SQLite advises: new table, copied rows,
  /// old table dropped, new one renamed.
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
        // Indexes, triggers and references learn the name by this.
        try database.execute(
          sql:
            "ALTER TABLE \(SQLText.name(table)) RENAME COLUMN \(SQLText.name(name)) TO \(SQLText.name(column.name))"
        )
      }
      let old = try Declaration(database, table)
      guard
        let place = old.columns.firstIndex(where: {
          $0.name.lowercased() == column.name.lowercased()
        })
      else { throw DatabaseError(message: "no column \(name) in table \(table)") }
      var columns = old.columns
      columns[place].type = column.type.rawValue
      columns[place].isNotNull = !column.isNullable
      columns[place].defaultSQL = column.defaultValue.flatMap(SQLText.literal)
      var values = columns.map { SQLText.name($0.name) }
      values[place] = "CAST(\(values[place]) AS \(column.type.rawValue))"
      if !column.isNullable, let value = columns[place].defaultSQL {
        values[place] = "COALESCE(\(values[place]), \(value))"
      }
      try rebuild(old, columns, values)
    }

    private func rebuild(
      _ old: Declaration, _ columns: [Declaration.Column], _ values: [String]
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
      try database.execute(sql: old.statement(named: new, columns))
      var names = columns.map { SQLText.name($0.name) }
      var values = values
      if old.keepsRowNumbers {
        names.append("rowid")
        values.append("rowid")
      }
      try database.execute(
        sql:
          "INSERT INTO \(SQLText.name(new)) (\(names.joined(separator: ", "))) SELECT \(values.joined(separator: ", ")) FROM \(SQLText.name(table))"
      )
      // Views and triggers that name the table would make the renaming fail, since there is none for a moment.
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

  /// What SQLite tells of a table's declaration.
  private struct Declaration {
    struct Column {
      var name: String
      var type: String
      var isNotNull: Bool
      var defaultSQL: String?
      var keyPlace: Int
    }

    var columns: [Column] = []
    private var references: [String] = []
    private var uniques: [[String]] = []
    private var isStrict: Bool
    private var hasRowNumbers: Bool
    let isNumbered: Bool

    init(_ database: Database, _ table: String) throws {
      guard
        let sql = try String.fetchOne(
          database, sql: "SELECT sql FROM sqlite_master WHERE type = 'table' AND lower(name) = ?",
          arguments: [table.lowercased()])
      else { throw DatabaseError(message: "no such table: \(table)") }
      let words = Set(sql.uppercased().split { !$0.isLetter && $0 != "_" }.map(String.init))
      for word in ["CHECK", "COLLATE", "GENERATED", "CONFLICT"] where words.contains(word) {
        throw DatabaseError(
          message:
            "table \(table) has \(word) in its declaration, which would be lost: make the table anew with execute(_:_:)"
        )
      }
      // Not by the word GENERATED, which SQL does not ask for.
      let isGenerated = try Bool.fetchOne(
        database, sql: "SELECT EXISTS (SELECT 1 FROM pragma_table_xinfo(?) WHERE hidden > 0)",
        arguments: [table])
      if isGenerated == true {
        throw DatabaseError(
          message:
            "table \(table) has generated columns, which would be lost: make the table anew with execute(_:_:)"
        )
      }
      isNumbered = words.contains("AUTOINCREMENT")
      isStrict = words.contains("STRICT") && sql.uppercased().contains(/\)[^()]*STRICT[^()]*$/)
      hasRowNumbers = !sql.uppercased().contains(/\)[^()]*WITHOUT\s+ROWID[^()]*$/)
      for row in try Row.fetchAll(
        database, sql: "SELECT name, type, \"notnull\", dflt_value, pk FROM pragma_table_info(?)",
        arguments: [table])
      {
        columns.append(
          Column(
            name: row["name"], type: row["type"], isNotNull: row["notnull"],
            defaultSQL: row["dflt_value"], keyPlace: row["pk"]))
      }
      try readReferences(database, table, areDeferred: Declaration.deferrals(in: sql))
      for index in try database.tableIndexes(of: table) where index.origin == .uniqueConstraint {
        uniques.append(index.columns)
      }
    }

    /// Whether each reference of a declaration, in its order, is checked at the end of transactions.
    private static func deferrals(in sql: String) -> [Bool] {
      // Names and values in quotes, and comments, may have any words in them.
      let plain = sql.uppercased().replacing(
        /'[^']*'|"[^"]*"|`[^`]*`|\[[^\]]*\]|--[^\n]*|\/\*[\s\S]*?\*\//, with: "x")
      return plain.split(separator: /\bREFERENCES\b/, omittingEmptySubsequences: false).dropFirst()
        .map { part in
          var depth = 0
          let clause = part.prefix { character in
            if character == "(" { depth += 1 }
            if character == ")" { depth -= 1 }
            return depth >= 0 && (depth > 0 || character != ",")
          }
          return clause.contains(/DEFERRABLE\s+INITIALLY\s+DEFERRED/)
            && !clause.contains(/NOT\s+DEFERRABLE/)
        }
    }

    private mutating func readReferences(
      _ database: Database, _ table: String, areDeferred: [Bool]
    ) throws {
      let rows = try Row.fetchAll(
        database,
        sql:
          "SELECT id, \"table\", \"from\", \"to\", on_update, on_delete FROM pragma_foreign_key_list(?) ORDER BY id, seq",
        arguments: [table])
      var byNumber: [(id: Int, rows: [Row])] = []
      for row in rows {
        let id: Int = row["id"]
        if byNumber.last?.id != id { byNumber.append((id, [])) }
        byNumber[byNumber.count - 1].rows.append(row)
      }
      guard byNumber.count == areDeferred.count else {
        throw DatabaseError(
          message:
            "the references of table \(table) can't be understood: make the table anew with execute(_:_:)"
        )
      }
      for ((_, rows), isDeferred) in zip(byNumber.reversed(), areDeferred) {
        let targets = rows.compactMap { $0["to"] as String? }
        let end = targets.isEmpty ? "" : " (\(SQLText.names(targets)))"
        let (target, update, delete): (String, String, String) = (
          rows[0]["table"], rows[0]["on_update"], rows[0]["on_delete"]
        )
        references.append(
          "FOREIGN KEY (\(SQLText.names(rows.map { $0["from"] }))) REFERENCES \(SQLText.name(target))\(end)"
            + " ON UPDATE \(update) ON DELETE \(delete)"
            + (isDeferred ? " DEFERRABLE INITIALLY DEFERRED" : ""))
      }
    }

    private var key: [Column] {
      columns.filter { $0.keyPlace > 0 }.sorted { $0.keyPlace < $1.keyPlace }
    }
    private var hasIntegerKey: Bool { key.count == 1 && key[0].type.uppercased() == "INTEGER" }

    /// Whether rows have numbers that no column shows.
    var keepsRowNumbers: Bool {
      hasRowNumbers && !hasIntegerKey && !columns.contains { $0.name.lowercased() == "rowid" }
    }

    func statement(named name: String, _ columns: [Column]) -> String {
      let single = key.count == 1 ? key[0].name : nil
      var parts = columns.map { column in
        var text = "\(SQLText.name(column.name)) \(column.type)"
        if column.name == single {
          text += " PRIMARY KEY\(isNumbered ? " AUTOINCREMENT" : "")"
        }
        if column.isNotNull { text += " NOT NULL" }
        if let value = column.defaultSQL {
          text += " DEFAULT \(value.hasPrefix("(") ? value : "(\(value))")"
        }
        return text
      }
      if key.count > 1 { parts.append("PRIMARY KEY (\(SQLText.names(key.map(\.name))))") }
      parts += uniques.map { "UNIQUE (\(SQLText.names($0)))" }
      parts += references
      let options = [isStrict ? "STRICT" : nil, hasRowNumbers ? nil : "WITHOUT ROWID"]
        .compactMap { $0 }.joined(separator: ", ")
      return "CREATE TABLE \(SQLText.name(name)) (\(parts.joined(separator: ", "))) \(options)"
    }
  }
#endif
