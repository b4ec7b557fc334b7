#if SQLite
  import ECS
  import ECSRecipes

  /// A way to write values of a field to their column, whatever the table.
  struct ColumnWriter<Value: Sendable>: Sendable {
    let keyPath: any AnyKeyPath & Sendable
    private let write: @Sendable (Value, any Sendable, Int) throws(TransformFailure) -> RowValue

    init<C: Component>(_ path: any KeyPath<C, Value> & Sendable) {
      keyPath = path
      // A key path that writes puts the value into a component, whose recipe determines what is
      // written of it.
      write = { (value, rows, number) throws(TransformFailure) in
        if let rows = rows as? ComponentRows<C>, let writable = path as? WritableKeyPath<C, Value>,
          var component = rows.template
        {
          component[keyPath: writable] = value
          if let fields = rows.fields { return try fields[number].write(component) }
          return try rows.write(component)[number]
        }
        guard let value = value as? any RecipeValue else {
          throw .invalid("\(Value.self) has no form in a column by itself")
        }
        return try value.rowValue()
      }
    }

    /// What stands for a value in its column.
    func callAsFunction(_ value: Value, _ column: Int, in table: TableDefinition)
      throws(TransformFailure) -> RowValue
    {
      let component = table.columns[column].component
      let cid = table.components[component].layout.cid
      guard let rows = table.recipe.components.first(where: { $0.component == cid })?.rows else {
        throw .invalid("its component has no columns")
      }
      return try write(value, rows, table.columns[column].field)
    }
  }

  extension RecipeValue {
    fileprivate func rowValue() throws(TransformFailure) -> RowValue {
      try Self.transformer.rows.write(self)
    }
  }

  extension TableDefinition {
    /// The number of the column of a field; nil if it has none.
    func number(of keyPath: any AnyKeyPath & Sendable) -> Int? {
      columns.firstIndex { $0.keyPath.map { $0 as AnyKeyPath == keyPath as AnyKeyPath } ?? false }
    }

    /// The number of the column of a field.
    ///
    /// - Throws: ``StoreError/schemaMismatch(table:detail:)`` if it has none.
    func column(of keyPath: any AnyKeyPath & Sendable) throws(StoreError) -> Int {
      guard let column = number(of: keyPath) else {
        throw .schemaMismatch(
          table: name,
          detail: "\(keyPath) has no column, by which rows of a table on request are told apart")
      }
      return column
    }
  }
#endif
