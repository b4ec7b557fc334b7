extension Context {
  /// Creates an entity without components.
  ///
  /// Inside a closure or chunk iteration the entity comes to life when the iteration ends; the same
  /// thread can use it at once. See <doc:Iteration>.
  ///
  /// - Complexity: O(1) amortized.
  public func createEntity() -> Entity {
    core.enter()
    defer { core.leave() }
    return Entity(core: core, handle: core.createOrReserve())
  }

  /// Creates an entity with components, in one step.
  ///
  /// Every group that the entity enters sees one `added`, with all its values. Creating an entity
  /// with a ``UniqueComponent`` takes the component away from its previous holder, as setting it
  /// does.
  ///
  /// ```swift
  /// let entity = context.createEntity(with: Position(x: 0, y: 0), Velocity(dx: 1, dy: 0))
  /// ```
  ///
  /// - Precondition: The components are of different types.
  /// - Complexity: O(*c*) amortized, where *c* is the number of components.
  @inlinable
  @discardableResult
  public func createEntity<each C: Component>(with components: repeat each C) -> Entity {
    core.enter()
    let handle = core.createOrReserve(repeat each components)
    core.leave()
    return Entity(core: core, handle: handle)
  }

  /// Creates many entities with the same components.
  ///
  /// Faster than creating them one at a time: storage grows once, and columns are filled at memory
  /// speed. Groups see `added` for each entity, in the order of the result.
  ///
  /// - Precondition: `count >= 0`; the components are of different types; at most one entity may
  ///   be created with a ``UniqueComponent``.
  /// - Returns: The entities.
  /// - Complexity: O(*n* · *c*) amortized, where *c* is the number of components.
  @inlinable
  @discardableResult
  public func createEntities<each C: Component>(
    _ count: Int, with components: repeat each C
  ) -> [Entity] {
    core.bulkCreation.checkCount(count)
    let core = core
    core.enter()
    defer { core.leave() }
    guard core.acceptsChanges else {
      repeat core.bulkCreation.checkHolders(
        count, isUnique: (each C).self is any UniqueComponent.Type)
      return (0..<count).map { _ in
        Entity(core: core, handle: core.commands.create(repeat each components))
      }
    }
    return core.bulkCreation.create(count, repeat each components)
  }

  /// Creates an entity for each element of a sequence, with components that a closure makes of it.
  ///
  /// As ``createEntity(with:)`` of each element in one section, but faster: values go straight into
  /// columns. All entities come to life when the last one has its values. Groups see `added` for
  /// each entity, in the order of the elements.
  ///
  /// ```swift
  /// context.createEntities(from: people) { person in
  ///   (Name(person.name), Age(years: person.age))
  /// }
  /// ```
  ///
  /// For entities with the same values, use ``createEntities(_:with:)``.
  ///
  /// - Parameters:
  ///   - elements: Is iterated over in the context's critical section.
  ///   - components: Returns the components of an entity, as a tuple if there are several. It runs
  ///     in the context's critical section, may read what was there before, and must not change the
  ///     context, which stops with a message.
  /// - Precondition: The components are of different types; at most one entity may be created with
  ///   a ``UniqueComponent``.
  /// - Returns: The entities, in the order of the elements.
  /// - Throws: What the closure throws; then nothing was created.
  /// - Complexity: O(*n* · *c*) amortized, where *n* is the number of elements and *c* the number
  ///   of components.
  @inlinable
  @discardableResult
  public func createEntities<Elements: Sequence, each C: Component, Failure: Error>(
    from elements: Elements,
    with components: (Elements.Element) throws(Failure) -> (repeat each C)
  ) throws(Failure) -> [Entity] {
    try core.bulkCreation.create(from: elements, components)
  }

  /// Creates an entity for each element of a sequence, with one component that a closure makes of
  /// it.
  ///
  /// Otherwise as the one that makes several components.
  @_disfavoredOverload  // Else arithmetic in closures takes the compiler seconds.
  @inlinable
  @discardableResult
  public func createEntities<Elements: Sequence, C: Component, Failure: Error>(
    from elements: Elements, with component: (Elements.Element) throws(Failure) -> C
  ) throws(Failure) -> [Entity] {
    try core.bulkCreation.create(from: elements) { (element) throws(Failure) -> (C) in
      try component(element)
    }
  }

  /// Destroys all entities, in the order of their creation.
  ///
  /// - Complexity: O(*n* log *n*), where *n* is the number of entities.
  public func destroyAllEntities() {
    core.enter()
    defer { core.leave() }
    guard core.acceptsChanges else { return core.commands.destroyAll() }
    core.destroyAll()
  }

  /// The number of living entities.
  ///
  /// - Complexity: O(1).
  public var count: Int {
    core.read { core.liveCount }
  }

  /// The living entities at this moment, in the order of their creation.
  ///
  /// - Complexity: O(*n* log *n*), where *n* is the number of entities.
  public func entities() -> EntitySet {
    let turn = core.pointer.pointee.lock.beginLongRead { core.liveCount }
    defer { core.pointer.pointee.lock.endLongRead(turn) }
    return EntitySet(core.handlesInOrderOfCreation(), of: core)
  }
}

extension Context {
  /// Makes the ordinals by which entities are kept in the order of their creation run out soon.
  ///
  /// For tests: it would take four billion entities otherwise.
  package func skipCreations(leaving count: UInt32) {
    core.section { core.pointer.pointee.slots.skipCreations(leaving: count) }
  }

  /// Makes the generations that distinguish entities of the same slot run out soon: each
  /// slot that is free is good for so many more entities.
  ///
  /// For tests: it would take two billion entities a slot otherwise.
  package func skipGenerations(leaving count: UInt32) {
    core.section { core.pointer.pointee.slots.skipGenerations(leaving: count) }
  }
}
