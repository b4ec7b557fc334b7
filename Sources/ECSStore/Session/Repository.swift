#if SQLite
  public import ECS
  import ECSRecipes

  /// The entities of one table in one session: finds, makes and deletes them.
  ///
  /// ```swift
  /// let books = session.repository(bookTable)
  /// try books.create(Book(isbn: "1", title: "Flatland"))
  /// let long = try books.fetch(where: { $0.pages >= 200 }, sortedBy: Sort(\Book.title), limit: 10)
  /// ```
  ///
  /// What it finds is what the context has, unsaved changes included; what it makes and deletes is
  /// saved with everything else when the session saves.
  public struct Repository<Root: Component, Key: Sendable>: Sendable {
    let context: Context
    let table: Table<Root, Key>
    let index: KeyIndex<Key>?

    /// Where rows come from, and the number of the table there; nil if all are in memory.
    let source: (session: StoreSession, number: Int)?

    /// The relations that links of the table's rows are kept of.
    private let relations: Set<ObjectIdentifier>

    package init(_ table: Table<Root, Key>, in context: Context, of schema: Schema) {
      self.init(table, in: context, of: schema, table.keys?.makeIndex(context))
    }

    init(
      _ table: Table<Root, Key>, in context: Context, of schema: Schema, _ index: KeyIndex<Key>?,
      _ session: StoreSession? = nil
    ) {
      (self.context, self.table, self.index) = (context, table, index)
      guard let number = schema.plan.number(of: table.name),
        schema.plan.tables[number].definition === table.definition
      else {
        stop(
          "A repository of the table \(table.name) was asked of a store whose schema does not list it: pass the very table that the schema was made of."
        )
      }
      relations = schema.plan.relations(from: number)
      source = table.isOnRequest ? session.map { ($0, number) } : nil
    }

    /// All entities of the table: the source of live views, collectors and observers.
    public var group: Group { context.group(Root.matcher) }

    // MARK: Making and finding

    /// Makes an entity, and lets a closure complete it in the same section.
    ///
    /// - Parameters:
    ///   - root: The component that makes it a row.
    ///   - configure: Gives it other components and links; observers see the entity when it is
    ///     done.
    /// - Returns: The entity.
    /// - Throws: ``StoreError/duplicateKey(table:key:)`` if an entity of the context has the key,
    ///   or a row of a table on request; nothing has changed then. In a section of the context,
    ///   only saving asks the file.
    @discardableResult
    public func create(
      _ root: Root, _ configure: (Entity) -> Void = { _ in }
    ) throws(StoreError) -> Entity {
      try checkFile(for: root)
      return try context.perform { () throws(StoreError) in
        if let key = table.keys?.key?(root), entity(of: key) != nil {
          throw .duplicateKey(table: table.name, key: keyText(of: key))
        }
        let entity = context.createEntity(with: root)
        configure(entity)
        return entity
      }
    }

    /// All entities, in the order of their rows, new ones last; those of a table on request in the
    /// order of their keys.
    ///
    /// - Complexity: As that of a group's `sorted()`.
    public func all() throws(StoreError) -> EntitySet {
      EntitySet(source == nil ? group.sorted() : try fetch(.all, [], nil, 0))
    }

    /// The entities that fulfil a condition.
    ///
    /// ```swift
    /// try books.fetch(where: { $0.pages >= 200 && $0.title != "C" }, sortedBy: Sort(\Book.title, .descending), limit: 2)
    /// ```
    ///
    /// - Parameters:
    ///   - condition: What entities have to fulfil; all do by default.
    ///   - order: What to sort by, the most important first; nil comes last in both directions, and
    ///     ties are in the order of creation.
    ///   - limit: How many there are to be at most.
    ///   - offset: How many of the first are left out.
    /// - Returns: The entities.
    /// - Throws: ``StoreError``, if a column to sort by is not there.
    /// - Complexity: O(*n*), plus sorting what was found. For lists that stay, take a live view of
    ///   ``group``.
    public func fetch(
      where condition: (RowReference<Root>) -> Condition = { _ in .all }, sortedBy order: Sort...,
      limit: Int? = nil, offset: Int = 0
    ) throws(StoreError) -> [Entity] {
      try fetch(condition(RowReference()), order, limit, offset)
    }

    func fetch(
      _ condition: Condition, _ order: [Sort], _ limit: Int?, _ offset: Int
    ) throws(StoreError) -> [Entity] {
      ECS.require(
        offset >= 0 && limit ?? 0 >= 0,
        "fetch was given the limit \(limit ?? 0) and the offset \(offset): pass none below 0.")
      if let source {
        return try source.session.fetch(source.number, condition, order, limit, offset)
      }
      return try context.sectionToRead { () throws(StoreError) in
        let found = group.sorted().filter(condition.holds)
        let sorted = try Sort.sorted(found, by: order, table.definition)
        return Array(sorted.dropFirst(offset).prefix(limit ?? .max))
      }
    }

    /// The first of the entities that fulfil a condition; nil if none does.
    public func first(
      where condition: (RowReference<Root>) -> Condition = { _ in .all }, sortedBy order: Sort...
    ) throws(StoreError) -> Entity? {
      try fetch(condition(RowReference()), order, 1, 0).first
    }

    /// How many entities fulfil a condition.
    public func count(
      where condition: (RowReference<Root>) -> Condition = { _ in .all }
    ) throws(StoreError) -> Int {
      let condition = condition(RowReference())
      if let source { return try source.session.count(source.number, condition) }
      if case .all = condition.node { return group.count }
      return context.sectionToRead { group.reduce(0) { $0 + (condition.holds(for: $1) ? 1 : 0) } }
    }

    /// Whether an entity fulfils a condition.
    public func exists(
      where condition: (RowReference<Root>) -> Condition = { _ in .all }
    ) throws(StoreError) -> Bool {
      let condition = condition(RowReference())
      if let source { return try source.session.count(source.number, condition, limit: 1) > 0 }
      if case .all = condition.node { return !group.isEmpty }
      return context.sectionToRead { group.contains(where: condition.holds) }
    }

    // MARK: Deleting

    /// Destroys an entity; its row goes with the next save, and related entities as their rules
    /// say.
    ///
    /// - Throws: `DestructionDenied` if a relation denies it.
    public func delete(_ entity: Entity) throws(DestructionDenied) {
      try entity.destroyIfAllowed()
    }

    /// Destroys all entities that fulfil a condition, apart from those of which a relation denies
    /// it.
    ///
    /// - Returns: How many were destroyed so; entities that went with them do not count.
    @discardableResult
    public func deleteAll(
      where condition: (RowReference<Root>) -> Condition = { _ in .all }
    ) throws(StoreError) -> Int {
      let condition = condition(RowReference())
      let loaded = source == nil ? nil : try fetch(condition, [], nil, 0)
      return try context.perform { () throws(StoreError) in
        var count = 0
        let found = if let loaded { loaded } else { try fetch(condition, [], nil, 0) }
        for entity in found where entity.isAlive {
          do throws(DestructionDenied) {
            try entity.destroyIfAllowed()
            count += 1
          } catch {
            continue
          }
        }
        return count
      }
    }

    // MARK: Relations

    /// The entities of this table that a relation leads from to an entity: the children of a
    /// parent.
    ///
    /// - Throws: ``StoreError/noForeignKey(table:relation:)`` if the table does not keep the
    ///   relation.
    public func related<R: Relation>(
      _ relation: R.Type, to target: Entity
    ) throws(StoreError) -> RelatedEntities<R> {
      guard relations.contains(ObjectIdentifier(relation)) else {
        throw .noForeignKey(table: table.name, relation: "\(relation)")
      }
      return target.sources(relation)
    }

    // MARK: Keys

    func entity(of key: Key) -> Entity? {
      guard let index, let keys = table.keys else { return nil }
      return index.entities(key).first { entity in
        guard entity.has(Root.self), let own = index.key(entity) else { return false }
        return keys.areSame(own, key, in: table.definition)
      }
    }

    func keyText(of key: Key) -> String {
      (key as? any TableKey)?.keyText ?? "\(key)"
    }
  }

  // Not there for tables without a key: `find` does not compile for them.
  extension Repository where Key: TableKey {
    /// The entity of a key; nil if there is none in memory, where ``load(_:)`` looks into the file
    /// as well.
    ///
    /// - Complexity: O(1) on average.
    public func find(_ key: Key) -> Entity? { entity(of: key) }

    /// The entity of a key, as ``load(_:)`` finds it.
    ///
    /// - Throws: ``StoreError/notFound(table:key:)``, or what reading throws.
    public func require(_ key: Key) throws(StoreError) -> Entity {
      guard let entity = try load(key) else {
        throw .notFound(table: table.name, key: key.keyText)
      }
      return entity
    }

    /// Sets the component of the entity of its key, made if there is none; silent if nothing
    /// differs.
    ///
    /// An entity whose key the database gives out is always made, since the component does not hold
    /// it.
    ///
    /// The row of a table on request is read before. If that is not possible, or in a section of
    /// the context, an entity is made, and saving tells that its key is taken.
    @discardableResult
    public func upsert(_ root: Root) -> Entity {
      if let key = table.keys?.key?(root) { _ = loadIfPossible(key) }
      return context.perform {
        guard let key = table.keys?.key?(root), let entity = find(key) else {
          // Not in memory, and not in the file, as far as that could be asked.
          return context.createEntity(with: root)
        }
        if let old = entity.get(Root.self), !differ(old, root) { return entity }
        return entity.set(root)
      }
    }

    /// Whether two components differ: by `==` if they have it, and in what the recipe maps, texts
    /// byte by byte.
    private func differ(_ old: Root, _ new: Root) -> Bool {
      if let old = old as? any Equatable, !old.isEqual(to: new) { return true }
      let component = table.recipe.components.first { $0.component == Root.cid }
      guard let rows = component?.rows as? ComponentRows<Root>,
        let before = try? rows.write(old), let after = try? rows.write(new)
      else { return true }
      return before != after
    }

    /// Destroys the entity of a key; false if there is none.
    ///
    /// The row of a table on request is read before, outside of sections.
    ///
    /// - Throws: `DestructionDenied` if a relation denies it.
    @discardableResult
    public func delete(key: Key) throws(DestructionDenied) -> Bool {
      guard let entity = loadIfPossible(key) else { return false }
      try entity.destroyIfAllowed()
      return true
    }
  }

  extension Equatable {
    fileprivate func isEqual(to other: Any) -> Bool { other as? Self == self }
  }

  extension SchemaPlan {
    /// The relations whose links from rows of a table are kept.
    fileprivate func relations(from table: Int) -> Set<ObjectIdentifier> {
      var relations: Set<ObjectIdentifier> = []
      for link in links {
        switch link.relation.link.kind {
        case .targets(let type) where link.owner == table: relations.insert(ObjectIdentifier(type))
        case .sources(let type) where link.nested == table: relations.insert(ObjectIdentifier(type))
        default: break
        }
      }
      return relations
    }
  }
#endif
