#if SQLite
  import ECS
  import ECSRecipes

  /// A table of a schema, with all that reads and writes its rows.
  ///
  /// A row is found by its key, or by a number in the column ``rowColumn`` if it has none.
  package final class TablePlan: Sendable {
    let definition: TableDefinition
    let components: [ComponentDefinition]

    /// The columns of fields, by whose numbers rows refer to them.
    let columns: [FieldColumnDefinition]

    /// The columns of links to one row, which follow those of fields.
    let linkColumns: [LinkColumn]

    /// The numbers of the columns that are the key; none if the table has none.
    let keyColumns: [Int]

    /// A column that holds a reference, as a part of a link.
    struct LinkColumn: Sendable, Hashable {
      /// The number of the link among those of the schema.
      var link: Int
      var description: ColumnDescription
    }

    /// The number of a row without a key, as long as it exists.
    static let rowColumn = "ecs_row"

    init(_ definition: TableDefinition, linkColumns: [LinkColumn]) {
      self.definition = definition
      (components, columns) = (definition.components, definition.columns)
      self.linkColumns = linkColumns
      keyColumns = definition.keyColumns
    }

    package var name: String { definition.name }

    /// Whether the database gives out the keys, which is what rows without one get.
    var isGenerated: Bool { definition.isGenerated }
    var hasKey: Bool { !keyColumns.isEmpty }

    /// Whether the database numbers new rows: the number is their key, or stands for one.
    var isNumbered: Bool { isGenerated || !hasKey }

    /// The component that makes an entity a row.
    var root: CID { definition.root }

    /// The names of the columns that a row is found by.
    var address: [String] {
      hasKey ? keyColumns.map { columns[$0].description.name } : [TablePlan.rowColumn]
    }

    /// The fields that are the key, for mappers; nil if the table has none.
    var keptKey: KeptKey? {
      let fields = keyColumns.compactMap { number in
        columns[number].keyPath.map { (components[columns[number].component].layout.cid, $0) }
      }
      return fields.count == keyColumns.count ? KeptKey(fields) : nil
    }

    /// The component of whose columns the first one of the key is.
    var keyComponent: CID? { keyColumns.first.map { components[columns[$0].component].layout.cid } }

    // MARK: Statements

    /// All columns of fields, then those of links.
    var allColumns: [String] {
      columns.map(\.description.name) + linkColumns.map(\.description.name)
    }

    /// Adds a row: with all columns of fields, then those of links.
    package var insertion: String {
      let names = allColumns.map(SQLText.name).joined(separator: ", ")
      if names.isEmpty { return "INSERT INTO \(SQLText.name(name)) DEFAULT VALUES" }
      let marks = allColumns.map { _ in "?" }.joined(separator: ", ")
      return "INSERT INTO \(SQLText.name(name)) (\(names)) VALUES (\(marks))"
    }

    /// Changes columns of a row: the columns of fields in order, then those of links, then the
    /// address.
    package func update(_ columns: ColumnSet, links: [Int] = []) -> String {
      let names =
        columns.map { self.columns[$0].description.name }
        + links.map { linkColumns[$0].description.name }
      let settings = names.map { "\(SQLText.name($0)) = ?" }.joined(separator: ", ")
      return "UPDATE \(SQLText.name(name)) SET \(settings) WHERE \(condition)"
    }

    /// Removes the row of an address.
    var deletion: String { "DELETE FROM \(SQLText.name(name)) WHERE \(condition)" }

    /// All rows in the order in which they came: the columns of fields, those of links, and the
    /// number of the row if it has no key.
    package var selection: String { selection(hasRowNumbers: true) }

    /// All rows in the order in which they came, or, if the file does not number them, in that of
    /// their keys.
    func selection(hasRowNumbers: Bool) -> String {
      "\(selectionOfRows) ORDER BY \(hasRowNumbers ? "rowid" : SQLText.names(address))"
    }

    /// The row of an address.
    var selectionOfOne: String { "\(selectionOfRows) WHERE \(condition)" }

    var selectionOfRows: String {
      let names = allColumns + (hasKey ? [] : [TablePlan.rowColumn])
      return "SELECT \(names.map(SQLText.name).joined(separator: ", ")) FROM \(SQLText.name(name))"
    }

    private var condition: String {
      address.map { "\(SQLText.name($0)) = ?" }.joined(separator: " AND ")
    }

    /// The address of the present row of ``selection``.
    func address(_ statement: RowStatement) throws(RowFailure) -> RowKey {
      guard hasKey else {
        return .integer(statement.integer(at: Int32(columns.count + linkColumns.count)))
      }
      if keyColumns.count == 1 {
        let column = Int32(keyColumns[0])
        if statement.kind(at: column) == .integer { return .integer(statement.integer(at: column)) }
      }
      var values: [RowValue] = []
      for column in keyColumns {
        do throws(TransformFailure) {
          values.append(try statement.value(at: Int32(column)))
        } catch {
          throw RowFailure(column, error)
        }
      }
      return RowKey(values)
    }
  }

  extension ComponentDefinition {
    func makeColumn() -> any ComponentColumn { make() }
  }

  /// Parts of SQL.
  enum SQLText {
    /// A name in quotes.
    static func name(_ name: String) -> String {
      "\"\(name.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\""))\""
    }

    static func names(_ names: [String]) -> String { names.map(name).joined(separator: ", ") }

    /// A value as a literal; nil for texts with U+0000, which have none.
    static func literal(_ value: RowValue) -> String? {
      switch value {
      case .null: return "NULL"
      case .integer(let value): return "\(value)"
      case .real(let value):
        if value.isInfinite { return value < 0 ? "-9e999" : "9e999" }
        return "\(value)"
      case .text(let text):
        if text.unicodeScalars.contains("\0") { return nil }
        let parts = text.split(separator: "'", omittingEmptySubsequences: false)
        return "'\(parts.joined(separator: "''"))'"
      case .bytes(let bytes):
        return "x'\(bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined())'"
      }
    }
  }
#endif
