extension Context {
  /// Creates an entity from a template, with its children.
  ///
  /// As ``createEntity(with:)`` of each of them, together, with the links between them.
  ///
  /// - Parameter template: What they are made from.
  /// - Returns: The first entity of the template; the others are linked to it.
  /// - Complexity: O(*c*) amortized, where *c* is the number of components of all entities of the
  ///   template.
  @discardableResult
  public func createEntity(from template: Template) -> Entity {
    core.enter()
    defer { core.leave() }
    // PERFORMANCE: Q3: one entity needs no lists.
    if core.acceptsChanges, template.nodes.count == 1 {
      let handle = BatchCreation(core: core).createOne(template.nodes[0].values)
      return Entity(core: core, handle: handle)
    }
    return template.entities(1, in: core, [template.batch(of: 0, count: 1)])[0]
  }

  /// Creates an entity from a template, with changes that are made before it comes to life.
  ///
  /// As ``createEntity(from:)``.
  ///
  /// - Parameters:
  ///   - template: What it is made from.
  ///   - change: Changes the entity, not its children. It runs in the context's critical section,
  ///     and must not change the context, which stops with a message.
  /// - Returns: The entity.
  /// - Complexity: As ``createEntity(from:)``.
  @discardableResult
  public func createEntity(
    from template: Template, changing change: (borrowing NewEntity) -> Void
  ) -> Entity {
    createEntities(1, from: template) { change($1) }[0]
  }

  /// Creates many entities from a template, with their children.
  ///
  /// Faster than creating them one at a time: storage grows once, and columns are filled at memory
  /// speed. Groups see `added` for each entity: first for those of the result, in its order, then
  /// for the children.
  ///
  /// - Parameters:
  ///   - count: The number of entities, without their children.
  ///   - template: What they are made from.
  /// - Precondition: `count >= 0`.
  /// - Returns: The entities, without their children.
  /// - Complexity: O(*n* · *c*) amortized, where *n* is the count and *c* the number of components
  ///   of all entities of the template.
  @discardableResult
  public func createEntities(_ count: Int, from template: Template) -> [Entity] {
    template.checkCount(count, in: core)
    core.enter()
    defer { core.leave() }
    return template.entities(count, in: core, [template.batch(of: 0, count: count)])
  }

  /// Creates many entities from a template, each with changes that are made before it comes to
  /// life.
  ///
  /// As ``createEntities(_:from:)``, with what differs:
  ///
  /// ```swift
  /// context.createEntities(1000, from: orc) { index, entity in
  ///   entity.set(Position(x: index % 40, y: index / 40))
  ///   if index == 0 { entity.set(Name("first")) }
  /// }
  /// ```
  ///
  /// It costs least if the closure sets the same component types, in the same order, for each.
  ///
  /// - Parameters:
  ///   - count: The number of entities, without their children.
  ///   - template: What they are made from.
  ///   - change: Called with the position of each entity in the result, and the entity, without its
  ///     children. It runs in the context's critical section, and must not change the context,
  ///     which stops with a message.
  /// - Precondition: `count >= 0`, and a context can have as many entities, with their children; at
  ///   most one entity is given a ``UniqueComponent``.
  /// - Returns: The entities, without their children.
  /// - Complexity: As ``createEntities(_:from:)``.
  @discardableResult
  public func createEntities(
    _ count: Int, from template: Template, changing change: (Int, borrowing NewEntity) -> Void
  ) -> [Entity] {
    template.checkCount(count, in: core)
    core.enter()
    defer { core.leave() }
    let batches = BatchCreation(core: core).write(
      count, [template.nodes[0].values], from: [], originals: [], change)
    return template.entities(count, in: core, batches)
  }
}

extension Template {
  /// Stops unless a context can have so many entities, with their children.
  fileprivate func checkCount(_ count: Int, in core: Core) {
    core.bulkCreation.checkCount(count)
    require(
      count < Int(UInt32.max) / nodes.count,
      "createEntities was given the count \(count) of a template of \(nodes.count) entities: together they must be below \(UInt32.max), as many entities as a context can have."
    )
  }

  /// The entities of a node for so many entities of the template.
  fileprivate func batch(of node: Int, count: Int) -> EntityBatch {
    let values = nodes[node].values
    return EntityBatch(
      values.types, .range(node * count..<(node + 1) * count), values, .first(count))
  }

  /// Creates entities, the first of which are given; called within a section.
  fileprivate func entities(_ count: Int, in core: Core, _ first: [EntityBatch]) -> [Entity] {
    if count == 0 { return [] }
    let others = nodes.indices.dropFirst().map { batch(of: $0, count: count) }
    let entities = BatchCreation(core: core).create(count * nodes.count, first + others)
    for (index, node) in nodes.enumerated() {
      guard let parent = node.parent else { continue }
      link(parent, of: index, entities, count)
    }
    return entities.array(ofFirst: count)
  }

  private func link(_ parent: Parent, of index: Int, _ entities: NewEntities, _ count: Int) {
    func relate<R: Relation>(_ relation: R.Type) {
      let core = entities.core
      guard core.acceptsChanges, let relations = core.relationsMadeIfNeeded() else {
        for offset in 0..<count {
          entities[index * count + offset].relate(
            relation, to: entities[parent.index * count + offset], anyValue: parent.value)
        }
        return
      }
      let store = relations.store(relation)
      for offset in 0..<count {
        let source = entities.handle(index * count + offset)
        let target = entities.handle(parent.index * count + offset)
        if let value = parent.value {
          store.addLink(source: source.index, target: target.index, value, in: relations)
        } else {
          store.link(source: source.index, target: target.index) { relations.noteChange(store, $0) }
        }
      }
    }
    relate(parent.relation)
  }
}
