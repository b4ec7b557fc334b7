#if SQLite
  /// A part of a statement, and what is bound to it.
  struct SQLPart {
    var text: String
    var values: [RowValue] = []

    init(_ text: String, _ values: [RowValue] = []) { (self.text, self.values) = (text, values) }
  }

  extension ColumnCondition {
    /// The condition in SQL, where what columns are compared with is always bound.
    func sql(_ table: TablePlan) -> SQLPart {
      switch self {
      case .all: return SQLPart("1")
      case .isIn(let column, let values):
        return guarded(column, table) { isIn($0, values) }
      case .order(let column, let order, let value):
        return guarded(column, table) { SQLPart("\($0) \(order.rawValue) ?", [value]) }
      case .match(let column, let match, let text):
        return guarded(column, table) { matches($0, match, text) }
      case .has(let component): return SQLPart(presence(component, table))
      case .isLinked(let link, _, let key):
        let columns = table.linkColumns.filter { $0.link == link }
        guard let values = key?.values, values.count == columns.count else { return SQLPart("0") }
        let parts = columns.map { "\(SQLText.name($0.description.name)) IS ?" }
        return SQLPart("(\(parts.joined(separator: " AND ")))", values)
      case .and(let left, let right):
        return SQLPart.joined(left.sql(table), "AND", right.sql(table))
      case .or(let left, let right): return SQLPart.joined(left.sql(table), "OR", right.sql(table))
      case .not(let one):
        let part = one.sql(table)
        return SQLPart("NOT \(part.text)", part.values)
      }
    }

    /// A comparison of a column, which is neither true nor false if the row lacks its component.
    private func guarded(
      _ column: Int, _ table: TablePlan, _ compare: (String) -> SQLPart
    ) -> SQLPart {
      var part = compare(SQLText.name(table.columns[column].description.name))
      let component = table.columns[column].component
      if !table.components[component].layout.isRoot {
        part.text = "CASE WHEN \(presence(component, table)) THEN \(part.text) END"
      }
      part.text = "(\(part.text))"
      return part
    }

    /// NULL is a value of its own: it is in a list or not.
    private func isIn(_ name: String, _ values: [RowValue]) -> SQLPart {
      if values.count == 1 { return SQLPart("\(name) IS ?", values) }
      let present = values.filter { !$0.isNull }
      let marks = present.map { _ in "?" }.joined(separator: ", ")
      return present.count < values.count
        ? SQLPart("\(name) IS NULL OR \(name) IN (\(marks))", present)
        : SQLPart("\(name) IS NOT NULL AND \(name) IN (\(marks))", present)
    }

    private func matches(_ name: String, _ match: Match, _ text: String) -> SQLPart {
      switch match {
      // The part of an empty text that it begins with is NULL to SQL.
      case .prefix where text.isEmpty: SQLPart("\(name) = \(name)")
      // By bytes; the first comparison lets an index help.
      case .prefix:
        SQLPart(
          "\(name) >= ? AND substr(CAST(\(name) AS BLOB), 1, ?) = CAST(? AS BLOB)",
          [.text(text), .integer(Int64(text.utf8.count)), .text(text)])
      case .part:
        SQLPart("instr(CAST(\(name) AS BLOB), CAST(? AS BLOB)) > 0", [.text(text)])
      case .pattern: SQLPart("\(name) LIKE ?", [.text(text)])
      }
    }

    private func presence(_ component: Int, _ table: TablePlan) -> String {
      let layout = table.components[component].layout
      if layout.isRoot { return "1" }
      func name(_ column: Int) -> String { SQLText.name(table.columns[column].description.name) }
      if let presence = layout.presence { return "(\(name(presence)) IS NOT 0)" }
      return "(\(layout.fields.map { "\(name($0)) IS NOT NULL" }.joined(separator: " OR ")))"
    }
  }

  extension SQLPart {
    fileprivate static func joined(_ left: SQLPart, _ word: String, _ right: SQLPart) -> SQLPart {
      SQLPart("(\(left.text) \(word) \(right.text))", left.values + right.values)
    }
  }
#endif
