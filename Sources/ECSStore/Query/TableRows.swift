#if SQLite
  package import ECS
  package import ECSRecipes

  /// Rows of a table as components, whatever these are: what was read and is not yet in a context,
  /// what is to be written, or what is known to be in the file.
  ///
  /// Rows have numbers from 0 on. It is for one thread at a time.
  package final class TableRows {
    let table: TablePlan
    package private(set) var count = 0
    let components: [any ComponentColumn]

    /// The number of the first column of each component.
    private let starts: [Int32]

    package init(_ table: TablePlan) {
      self.table = table
      components = table.components.map { $0.makeColumn() }
      starts = table.components.map { Int32($0.layout.columns.lowerBound) }
    }

    // MARK: Adding and removing rows

    /// Adds a row with what an entity has.
    ///
    /// The context has to be locked.
    package func append(_ entity: Entity) {
      for component in components { component.append(entity) }
      count += 1
    }

    /// Adds a row for each of some entities that is one: returns these, and the others.
    ///
    /// The context has to be locked.
    func append(those entities: EntitySet) -> (found: [Entity], others: [Entity]) {
      var (found, others): ([Entity], [Entity]) = ([], [])
      guard let root = components.first(where: \.layout.isRoot) else { return ([], []) }
      found.reserveCapacity(entities.count)
      root.append(present: entities, &found, &others)
      for component in components where component !== root { component.append(found) }
      count += found.count
      return (found, others)
    }

    /// Adds the present row of a statement with the columns of the table, from a place on.
    ///
    /// - Throws: If a value has no form in its component; the row is not added then.
    package func append(_ statement: RowStatement, at position: Int32 = 0) throws(RowFailure) {
      do throws(RowFailure) {
        for (index, component) in components.enumerated() {
          try component.append(statement, at: position + starts[index])
        }
      } catch {
        for component in components where component.count > count {
          component.swapRemove(count)
        }
        throw error
      }
      count += 1
    }

    /// Adds a row of others.
    package func append(_ row: Int, of other: TableRows) { append([row], of: other) }

    /// Adds rows of others; all of them, if none are named.
    func append(_ rows: [Int]?, of other: TableRows) {
      for (index, component) in components.enumerated() {
        component.append(rows, of: other.components[index])
      }
      count += rows?.count ?? other.count
    }

    /// Puts the last row in the place of a row.
    package func swapRemove(_ row: Int) {
      for component in components { component.swapRemove(row) }
      count -= 1
    }

    package func removeAll() {
      for component in components { component.removeAll() }
      count = 0
    }

    // MARK: Comparing and changing

    /// The columns in which two rows differ.
    package func difference(_ row: Int, from other: TableRows, _ otherRow: Int) -> ColumnSet {
      var differences = ColumnSet()
      for (index, component) in components.enumerated() {
        component.compare(row, with: other.components[index], otherRow, into: &differences)
      }
      return differences
    }

    /// Whether a row is the same as the present one of a statement, from its first column on; false
    /// also if that is not known without reading that one.
    func isRow(_ row: Int, like statement: RowStatement) -> Bool {
      for (index, component) in components.enumerated() {
        guard component.isRow(row, like: statement, at: starts[index]) else { return false }
      }
      return true
    }

    /// Makes a row equal to another one.
    package func replace(_ row: Int, with other: TableRows, _ otherRow: Int) {
      for (index, component) in components.enumerated() {
        component.replace(row, with: other.components[index], otherRow)
      }
    }

    /// Takes some columns of another row: those that say whether there is a component first.
    package func replace(
      _ columns: ColumnSet, of row: Int, with other: TableRows, _ otherRow: Int
    ) throws(RowFailure) {
      for (index, component) in components.enumerated() {
        let presence = component.layout.presence.map { [$0] } ?? []
        for column in presence + component.layout.fields where columns.contains(column) {
          try component.replace(column, of: row, with: other.components[index], otherRow)
        }
      }
    }

    /// What is in a column.
    package func value(_ column: Int, of row: Int) throws(RowFailure) -> RowValue {
      try component(of: column).value(column, of: row)
    }

    /// Sets what is in a column.
    package func set(_ column: Int, of row: Int, to value: RowValue) throws(RowFailure) {
      try component(of: column).set(column, of: row, to: value)
    }

    /// The key of a row; nil if the table has none, or the row has none yet.
    func key(_ row: Int) throws(RowFailure) -> RowKey? {
      if table.keyColumns.isEmpty { return nil }
      if table.keyColumns.count == 1 {
        let component = component(of: table.keyColumns[0])
        if let integer = component.integer(table.keyColumns[0], of: row) {
          return .integer(integer)
        }
        let value = try component.value(table.keyColumns[0], of: row)
        return value.isNull ? nil : RowKey(value)
      }
      var values: [RowValue] = []
      for column in table.keyColumns {
        let value = try value(column, of: row)
        if value.isNull { return nil }
        values.append(value)
      }
      return RowKey(values)
    }

    private func component(of column: Int) -> any ComponentColumn {
      components[table.columns[column].component]
    }

    // MARK: Writing to the database

    /// Binds all columns of a row, from a place on.
    package func bind(_ row: Int, to statement: RowStatement, at position: Int32 = 1)
      throws(RowFailure)
    {
      for (index, component) in components.enumerated() {
        try component.bind(row, to: statement, at: position + starts[index])
      }
    }

    /// Binds some columns of a row, in their order, from a place on.
    ///
    /// - Returns: The place behind them.
    @discardableResult
    package func bind(
      _ columns: ColumnSet, of row: Int, to statement: RowStatement, at position: Int32 = 1
    ) throws(RowFailure) -> Int32 {
      var position = position
      for column in columns {
        try component(of: column).bind(column, of: row, to: statement, at: position)
        position += 1
      }
      return position
    }

    // MARK: Writing to a context

    /// Gives an entity the components of a row, and takes away those that the row lacks.
    package func apply(_ row: Int, to entity: Entity) {
      for component in components { component.apply(row, to: entity) }
    }

    /// Gives an entity those components of a row that have some columns.
    func apply(_ row: Int, to entity: Entity, only columns: ColumnSet) {
      for component in components where component.layout.columns.contains(where: columns.contains) {
        component.apply(row, to: entity)
      }
    }

    /// Takes the components away that have some columns.
    ///
    /// For keys that go from one entity to another: an index may refuse to have one twice, or to
    /// give another one to an entity that has one.
    func drop(_ columns: ColumnSet, from entity: Entity) {
      for component in components where component.layout.columns.contains(where: columns.contains) {
        entity.remove(component.layout.cid)
      }
    }

    /// Makes entities of all rows, in one move.
    package func createEntities(in context: Context) -> NewEntities {
      // Mostly all rows have the same ones.
      if components.allSatisfy({ $0.presentCount == 0 || $0.presentCount == count }) {
        return create(in: context, [(components.filter { $0.presentCount > 0 }, nil)])
      }
      // Rows that have the same components, by which these are.
      var groups: [[Bool]: [Int]] = [:]
      var order: [[Bool]] = []
      for row in 0..<count {
        let present = components.map { $0.isPresent(row) }
        if groups[present] == nil { order.append(present) }
        groups[present, default: []].append(row)
      }
      return create(
        in: context,
        order.map { present in
          let rows = groups[present] ?? []
          return (
            zip(components, present).filter(\.1).map(\.0), rows.count == count ? nil : rows
          )
        })
    }

    private func create(
      in context: Context, _ groups: [(components: [any ComponentColumn], rows: [Int]?)]
    ) -> NewEntities {
      let tables = groups.map { group in
        let types = group.components.map(\.layout.cid)
        return group.rows.map { NewTable(types, $0) } ?? NewTable(types, 0..<count)
      }
      return context.createEntities(count, in: tables) { number, columns in
        for component in groups[number].components {
          component.fill(columns, groups[number].rows)
        }
      }
    }
  }
#endif
