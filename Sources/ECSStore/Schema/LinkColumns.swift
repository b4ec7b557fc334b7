#if SQLite
  import ECS
  import ECSRecipes

  /// The columns of a table of pairs that have the values of links, and how a value is put into
  /// them.
  struct LinkColumns: Sendable {
    let columns: [ColumnDescription]

    /// What pairs get that are there when a column comes.
    let valuesForExistingRows: [RowValue?]

    /// What stands for a value, column by column; nil where there is no form for it.
    let forms: @Sendable (any Component) -> [RowValue?]

    /// What stands for a value.
    let write: @Sendable (any Component) throws(RowFailure) -> [RowValue]

    /// The value that columns stand for.
    let read: @Sendable ([RowValue]) throws(RowFailure) -> any Component

    /// A value in which what some columns stand for replaces what was there.
    let merge: @Sendable (any Component, [RowValue], ColumnSet) throws(RowFailure) -> any Component

    /// Makes a column of each field of a component.
    ///
    /// - Throws: ``RowFailure``, if the value that new ones start from has no form.
    init<C: Component>(
      _ component: RecipeComponent, _ rows: ComponentRows<C>, _ adjustments: [ColumnAdjustment]
    ) throws(RowFailure) {
      let defaults = try rows.template.map { template throws(RowFailure) in
        try LinkColumns.written(template, rows)
      }
      var columns: [ColumnDescription] = []
      var existing: [RowValue?] = []
      for (index, field) in component.fields.enumerated() {
        let adjustment = adjustments.first { $0.isAbout(field) }
        var column = ColumnDescription(
          adjustment?.name ?? ColumnNames.name(field.path), ColumnType(rows.kinds[index]),
          isNullable: rows.areOptional[index] && adjustment?.isNotNull != true)
        if let value = defaults?[index], !value.isNull { column.defaultValue = value }
        columns.append(column)
        guard let json = adjustment?.valueForExistingRows else {
          existing.append(column.defaultValue)
          continue
        }
        do throws(TransformFailure) {
          existing.append(try ColumnNames.value(json, rows.kinds[index]))
        } catch {
          throw RowFailure(index, error)
        }
      }
      self.columns = columns
      valuesForExistingRows = existing
      forms = { value in
        guard let value = value as? C else { return component.fields.map { _ in .null } }
        guard let fields = rows.fields else {
          let written = try? rows.write(value)
          return component.fields.indices.map { written?[$0] }
        }
        return fields.map { try? $0.write(value) }
      }
      write = { (value) throws(RowFailure) in
        guard let value = value as? C else { return component.fields.map { _ in .null } }
        return try LinkColumns.written(value, rows)
      }
      read = { (values) throws(RowFailure) in try LinkColumns.value(values, rows) }
      merge = { (present, values, changed) throws(RowFailure) in
        guard var value = present as? C else { return try LinkColumns.value(values, rows) }
        guard let fields = rows.fields else {
          if changed.count == values.count { return try LinkColumns.value(values, rows) }
          var mixed = try LinkColumns.written(value, rows)
          for column in changed { mixed[column] = values[column] }
          return try LinkColumns.value(mixed, rows)
        }
        for column in changed {
          do throws(TransformFailure) {
            try fields[column].read(values[column], into: &value)
          } catch {
            throw RowFailure(column, error)
          }
        }
        return value
      }
    }

    private static func written<C: Component>(
      _ value: C, _ rows: ComponentRows<C>
    ) throws(RowFailure) -> [RowValue] {
      guard let fields = rows.fields else {
        do throws(TransformFailure) {
          return try rows.write(value)
        } catch {
          throw RowFailure(0, error)
        }
      }
      var values: [RowValue] = []
      for (column, field) in fields.enumerated() {
        do throws(TransformFailure) {
          values.append(try field.write(value))
        } catch {
          throw RowFailure(column, error)
        }
      }
      return values
    }

    private static func value<C: Component>(
      _ values: [RowValue], _ rows: ComponentRows<C>
    ) throws(RowFailure) -> C {
      guard let fields = rows.fields, var value = rows.template else {
        do throws(TransformFailure) {
          return try rows.read(values)
        } catch {
          throw RowFailure(0, error)
        }
      }
      for (column, field) in fields.enumerated() {
        do throws(TransformFailure) {
          try field.read(values[column], into: &value)
        } catch {
          throw RowFailure(column, error)
        }
      }
      return value
    }

    /// The columns that were read, as this program would write them.
    ///
    /// So what another program has spelt otherwise is no change. What can't be read stays as it is.
    func normalized(_ stored: [RowValue]) -> [RowValue] {
      (try? read(stored)).flatMap { try? write($0) } ?? stored
    }

    /// The columns in which two values differ; what has no form differs from everything.
    static func difference(_ one: [RowValue?], _ other: [RowValue?]) -> ColumnSet {
      ColumnSet(
        one.indices.filter {
          guard $0 < other.count, let one = one[$0], let other = other[$0] else { return true }
          return !one.isSame(other)
        })
    }
  }
#endif
