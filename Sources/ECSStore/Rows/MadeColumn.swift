#if SQLite
  import ECS

  /// The values of a component that is made of all its columns at once.
  final class MadeColumn<C: Component>: ComponentColumn {
    let layout: ComponentLayout
    private let rows: ComponentRows<C>
    private let paths: [JSONPath]
    private var values: [C?] = []

    init(_ layout: ComponentLayout, _ rows: ComponentRows<C>, _ paths: [JSONPath]) {
      (self.layout, self.rows, self.paths) = (layout, rows, paths)
    }

    var count: Int { values.count }
    func isPresent(_ row: Int) -> Bool { values[row] != nil }
    var presentCount: Int { values.count { $0 != nil } }
    func append(_ entity: Entity) { values.append(entity.get(C.self)) }
    func append(_ entities: [Entity]) { for entity in entities { append(entity) } }
    func append(
      present entities: EntitySet, _ found: inout [Entity], _ others: inout [Entity]
    ) {
      for entity in entities {
        if entity.has(C.cid) {
          append(entity)
          found.append(entity)
        } else {
          others.append(entity)
        }
      }
    }

    func appendAbsent() { values.append(nil) }

    func append(_ statement: RowStatement, at base: Int32) throws(RowFailure) {
      guard try isPresent(statement, at: base) else { return appendAbsent() }
      var row: [RowValue] = []
      for column in layout.fields {
        do throws(TransformFailure) {
          row.append(try statement.value(at: base + Int32(column - layout.columns.lowerBound)))
        } catch {
          throw RowFailure(column, error)
        }
      }
      values.append(try made(of: row))
    }

    func append(_ rows: [Int]?, of other: any ComponentColumn) {
      let other = same(other)
      guard let rows else { return values.append(contentsOf: other.values) }
      for row in rows { values.append(other.values[row]) }
    }

    func swapRemove(_ row: Int) {
      values.swapAt(row, values.count - 1)
      values.removeLast()
    }

    func removeAll() { values.removeAll(keepingCapacity: true) }

    func compare(
      _ row: Int, with other: any ComponentColumn, _ otherRow: Int,
      into differences: inout ColumnSet
    ) {
      switch (try? written(row), try? same(other).written(otherRow)) {
      case (let left?, let right?):
        for (index, column) in layout.columns.enumerated() where left[index] != right[index] {
          differences.insert(column)
        }
      default:
        // What can't be written is reported when it is to be.
        for column in layout.columns { differences.insert(column) }
      }
    }

    func isRow(_ row: Int, like statement: RowStatement, at base: Int32) -> Bool {
      guard let written = try? written(row) else { return false }
      return written.enumerated().allSatisfy { index, value in
        statement.holds(value, at: base + Int32(index))
      }
    }

    func replace(_ row: Int, with other: any ComponentColumn, _ otherRow: Int) {
      values[row] = same(other).values[otherRow]
    }

    func replace(
      _ column: Int, of row: Int, with other: any ComponentColumn, _ otherRow: Int
    ) throws(RowFailure) {
      try set(column, of: row, to: try other.value(column, of: otherRow))
    }

    func value(_ column: Int, of row: Int) throws(RowFailure) -> RowValue {
      try written(row)[column - layout.columns.lowerBound]
    }

    func integer(_ column: Int, of row: Int) -> Int64? { nil }

    func set(_ column: Int, of row: Int, to value: RowValue) throws(RowFailure) {
      if column == layout.presence {
        if value == .integer(0) || value.isNull {
          values[row] = nil
        } else if values[row] == nil {
          values[row] = rows.template
        }
        return
      }
      let number = column - layout.columns.lowerBound
      if value.isNull, !rows.areOptional[number], !layout.isRoot {
        if layout.presence == nil { values[row] = nil }
        return
      }
      var written: [RowValue]
      if values[row] == nil, let template = rows.template {
        written = try self.written(template)
      } else {
        written = Array(try self.written(row).prefix(layout.fields.count))
      }
      written[number] = value
      values[row] = try made(of: written)
    }

    func bind(_ row: Int, to statement: RowStatement, at base: Int32) throws(RowFailure) {
      for (index, value) in try written(row).enumerated() {
        statement.bind(value, at: base + Int32(index))
      }
    }

    func bind(
      _ column: Int, of row: Int, to statement: RowStatement, at position: Int32
    ) throws(RowFailure) {
      statement.bind(try value(column, of: row), at: position)
    }

    func apply(_ row: Int, to entity: Entity) {
      if let value = values[row] { entity.set(value) } else { entity.remove(C.self) }
    }

    func fill(_ columns: borrowing NewColumns, _ rows: [Int]?) {
      columns.initialize(C.self) { output in
        for row in rows ?? Array(values.indices) {
          guard let value = values[row] else { stop("A row has no \(C.self).") }
          output.append(value)
        }
      }
    }

    // MARK: The columns of a component

    private func made(of row: [RowValue]) throws(RowFailure) -> C {
      do throws(TransformFailure) {
        return try rows.read(row)
      } catch {
        throw failure(error)
      }
    }

    private func written(_ component: C) throws(RowFailure) -> [RowValue] {
      do throws(TransformFailure) {
        return try rows.write(component)
      } catch {
        throw failure(error)
      }
    }

    private func written(_ row: Int) throws(RowFailure) -> [RowValue] {
      let component = values[row]
      var written =
        try component.map { (component) throws(RowFailure) in try self.written(component) }
        ?? Array(repeating: .null, count: layout.fields.count)
      if layout.presence != nil { written.append(.integer(component == nil ? 0 : 1)) }
      return written
    }

    private func failure(_ error: TransformFailure) -> RowFailure {
      let index = paths.firstIndex { error.path.steps.starts(with: $0.steps) } ?? 0
      return RowFailure(layout.columns.lowerBound + index, error)
    }
  }
#endif
