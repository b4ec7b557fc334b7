#if SQLite
  import ECS

  /// The values of a component whose fields have a column each.
  final class FieldsColumn<C: Component>: ComponentColumn {
    let place: ComponentPlace
    private let template: C
    private let fields: (any FieldPort<C>)?
    private let capture: @Sendable (Entity, inout [C]) -> Bool

    // INVARIANT: As many of each. Values of rows without the component mean nothing.
    private var values: [C] = []
    private var present: [Bool] = []

    init(
      _ place: ComponentPlace, _ template: C, _ fields: (any FieldPort<C>)?,
      _ capture: @escaping @Sendable (Entity, inout [C]) -> Bool
    ) {
      (self.place, self.template, self.fields) = (place, template, fields)
      self.capture = capture
    }

    var count: Int { present.count }
    func isPresent(_ row: Int) -> Bool { present[row] }

    func append(_ entity: Entity) {
      if capture(entity, &values) { present.append(true) } else { appendAbsent() }
    }

    func appendAbsent() {
      values.append(template)
      present.append(false)
    }

    func append(_ statement: RowStatement, at base: Int32) throws(RowFailure) {
      guard try isPresent(statement, at: base) else { return appendAbsent() }
      var value = template
      try fields?.read(statement, at: base, into: &value)
      values.append(value)
      present.append(true)
    }

    func append(_ row: Int, of other: any ComponentColumn) {
      let other = same(other)
      values.append(other.values[row])
      present.append(other.present[row])
    }

    func swapRemove(_ row: Int) {
      values.swapAt(row, values.count - 1)
      values.removeLast()
      present.swapAt(row, present.count - 1)
      present.removeLast()
    }

    func removeAll() {
      values.removeAll(keepingCapacity: true)
      present.removeAll(keepingCapacity: true)
    }

    func compare(
      _ row: Int, with other: any ComponentColumn, _ otherRow: Int,
      into differences: inout ColumnSet
    ) {
      let other = same(other)
      switch (present[row], other.present[otherRow]) {
      case (true, true):
        fields?.compare(values[row], other.values[otherRow], into: &differences)
      case (false, false): break
      default: for column in place.columns { differences.insert(column) }
      }
    }

    func replace(_ row: Int, with other: any ComponentColumn, _ otherRow: Int) {
      let other = same(other)
      values[row] = other.values[otherRow]
      present[row] = other.present[otherRow]
    }

    func replace(
      _ column: Int, of row: Int, with other: any ComponentColumn, _ otherRow: Int
    ) throws(RowFailure) {
      let other = same(other)
      if column != place.presence, present[row], other.present[otherRow] {
        port(column).field.copy(other.values[otherRow], to: &values[row])
      } else {
        try set(column, of: row, to: try other.value(column, of: otherRow))
      }
    }

    func value(_ column: Int, of row: Int) throws(RowFailure) -> RowValue {
      if column == place.presence { return .integer(present[row] ? 1 : 0) }
      if !present[row] { return .null }
      do throws(TransformFailure) {
        return try port(column).field.write(values[row])
      } catch {
        throw RowFailure(column, error)
      }
    }

    func set(_ column: Int, of row: Int, to value: RowValue) throws(RowFailure) {
      if column == place.presence {
        if !present[row] { values[row] = template }
        present[row] = value != .integer(0) && !value.isNull
        return
      }
      let field = port(column).field
      if value.isNull, !field.isOptional, !place.isRoot {
        // Another one of its columns has said the same, or will do so.
        if place.presence == nil { present[row] = false }
        return
      }
      var component = present[row] ? values[row] : template
      do throws(TransformFailure) {
        try field.read(value, into: &component)
      } catch {
        throw RowFailure(column, error)
      }
      values[row] = component
      if place.presence == nil, !value.isNull { present[row] = true }
    }

    func bind(_ row: Int, to statement: RowStatement, at base: Int32) throws(RowFailure) {
      guard present[row] else { return bindAbsent(to: statement, at: base) }
      try fields?.bind(values[row], to: statement, at: base)
      if place.presence != nil {
        statement.bind(1 as Int64, at: base + Int32(place.columns.count - 1))
      }
    }

    func apply(_ row: Int, to entity: Entity) {
      if present[row] { entity.set(values[row]) } else { entity.remove(C.self) }
    }

    func fill(_ columns: borrowing NewColumns, _ rows: [Int]?) {
      let values = values
      guard let rows else { return columns.copy(values.span) }
      columns.initialize(C.self) { output in
        for row in rows { output.append(values[row]) }
      }
    }

    private func port(_ column: Int) -> any FieldPort<C> {
      var port = fields
      while let one = port {
        if one.column == column { return one }
        port = one.next
      }
      stop("\(C.self) has no column \(column).")
    }
  }
#endif
