#if SQLite
  import ECS

  /// The values of a component whose fields have a column each.
  final class FieldsColumn<C: Component>: ComponentColumn {
    let layout: ComponentLayout
    private let isRoot: Bool
    private let template: C

    /// By the order of their columns.
    private let fields: [RowField<C>]
    private let capture: @Sendable (Entity, inout [C]) -> Bool

    /// Values of rows without the component mean nothing.
    private let rows: ComponentBuffer<C>

    /// The same ones, for code that does not depend on the component.
    private let raw: RawRows

    init(
      _ layout: ComponentLayout, _ template: C, _ fields: [RowField<C>],
      _ capture: @escaping @Sendable (Entity, inout [C]) -> Bool
    ) {
      (self.layout, self.template, self.fields) = (layout, template, fields)
      isRoot = layout.isRoot
      self.capture = capture
      rows = ComponentBuffer(fields, template)
      raw = rows
    }

    var count: Int { raw.count }
    var presentCount: Int { raw.presentCount }
    func isPresent(_ row: Int) -> Bool { raw.isPresent(row) }

    func append(_ entity: Entity) { append([entity]) }

    func append(_ entities: [Entity]) {
      var values: [C] = []
      values.reserveCapacity(entities.count)
      for entity in entities where !capture(entity, &values) {
        rows.append(contentsOf: values)
        values.removeAll(keepingCapacity: true)
        appendAbsent()
      }
      rows.append(contentsOf: values)
    }

    func append(
      present entities: EntitySet, _ found: inout [Entity], _ others: inout [Entity]
    ) {
      var values: [C] = []
      values.reserveCapacity(entities.count)
      for entity in entities {
        if capture(entity, &values) { found.append(entity) } else { others.append(entity) }
      }
      rows.append(contentsOf: values)
    }

    func appendAbsent() { raw.appendTemplate(isPresent: false) }

    func append(_ statement: RowStatement, at base: Int32) throws(RowFailure) {
      if !isRoot {
        guard try isPresent(statement, at: base) else { return appendAbsent() }
      }
      raw.appendTemplate(isPresent: true)
      let row = raw.count - 1
      var number = raw.read(statement, at: base, from: 0, into: row)
      // PERFORMANCE: K3: not the number of `fields`, since asking an array of a generic class looks
      // its metadata up.
      while number < raw.fields.count {
        do throws(TransformFailure) {
          try fields[number].read(
            try statement.value(at: base + Int32(number)), into: &rows[row])
        } catch {
          rows.swapRemove(row)
          throw RowFailure(layout.columns.lowerBound + number, error)
        }
        number = raw.read(statement, at: base, from: number + 1, into: row)
      }
    }

    func append(_ rows: [Int]?, of other: any ComponentColumn) {
      self.rows.append(rows, of: same(other).rows)
    }

    func swapRemove(_ row: Int) { rows.swapRemove(row) }
    func removeAll() { rows.removeAll() }

    func compare(
      _ row: Int, with other: any ComponentColumn, _ otherRow: Int,
      into differences: inout ColumnSet
    ) {
      let other = same(other)
      switch (raw.isPresent(row), other.raw.isPresent(otherRow)) {
      case (true, true):
        for (index, field) in raw.fields.enumerated() {
          let areAlike =
            if let field {
              raw.areAlike(field, row, other.raw, otherRow)
            } else {
              fields[index].areAlike(rows[row], other.rows[otherRow])
            }
          if !areAlike { differences.insert(layout.columns.lowerBound + index) }
        }
      case (false, false): break
      default: for column in layout.columns { differences.insert(column) }
      }
    }

    func isRow(_ row: Int, like statement: RowStatement, at base: Int32) -> Bool {
      guard let isPresent = try? isPresent(statement, at: base), isPresent == raw.isPresent(row)
      else { return false }
      if !isPresent { return true }
      var number = raw.countAlike(row, from: 0, in: statement, at: base)
      while number < raw.fields.count {
        if raw.fields[number] != nil { return false }
        guard let value = try? fields[number].write(rows[row]),
          statement.holds(value, at: base + Int32(number))
        else { return false }
        number = raw.countAlike(row, from: number + 1, in: statement, at: base)
      }
      return true
    }

    func replace(_ row: Int, with other: any ComponentColumn, _ otherRow: Int) {
      let other = same(other)
      rows[row] = other.rows[otherRow]
      raw.setPresent(other.raw.isPresent(otherRow), row)
    }

    func replace(
      _ column: Int, of row: Int, with other: any ComponentColumn, _ otherRow: Int
    ) throws(RowFailure) {
      let other = same(other)
      if column != layout.presence, raw.isPresent(row), other.raw.isPresent(otherRow) {
        field(column).copy(other.rows[otherRow], to: &rows[row])
      } else {
        try set(column, of: row, to: try other.value(column, of: otherRow))
      }
    }

    func value(_ column: Int, of row: Int) throws(RowFailure) -> RowValue {
      if column == layout.presence { return .integer(raw.isPresent(row) ? 1 : 0) }
      if !raw.isPresent(row) { return .null }
      let field = field(column)
      if let plain = raw.fields[column - layout.columns.lowerBound],
        let value = raw.value(plain, row)
      {
        return value
      }
      do throws(TransformFailure) {
        return try field.write(rows[row])
      } catch {
        throw RowFailure(column, error)
      }
    }

    func integer(_ column: Int, of row: Int) -> Int64? {
      guard raw.isPresent(row), layout.fields.contains(column),
        let field = raw.fields[column - layout.columns.lowerBound]
      else { return nil }
      return raw.integer(field, row)
    }

    func set(_ column: Int, of row: Int, to value: RowValue) throws(RowFailure) {
      if column == layout.presence {
        if !raw.isPresent(row) { rows[row] = template }
        raw.setPresent(value != .integer(0) && !value.isNull, row)
        return
      }
      let field = field(column)
      if value.isNull, !field.isOptional, !layout.isRoot {
        // Another one of its columns has said the same, or will do so.
        if layout.presence == nil { raw.setPresent(false, row) }
        return
      }
      var component = raw.isPresent(row) ? rows[row] : template
      do throws(TransformFailure) {
        try field.read(value, into: &component)
      } catch {
        throw RowFailure(column, error)
      }
      rows[row] = component
      if layout.presence == nil, !value.isNull { raw.setPresent(true, row) }
    }

    func bind(_ row: Int, to statement: RowStatement, at base: Int32) throws(RowFailure) {
      guard raw.isPresent(row) else { return bindAbsent(to: statement, at: base) }
      var number = raw.bind(row, from: 0, to: statement, at: base)
      while number < raw.fields.count {
        do throws(TransformFailure) {
          statement.bind(try fields[number].write(rows[row]), at: base + Int32(number))
        } catch {
          throw RowFailure(layout.columns.lowerBound + number, error)
        }
        number = raw.bind(row, from: number + 1, to: statement, at: base)
      }
      if layout.presence != nil {
        statement.bind(1 as Int64, at: base + Int32(layout.columns.count - 1))
      }
    }

    func bind(
      _ column: Int, of row: Int, to statement: RowStatement, at number: Int32
    ) throws(RowFailure) {
      if raw.isPresent(row), layout.fields.contains(column),
        let field = raw.fields[column - layout.columns.lowerBound],
        raw.bind(field, of: row, to: statement, at: number)
      {
        return
      }
      statement.bind(try value(column, of: row), at: number)
    }

    func apply(_ row: Int, to entity: Entity) {
      if raw.isPresent(row) { entity.set(rows[row]) } else { entity.remove(C.self) }
    }

    func fill(_ columns: borrowing NewColumns, _ some: [Int]?) {
      guard let some else { return rows.copy(to: columns) }
      columns.initialize(C.self) { output in
        for row in some { output.append(rows[row]) }
      }
    }

    private func field(_ column: Int) -> RowField<C> {
      require(layout.fields.contains(column), "\(C.self) has no column \(column).")
      return fields[column - layout.columns.lowerBound]
    }
  }
#endif
