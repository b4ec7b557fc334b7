#if SQLite
  public import GRDB

  /// Changes tables, within a migration.
  public struct SchemaEditor {
    /// The connection, for everything else.
    public let database: Database

    /// Adds a column; existing rows have its default.
    public func addColumn(_ column: ColumnDescription, to table: String) throws {
      try execute("ALTER TABLE \(SQLText.name(table)) ADD COLUMN \(column.declaration)")
      if column.isUnique { try addIndex(to: table, on: [column.name], isUnique: true) }
    }

    /// Renames a column, in indexes and references too.
    public func renameColumn(_ name: String, to other: String, in table: String) throws {
      try execute(
        "ALTER TABLE \(SQLText.name(table)) RENAME COLUMN \(SQLText.name(name)) TO \(SQLText.name(other))"
      )
    }

    /// Removes a column with its values, and the indexes that are about it.
    public func dropColumn(_ name: String, in table: String) throws {
      for index in try indexes(of: table) where index.columns.contains(name.lowercased()) {
        try execute("DROP INDEX \(SQLText.name(index.name))")
      }
      try execute("ALTER TABLE \(SQLText.name(table)) DROP COLUMN \(SQLText.name(name))")
    }

    /// Gives a column another name, type or constraint, by making the table anew.
    ///
    /// Values are converted as SQL's `CAST` does. What can't be there under the new constraint
    /// makes it throw, and NULL becomes the default if the column may not be NULL and has one.
    /// Indexes, triggers, views and references to the table stay, and so does what else is
    /// declared: checks, collations, references with their rules, generated columns, of the column
    /// itself as well.
    ///
    /// - Throws: `DatabaseError`; also if the table's own declaration can't be understood.
    public func changeColumn(_ name: String, to column: ColumnDescription, in table: String) throws
    {
      try TableRebuilding(database, table).changeColumn(name, to: column)
      if column.isUnique { try addIndex(to: table, on: [column.name], isUnique: true) }
    }

    /// Renames a table, in references too.
    public func renameTable(_ name: String, to other: String) throws {
      try execute("ALTER TABLE \(SQLText.name(name)) RENAME TO \(SQLText.name(other))")
    }

    /// Removes a table with its rows.
    public func dropTable(_ name: String) throws {
      try execute("DROP TABLE \(SQLText.name(name))")
    }

    /// Runs SQL, several statements too.
    public func execute(
      _ sql: String, _ arguments: StatementArguments = StatementArguments()
    ) throws {
      try database.execute(sql: sql, arguments: arguments)
    }

    func addIndex(to table: String, on columns: [String], isUnique: Bool) throws {
      let name = SQLText.name(SchemaUpdate.indexName(table, columns))
      try execute(
        "CREATE \(isUnique ? "UNIQUE " : "")INDEX \(name) ON \(SQLText.name(table)) (\(SQLText.names(columns)))"
      )
    }

    private func indexes(of table: String) throws -> [(name: String, columns: [String])] {
      try database.tableIndexes(of: table).filter { $0.origin == .createIndex }
        .map { ($0.name, $0.columns.map { $0.lowercased() }) }
    }
  }

  extension ColumnDescription {
    /// The column as it is declared in a table that has rows or none.
    var declaration: String {
      var text = "\(SQLText.name(name)) \(type.rawValue)"
      if !isNullable { text += " NOT NULL" }
      if let literal = defaultValue.flatMap(SQLText.literal) { text += " DEFAULT \(literal)" }
      return text
    }
  }
#endif
