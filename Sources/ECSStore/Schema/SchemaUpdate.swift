#if SQLite
  import Foundation
  import GRDB

  /// Compares the tables of a database with those of a schema, and adds what is missing.
  struct SchemaUpdate {
    private let database: Database
    private let plan: SchemaPlan

    private let missing: Missing

    /// A rule for what is missing.
    enum Missing {
      /// It is added.
      case add

      /// It is an error.
      case refuse

      /// It is left for later.
      case leave

      /// It is an error, apart from indexes, of which it is noted that they are missing.
      case tell
    }

    /// Indexes that are missing and need not be there.
    private(set) var told: [StoreError] = []

    init(_ database: Database, _ plan: SchemaPlan, missing: Missing) {
      (self.database, self.plan, self.missing) = (database, plan, missing)
    }

    /// - Throws: ``StoreError/schemaMismatch(table:detail:)``, or what SQLite throws.
    mutating func run() throws {
      for table in plan.tables { try update(table) }
      for table in plan.pairTables { try update(table) }
    }

    /// The name that an index gets.
    static func indexName(_ table: String, _ columns: [String]) -> String {
      ([table] + columns).joined(separator: "_")
    }

    // MARK: Tables of rows

    private mutating func update(_ table: TablePlan) throws {
      guard let present = try columns(of: table.name) else {
        try add(table.name, "the table") {
          try create(table)
          try addIndexes(of: table)
        }
        return
      }
      try checkKey(of: table, present)
      for (index, column) in table.columns.enumerated() {
        let layout = table.components[column.component].layout
        let saysPresence = layout.presence == index && !layout.fields.isEmpty
        try update(
          column.description, of: table.name, present,
          existing: saysPresence
            ? .integer(1) : column.valueForExistingRows ?? column.description.defaultValue,
          where: presenceCondition(column, table, present))
      }
      for column in table.linkColumns {
        try update(
          column.description, of: table.name, present, existing: nil, where: nil,
          reference: reference(of: column, in: table))
      }
      try addIndexes(of: table)
    }

    /// Existing rows have a component whose other columns say so.
    private func presenceCondition(
      _ column: FieldColumnDefinition, _ table: TablePlan, _ present: [String: PresentColumn]
    ) -> String? {
      let layout = table.components[column.component].layout
      if layout.isRoot { return nil }
      var parts = layout.fields.map { table.columns[$0].description.name }
        .filter { present[$0.lowercased()] != nil }
        .map { "\(SQLText.name($0)) IS NOT NULL" }
      if let presence = layout.presence {
        let name = table.columns[presence].description.name
        if present[name.lowercased()] != nil { parts.append("\(SQLText.name(name)) = 1") }
      }
      return parts.isEmpty ? "0" : parts.joined(separator: " OR ")
    }

    private func create(_ table: TablePlan) throws {
      var parts: [String] = []
      let names = table.address
      if !table.hasKey { parts.append("\(TablePlan.rowColumn) INTEGER PRIMARY KEY") }
      for (index, column) in table.columns.enumerated() {
        var text = column.description.declaration
        if names.count == 1, table.keyColumns == [index] {
          text = "\(SQLText.name(column.description.name)) \(column.description.type.rawValue)"
          text += " PRIMARY KEY\(table.isGenerated ? " AUTOINCREMENT" : "") NOT NULL"
        }
        parts.append(text)
      }
      parts += table.linkColumns.map(\.description.declaration)
      if names.count > 1 { parts.append("PRIMARY KEY (\(SQLText.names(names)))") }
      for link in plan.links where plan.tables[link.owner] === table {
        guard case .columns(let columns) = link.storage else { continue }
        let names = columns.map { table.linkColumns[$0].description.name }
        parts.append("FOREIGN KEY (\(SQLText.names(names))) \(reference(to: link.nested))")
      }
      try database.execute(
        sql: "CREATE TABLE \(SQLText.name(table.name)) (\(parts.joined(separator: ", "))) STRICT")
    }

    private func reference(to index: Int) -> String {
      let table = plan.tables[index]
      return "REFERENCES \(SQLText.name(table.name)) (\(SQLText.names(table.address)))"
        + " DEFERRABLE INITIALLY DEFERRED"
    }

    /// What a column that comes later refers to: SQL has no way to add a reference of several
    /// columns.
    private func reference(of column: TablePlan.LinkColumn, in table: TablePlan) -> String? {
      let link = plan.links[column.link]
      guard case .columns(let columns) = link.storage, columns.count == 1 else { return nil }
      return reference(to: link.nested)
    }

    private func checkKey(of table: TablePlan, _ present: [String: PresentColumn]) throws {
      let key = present.values.filter { $0.keyIndex > 0 }.sorted { $0.keyIndex < $1.keyIndex }
        .map { $0.name.lowercased() }
      let wanted = table.address.map { $0.lowercased() }
      // A table without a declared key may have an index that does the same.
      if key == wanted { return }
      for index in try database.tableIndexes(of: table.name)
      where index.isUnique && !index.isPartial
        && Set(index.columns.map { $0.lowercased() }) == Set(wanted)
      {
        if !table.isNumbered { return }
      }
      throw StoreError.schemaMismatch(
        table: table.name,
        detail:
          "the key is (\(key.joined(separator: ", "))), not (\(wanted.joined(separator: ", ")))")
    }

    // MARK: Columns

    private struct PresentColumn {
      var name: String
      var type: String
      var keyIndex: Int

      /// Whether it is made of others.
      var isGenerated: Bool
    }

    /// The columns of a table by their names in lower case; nil if there is no such table.
    private func columns(of table: String) throws -> [String: PresentColumn]? {
      let rows = try Row.fetchAll(
        database, sql: "SELECT name, type, pk, hidden FROM pragma_table_xinfo(?)",
        arguments: [table])
      if rows.isEmpty { return nil }
      var columns: [String: PresentColumn] = [:]
      for row in rows {
        let hidden: Int = row["hidden"]
        let column = PresentColumn(
          name: row["name"], type: row["type"], keyIndex: row["pk"], isGenerated: hidden > 1)
        columns[column.name.lowercased()] = column
      }
      return columns
    }

    private func update(
      _ column: ColumnDescription, of table: String, _ present: [String: PresentColumn],
      existing: RowValue?, where condition: String?, reference: String? = nil
    ) throws {
      if let found = present[column.name.lowercased()] {
        if found.isGenerated {
          throw StoreError.schemaMismatch(
            table: table,
            detail:
              "the column \(column.name) is generated, which can't be written: make the field transient()"
          )
        }
        let affinity = try Affinity(declared: found.type, isStrict: { try isStrict(table) })
        guard !affinity.holds(column.type) else { return }
        throw StoreError.schemaMismatch(
          table: table,
          detail: "the column \(column.name) is of type \(found.type), not \(column.type.rawValue)")
      }
      try add(table, "the column \(column.name)") {
        try addColumn(column, to: table, existing, condition, reference)
      }
    }

    private func isStrict(_ table: String) throws -> Bool {
      try Bool.fetchOne(
        database, sql: "SELECT strict FROM pragma_table_list(?) WHERE schema = 'main'",
        arguments: [table]) ?? false
    }

    private func addColumn(
      _ column: ColumnDescription, to table: String, _ existing: RowValue?, _ condition: String?,
      _ reference: String?
    ) throws {
      var declared = column
      if !column.isNullable, column.defaultValue == nil {
        // SQL wants a default, which rows that come later are never without.
        let isEmpty =
          try Bool.fetchOne(
            database, sql: "SELECT NOT EXISTS (SELECT 1 FROM \(SQLText.name(table)))") ?? true
        guard isEmpty || existing != nil else {
          throw StoreError.schemaMismatch(
            table: table,
            detail:
              "the column \(column.name) must not be NULL, and there is no value for existing rows: use forExistingRows(_:)"
          )
        }
        declared.defaultValue =
          existing.flatMap { SQLText.literal($0) == nil ? nil : $0 }
          ?? column.type.zero
      }
      // SQL takes no reference with a default.
      let reference = declared.defaultValue == nil ? reference : nil
      let text = [declared.declaration, reference].compactMap { $0 }.joined(separator: " ")
      try database.execute(sql: "ALTER TABLE \(SQLText.name(table)) ADD COLUMN \(text)")
      if let existing, condition != nil || existing != declared.defaultValue {
        let sql = "UPDATE \(SQLText.name(table)) SET \(SQLText.name(column.name)) = ?"
        let statement = RowStatement(
          try database.makeStatement(sql: condition.map { "\(sql) WHERE \($0)" } ?? sql))
        statement.bind(existing, at: 1)
        try statement.run()
        statement.clear()
      }
    }

    // MARK: Tables of pairs

    private mutating func update(_ table: LinkPlan.PairTable) throws {
      let link = plan.links.first {
        if case .pairs(let pairs) = $0.storage { pairs.name == table.name } else { false }
      }
      guard let link else { return }
      if let present = try columns(of: table.name) {
        for column in table.owner + table.nested {
          if present[column.name.lowercased()] == nil {
            throw StoreError.schemaMismatch(
              table: table.name,
              detail:
                "the column \(column.name) is missing: name those of the file by Link(_:).columns(owner:nested:)"
            )
          }
        }
        for (column, value) in zip(table.valueColumns, table.values?.valuesForExistingRows ?? []) {
          try update(column, of: table.name, present, existing: value, where: nil)
        }
      } else {
        try checkFormerColumns(of: link, table.name)
        try add(table.name, "the table") {
          let columns = (table.owner + table.nested + table.valueColumns).map(\.declaration)
          let parts =
            ["\(TablePlan.rowColumn) INTEGER PRIMARY KEY"] + columns + [
              "FOREIGN KEY (\(SQLText.names(table.owner.map(\.name)))) \(reference(to: link.owner))",
              "FOREIGN KEY (\(SQLText.names(table.nested.map(\.name)))) \(reference(to: link.nested))",
            ]
          try database.execute(
            sql:
              "CREATE TABLE \(SQLText.name(table.name)) (\(parts.joined(separator: ", "))) STRICT")
        }
        if missing == .leave { return }
      }
      let all = (table.owner + table.nested).map(\.name)
      try addIndex(table.name, all, isUnique: table.isSet)
      try addIndex(
        table.name, table.nested.map(\.name), isUnique: table.hasOneOwner || link.isUnique)
    }

    /// Refuses links that are in columns of the owner's rows, since they had no values before.
    private func checkFormerColumns(of link: LinkPlan, _ pairs: String) throws {
      let (owner, names) = (plan.tables[link.owner].name, plan.formerColumns(of: link))
      guard let present = try columns(of: owner),
        let name = names.first(where: { present[$0.lowercased()] != nil })
      else { return }
      throw StoreError.schemaMismatch(
        table: owner,
        detail: "links are in the column \(name): move them to the table \(pairs) by a migration")
    }

    // MARK: Indexes

    private mutating func addIndexes(of table: TablePlan) throws {
      for index in table.definition.indexes {
        try addIndex(table.name, index.columns, isUnique: index.isUnique)
      }
      // Whether a row is referred to is asked when it goes.
      for link in plan.links where plan.tables[link.owner] === table {
        guard case .columns(let columns) = link.storage else { continue }
        let isUnique = link.isUnique || link.relation.givesOneOwner
        try addIndex(
          table.name, columns.map { table.linkColumns[$0].description.name }, isUnique: isUnique)
      }
    }

    private mutating func addIndex(_ table: String, _ columns: [String], isUnique: Bool) throws {
      let wanted = columns.map { $0.lowercased() }
      for index in try database.tableIndexes(of: table)
      where !index.isPartial && index.columns.map({ $0.lowercased() }) == wanted
        && (index.isUnique || !isUnique)
      {
        return
      }
      let kind = isUnique ? "UNIQUE INDEX" : "INDEX"
      if missing == .tell {
        told.append(
          .schemaMismatch(
            table: table,
            detail:
              "\(isUnique ? "a unique" : "an") index of \(columns.joined(separator: ", ")) is missing"
          ))
        return
      }
      try add(table, "an index of \(columns.joined(separator: ", "))") {
        var name = SchemaUpdate.indexName(table, columns)
        var number = 2
        while try Bool.fetchOne(
          database, sql: "SELECT EXISTS (SELECT 1 FROM sqlite_master WHERE lower(name) = ?)",
          arguments: [name.lowercased()]) == true
        {
          name = "\(SchemaUpdate.indexName(table, columns))_\(number)"
          number += 1
        }
        try database.execute(
          sql:
            "CREATE \(kind) \(SQLText.name(name)) ON \(SQLText.name(table)) (\(SQLText.names(columns)))"
        )
      }
    }

    private func add(_ table: String, _ what: String, _ body: () throws -> Void) throws {
      switch missing {
      case .add: try body()
      case .refuse, .tell:
        throw StoreError.schemaMismatch(table: table, detail: "\(what) is missing")
      case .leave: break
      }
    }
  }

  extension ColumnType {
    /// A value of the type that stands for nothing.
    fileprivate var zero: RowValue {
      switch self {
      case .integer: .integer(0)
      case .real: .real(0)
      case .text: .text("")
      case .blob: .bytes(.init())
      }
    }
  }

  /// The affinity of a column by its declared type, by the rules of SQLite.
  private enum Affinity {
    case integer, real, text, numeric, time, anything

    init(declared type: String, isStrict: () throws -> Bool) rethrows {
      let type = type.uppercased()
      let holdsAny = try type == "ANY" && isStrict()
      self =
        if type.contains("INT") {
          .integer
        } else if type.contains("CHAR") || type.contains("CLOB") || type.contains("TEXT") {
          .text
        } else if type.isEmpty || type.contains("BLOB") || holdsAny {
          .anything
        } else if type.contains("REAL") || type.contains("FLOA") || type.contains("DOUB") {
          .real
        } else if type.contains("DATE") || type.contains("TIME") {
          .time
        } else {
          .numeric
        }
    }

    func holds(_ type: ColumnType) -> Bool {
      switch (self, type) {
      case (.anything, _), (.integer, .integer), (.real, .real), (.text, .text): true
      // What looks like a number becomes one there, whatever it was: '007' is 7. Times in words
      // don't.
      case (.numeric, .integer), (.numeric, .real): true
      case (.time, .integer), (.time, .real), (.time, .text): true
      case (.numeric, .blob), (.time, .blob): true
      // A loose column keeps bytes as they are; a strict one refuses them, which a save tells.
      case (_, .blob): self == .text
      default: false
      }
    }
  }
#endif
