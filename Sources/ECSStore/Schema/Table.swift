#if SQLite
  public import ECS
  public import ECSRecipes

  /// A table for the entities of one kind: a recipe, and what SQL needs beyond it.
  ///
  /// ```swift
  /// let books = try Table("book", key: \Book.isbn) {
  ///   Fields(of: Book()) {
  ///     Field(\.isbn, at: "isbn")
  ///     Field(\.title, at: "title")
  ///     Field(\.pages, at: "pages")
  ///   }
  ///   Nested(many: authors.recipe, at: "authors", as: .key, through: .targets(of: WrittenBy.self))
  /// } columns: {
  ///   Column(\Book.title).indexed()
  /// }
  /// ```
  ///
  /// Each entity that has the component `Root` is a row, each field of the recipe a column: its
  /// path gives the name (`contact.email` is `contact_email`), its transformer the type, and the
  /// recipe's template the default. Fields that may be nil may be NULL.
  ///
  /// A row may lack the other components of the recipe: all their columns are NULL then. A
  /// component all of whose fields may be nil has one column more, `has_` with the name of its
  /// type.
  ///
  /// Nested recipes are foreign keys (one) or join tables (many). What the recipe does not map is
  /// not kept.
  public struct Table<Root: Component, Key: Sendable>: Sendable {
    var definition: TableDefinition

    /// How entities have keys; nil for tables without.
    let keys: KeyAccess<Root, Key>?

    /// The name of the table, which is that of the recipe.
    public var name: String { definition.name }

    /// The mapping, to be used with mappers and remotes as well.
    public var recipe: Recipe { definition.recipe }

    /// The columns of fields in order, as they are to be in the database.
    ///
    /// Those of nested recipes come with the ``Schema``, which has the tables of these.
    public var columns: [ColumnDescription] { definition.columns.map(\.description) }

    /// Whether rows become entities when they are asked for; see ``onRequest()``.
    public var isOnRequest: Bool { definition.isOnRequest }
  }

  extension Table where Key: StoreKey {
    /// Keeps the entities of a recipe that have a key of their own.
    ///
    /// If the component of the key holds nothing else, an entity that has the first of the recipe's
    /// other components without it is taken for a row that has no key yet, and can't be saved:
    /// ``StoreError/missingKey(table:entity:)``. Other components alone are not kept.
    ///
    /// - Parameters:
    ///   - recipe: The mapping.
    ///   - key: The field that is the key; it must be mapped and not optional.
    ///   - columns: What the recipe does not say.
    /// - Throws: ``SchemaError``, if a column is described that the recipe does not map, two
    ///   columns have one name, or the key may be nil.
    public init(
      _ recipe: Recipe, key: any KeyPath<Root, Key> & Sendable,
      @ColumnsBuilder columns: () -> [ColumnAdjustment] = { [] }
    ) throws(SchemaError) {
      let reader = FieldReader(key)
      let writer = ColumnWriter(key)
      keys = KeyAccess { (key, table) throws(TransformFailure) in
        RowKey(try writer(key, table.keyColumns[0], in: table))
      } _: { (root: Root) in
        reader.get(root)
      }
      definition = try TableDefinition(
        recipe, root: Root.self, key: .fields([key]), adjustments: columns())
    }

    /// Keeps the entities of a recipe whose key is a component of its own.
    ///
    /// ```swift
    /// let notes = try Table(recipe, of: Note.self, key: \NoteID.value)
    /// ```
    ///
    /// An entity without the component of the key can't be saved, which is
    /// ``StoreError/missingKey(table:entity:)``.
    ///
    /// - Parameters:
    ///   - recipe: The mapping.
    ///   - root: The component that makes an entity a row.
    ///   - key: The field of another component that is the key; it must be mapped and not optional,
    ///     and the only one that the recipe maps of that component.
    ///   - columns: What the recipe does not say.
    /// - Throws: ``SchemaError``, as the other initializers, and if the component of the key holds
    ///   other fields.
    public init<K: Component>(
      _ recipe: Recipe, of root: Root.Type, key: any KeyPath<K, Key> & Sendable,
      @ColumnsBuilder columns: () -> [ColumnAdjustment] = { [] }
    ) throws(SchemaError) {
      let reader = FieldReader(key)
      let writer = ColumnWriter(key)
      keys = KeyAccess { (key, table) throws(TransformFailure) in
        RowKey(try writer(key, table.keyColumns[0], in: table))
      } beside: { (component: K) in
        reader.get(component)
      }
      definition = try TableDefinition(
        recipe, root: root, key: .fields([key]), adjustments: columns())
    }

    /// Keeps the entities of a recipe that is made here.
    public init(
      _ name: String, key: any KeyPath<Root, Key> & Sendable,
      @RecipeBuilder _ parts: () -> [RecipePart],
      @ColumnsBuilder columns: () -> [ColumnAdjustment] = { [] }
    ) throws(SchemaError) {
      try self.init(
        TableDefinition.makeRecipe(name, identity: Identity(key), parts()), key: key,
        columns: columns)
    }
  }

  extension Table {
    /// Keeps the entities of a recipe that have two fields as their key.
    public init<First: StoreKey, Second: StoreKey>(
      _ name: String, key first: any KeyPath<Root, First> & Sendable,
      _ second: any KeyPath<Root, Second> & Sendable, @RecipeBuilder _ parts: () -> [RecipePart],
      @ColumnsBuilder columns: () -> [ColumnAdjustment] = { [] }
    ) throws(SchemaError) where Key == KeyPair<First, Second> {
      definition = try TableDefinition(
        TableDefinition.makeRecipe(name, identity: nil, parts()), root: Root.self,
        key: .fields([first, second]), adjustments: columns())
      let writers = (ColumnWriter(first), ColumnWriter(second))
      keys = KeyAccess { (key, table) throws(TransformFailure) in
        let columns = table.keyColumns
        return RowKey([
          try writers.0(key.first, columns[0], in: table),
          try writers.1(key.second, columns[1], in: table),
        ])
      } _: { (root: Root) in
        KeyPair(root[keyPath: first], root[keyPath: second])
      }
    }

    /// Keeps the entities of a recipe that have three fields as their key.
    public init<First: StoreKey, Second: StoreKey, Third: StoreKey>(
      _ name: String, key first: any KeyPath<Root, First> & Sendable,
      _ second: any KeyPath<Root, Second> & Sendable, _ third: any KeyPath<Root, Third> & Sendable,
      @RecipeBuilder _ parts: () -> [RecipePart],
      @ColumnsBuilder columns: () -> [ColumnAdjustment] = { [] }
    ) throws(SchemaError) where Key == KeyTriple<First, Second, Third> {
      definition = try TableDefinition(
        TableDefinition.makeRecipe(name, identity: nil, parts()), root: Root.self,
        key: .fields([first, second, third]), adjustments: columns())
      let writers = (ColumnWriter(first), ColumnWriter(second), ColumnWriter(third))
      keys = KeyAccess { (key, table) throws(TransformFailure) in
        let columns = table.keyColumns
        return RowKey([
          try writers.0(key.first, columns[0], in: table),
          try writers.1(key.second, columns[1], in: table),
          try writers.2(key.third, columns[2], in: table),
        ])
      } _: { (root: Root) in
        KeyTriple(root[keyPath: first], root[keyPath: second], root[keyPath: third])
      }
    }
  }

  extension Table where Key == Int64 {
    /// Keeps entities whose keys the database gives out: 1, 2, 3, and none twice.
    ///
    /// An entity has no key until it is saved; then it gets the component.
    ///
    /// - Parameters:
    ///   - name: The name of the table.
    ///   - root: The component that makes an entity a row.
    ///   - key: The field of another component, which holds the key alone.
    ///   - template: That component, with any key.
    ///   - parts: The mapping, without the key.
    ///   - columns: What the recipe does not say.
    /// - Throws: ``SchemaError``.
    public init<K: Component>(
      _ name: String, of root: Root.Type,
      generatedKey key: any WritableKeyPath<K, Int64> & Sendable,
      in template: K, @RecipeBuilder _ parts: () -> [RecipePart],
      @ColumnsBuilder columns: () -> [ColumnAdjustment] = { [] }
    ) throws(SchemaError) {
      let identity = Identity(key, at: "id", of: template)
      definition = try TableDefinition(
        TableDefinition.makeRecipe(name, identity: identity, parts()), root: root,
        key: .generated(key),
        adjustments: columns())
      let reader = FieldReader(key)
      keys = KeyAccess { key, _ in
        .integer(key)
      } beside: { (key: K) in
        reader.get(key)
      }
    }
  }

  extension Table where Key == NoKey {
    /// Keeps entities that have no key: nothing outside can name them.
    public init(
      _ name: String, of root: Root.Type, @RecipeBuilder _ parts: () -> [RecipePart],
      @ColumnsBuilder columns: () -> [ColumnAdjustment] = { [] }
    ) throws(SchemaError) {
      definition = try TableDefinition(
        TableDefinition.makeRecipe(name, identity: nil, parts()), root: root, key: .none,
        adjustments: columns())
      keys = nil
    }
  }

  extension Table: StoredTable {
    /// What a schema needs of it.
    public var parts: TableParts { TableParts(definition: definition) }
  }

#endif
