#if SQLite
  public import ECS
  import ECSRecipes
  import Foundation

  /// An order of rows.
  public struct Sort: Sendable {
    /// Compares the entities at two places of a list: negative if the first comes before the
    /// second.
    typealias Comparison = (Int, Int) -> Int

    /// Reads what is compared of each entity, once.
    let comparison: @Sendable ([Entity], TableDefinition) throws(StoreError) -> Comparison

    private enum Subject: Sendable {
      case field(any AnyKeyPath & Sendable)
      case column(String)
    }

    private let subject: Subject

    /// The component of the field; nil for a column.
    let component: CID?
    let order: LiveViewOrder

    /// Sorts by a field; entities without its component come last in both directions.
    public init<C: Component, Value: Comparable & Sendable>(
      _ field: any KeyPath<C, Value> & Sendable, _ order: LiveViewOrder = .ascending
    ) {
      (subject, component, self.order) = (.field(field), C.cid, order)
      let reader = FieldReader(field)
      comparison = { (entities, _) throws(StoreError) in
        Sort.comparing(entities.map { $0.get(C.self).map { reader.get($0) } }, order) { $0 < $1 }
      }
    }

    /// Sorts by a field; entities for which it is nil, or without its component, come last in both
    /// directions.
    public init<C: Component, Value: Comparable & Sendable>(
      _ field: any KeyPath<C, Value?> & Sendable, _ order: LiveViewOrder = .ascending
    ) {
      (subject, component, self.order) = (.field(field), C.cid, order)
      let reader = FieldReader(field)
      comparison = { (entities, _) throws(StoreError) in
        Sort.comparing(entities.map { $0.get(C.self).flatMap { reader.get($0) } }, order) {
          $0 < $1
        }
      }
    }

    /// Sorts by a column as SQL does, NULL last in both directions.
    ///
    /// Fetching throws ``StoreError/schemaMismatch(table:detail:)`` if the table has no such
    /// column.
    ///
    /// - Parameters:
    ///   - column: The name of the column, or the path of the field in data.
    ///   - order: The direction.
    public init(column: String, _ order: LiveViewOrder = .ascending) {
      (subject, component, self.order) = (.column(column), nil, order)
      comparison = { (entities, table) throws(StoreError) in
        let number = try table.column(named: column)
        let rows = TableRows(TablePlan(table, linkColumns: []))
        for entity in entities { rows.append(entity) }
        // What has no form in SQL has no place in its order.
        let values = entities.indices.map { row in
          let value = (try? rows.value(number, of: row)) ?? .null
          return value.isNull ? nil : value
        }
        return Sort.comparing(values, order) { $0.isBefore($1) }
      }
    }

    /// The number of the column.
    ///
    /// - Throws: ``StoreError/schemaMismatch(table:detail:)`` if the table has none.
    func column(in table: TableDefinition) throws(StoreError) -> Int {
      switch subject {
      case .field(let field): try table.column(of: field)
      case .column(let name): try table.column(named: name)
      }
    }

    private static func comparing<Key>(
      _ keys: [Key?], _ order: LiveViewOrder, by areInOrder: @escaping (Key, Key) -> Bool
    ) -> Comparison {
      let direction = order == .ascending ? 1 : -1
      return { left, right in
        switch (keys[left], keys[right]) {
        case (nil, nil): return 0
        case (nil, _?): return 1
        case (_?, nil): return -1
        case (let left?, let right?):
          if areInOrder(left, right) { return -direction }
          return areInOrder(right, left) ? direction : 0
        }
      }
    }

    /// Entities in an order; those that it does not distinguish stay as they are.
    static func sorted(
      _ entities: [Entity], by order: [Sort], _ table: TableDefinition
    ) throws(StoreError) -> [Entity] {
      if order.isEmpty { return entities }
      var comparisons: [Comparison] = []
      for sort in order { comparisons.append(try sort.comparison(entities, table)) }
      let sorted = entities.indices.sorted { left, right in
        for comparison in comparisons {
          let result = comparison(left, right)
          if result != 0 { return result < 0 }
        }
        return left < right
      }
      return sorted.map { entities[$0] }
    }
  }

  extension TableDefinition {
    /// The number of a column, by its name or the path of its field.
    func column(named name: String) throws(StoreError) -> Int {
      let index = columns.firstIndex { column in
        column.description.name.lowercased() == name.lowercased()
          || column.path.map { "\($0)" } == name
      }
      guard let index else {
        throw .schemaMismatch(table: self.name, detail: "there is no column \(name)")
      }
      return index
    }
  }

  extension RowValue {
    /// The order of SQL: numbers, then texts, then bytes.
    func isBefore(_ other: RowValue) -> Bool {
      switch (self, other) {
      case (.integer(let left), .integer(let right)): return left < right
      case (.real(let left), .real(let right)): return left < right
      case (.integer(let left), .real(let right)): return Double(left) < right
      case (.real(let left), .integer(let right)): return left < Double(right)
      case (.text(let left), .text(let right)):
        return left.utf8.lexicographicallyPrecedes(right.utf8)
      case (.bytes(let left), .bytes(let right)): return left.lexicographicallyPrecedes(right)
      default: return rank < other.rank
      }
    }

    /// Whether SQL takes both for the same value: texts by their bytes, and numbers whatever their
    /// kind.
    func isSame(as other: RowValue) -> Bool {
      switch (self, other) {
      case (.text(let left), .text(let right)): left.utf8.elementsEqual(right.utf8)
      case (.integer, .real), (.real, .integer): !isBefore(other) && !other.isBefore(self)
      default: self == other
      }
    }

    private var rank: Int {
      switch self {
      case .null: 0
      case .integer, .real: 1
      case .text: 2
      case .bytes: 3
      }
    }
  }
#endif
