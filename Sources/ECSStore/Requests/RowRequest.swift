#if SQLite
  import ECS

  /// A question for rows of a table on request: which, and in what order.
  struct RowRequest: Sendable {
    let table: TablePlan
    let condition: ColumnCondition

    /// Columns to sort by, the most important first; after these comes the key.
    let order: [(column: Int, isAscending: Bool)]

    init(
      _ condition: Condition, _ order: [Sort], of table: Int, in session: StoreSession
    ) throws(StoreError) {
      self.table = session.tables[table].plan
      self.condition = try ColumnCondition(condition, of: table, in: session)
      var columns: [(column: Int, isAscending: Bool)] = []
      for sort in order {
        columns.append((try sort.column(in: self.table.definition), sort.order == .ascending))
      }
      self.order = columns
    }

    // MARK: SQL

    private var conditionPart: SQLPart { condition.sql(table) }

    /// The rows: their columns as those of ``TablePlan/selection``.
    func selection(limit: Int?) -> SQLPart {
      var part = conditionPart
      let terms =
        order.map { column, isAscending in
          let name = SQLText.name(table.columns[column].description.name)
          return "\(name) \(isAscending ? "ASC" : "DESC") NULLS LAST"
        } + table.address.map(SQLText.name)
      part.text =
        "\(table.selectionOfRows) WHERE \(part.text) ORDER BY \(terms.joined(separator: ", "))"
      if let limit {
        part.text += " LIMIT ?"
        part.values.append(.integer(Int64(limit)))
      }
      return part
    }

    /// How many rows there are, of so many at most.
    func count(limit: Int?) -> SQLPart {
      var part = conditionPart
      let rows = "SELECT 1 FROM \(SQLText.name(table.name)) WHERE \(part.text)"
      guard let limit else {
        part.text = "SELECT count(*) FROM (\(rows))"
        return part
      }
      part.text = "SELECT count(*) FROM (\(rows) LIMIT ?)"
      part.values.append(.integer(Int64(limit)))
      return part
    }

    /// Whether the row of a key is one of them; the key is bound last.
    var membership: SQLPart {
      var part = conditionPart
      let keys = table.address.map { "\(SQLText.name($0)) = ?" }.joined(separator: " AND ")
      part.text = "SELECT 1 FROM \(SQLText.name(table.name)) WHERE (\(part.text)) AND \(keys)"
      return part
    }

    /// A statement that reads what decides which rows there are, in which order, and nothing else.
    var region: String {
      let terms = order.map { SQLText.name(table.columns[$0.column].description.name) }
      let key = table.address.map(SQLText.name)
      let names = (key + terms).joined(separator: ", ")
      return "SELECT \(names) FROM \(SQLText.name(table.name)) WHERE \(conditionPart.text)"
    }

    // MARK: The order in memory

    /// What a row is sorted by, its key last; nil for a key that is not known yet.
    func sortValues(_ row: Int, of rows: TableRows) -> [RowValue?] {
      order.map { (try? rows.value($0.column, of: row)) ?? .null }
        + table.keyColumns.map { column in
          let value = (try? rows.value(column, of: row)) ?? .null
          return value.isNull ? nil : value
        }
    }

    /// What the present row of a statement is sorted by.
    func sortValues(_ statement: RowStatement) -> [RowValue?] {
      (order.map(\.column) + table.keyColumns).map { column in
        (try? statement.value(at: Int32(column))) ?? .null
      }
    }

    /// Whether one row comes before another, as SQL sorts them; keys that are not known come last.
    func areInOrder(_ left: [RowValue?], _ right: [RowValue?]) -> Bool {
      for index in left.indices {
        let isAscending = index < order.count ? order[index].isAscending : true
        switch (left[index] ?? .null, right[index] ?? .null) {
        case (.null, .null): continue
        case (.null, _): return false
        case (_, .null): return true
        case (let one, let other):
          if one.isBefore(other) { return isAscending }
          if other.isBefore(one) { return !isAscending }
        }
      }
      return false
    }
  }
#endif
