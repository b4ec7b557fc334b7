extension Entity {
  /// Creates a copy of the entity.
  ///
  /// The copy has the same components and, as the ``CopyRule`` of each relation says, links to the
  /// same targets. It comes to life in one step, with all its components: groups, indexes,
  /// observers and journals see one creation, and then its links.
  ///
  /// ```swift
  /// let copy = try orc.clone()
  /// let army = try castle.clone(deep: ChildOf.self)  // with all that is in it
  /// ```
  ///
  /// With relations to follow, the sources of the entity are copied along, and theirs: each entity
  /// once, so that a relation may lead in a circle. The copies are to each other what the originals
  /// are: they have the same links among each other, in the same order, and components that are
  /// ``EntityReferencing`` refer to copies where originals refer to originals.
  ///
  /// Inside a closure or chunk iteration, the copy has what the entity has as the closure sees it,
  /// and comes to life when the iteration ends; the same thread can use it at once. Links that wait
  /// for that end are not copied. As by ``get(_:)``, a value that the closure is changing at that
  /// moment can't be read, which stops with a message, unless its type is trivial.
  ///
  /// - Parameter relations: Relations whose sources are copied along with their targets, such as
  ///   ``ChildOf``.
  /// - Returns: The copy.
  /// - Throws: ``CopyError`` if the entity is dead, or if the copy would have a unique component or
  ///   a key of a ``PrimaryIndex``, which only one entity has; see ``clone(deep:changing:)``.
  ///   Nothing is changed then.
  /// - Complexity: O(*n* · *c* + *k*), where *n* is the number of entities that are copied, *c*
  ///   that of their component types and *k* that of their links.
  @discardableResult
  public func clone(deep relations: any Relation.Type...) throws(CopyError) -> Entity {
    core.enter()
    defer { core.leave() }
    if relations.isEmpty, let copy = copyAlone() { return copy }
    return try clones(of: [self], in: core, into: core, deep: relations)[0]
  }

  // PERFORMANCE: Q1: one entity is copied from row to row.
  private func copyAlone() -> Entity? {
    guard let handle = BatchCreation(core: core).copyOne(handle) else { return nil }
    let copy = Entity(core: core, handle: handle)
    guard let relations = core.relations else { return copy }
    let (original, source) = (self.handle.index, handle.index)
    for store in relations.stores where store.copyRule != .omit {
      guard store.links.count(original, .targets) > 0 else { continue }
      var links: [(target: UInt32, value: (any Component)?)] = []
      store.links.forEachLink(original, .targets) {
        links.append((store.links.slot(of: $0, .targets), store.values?.value(of: $0)))
      }
      for (target, value) in links {
        guard target == original || store.copyRule == .keep && !store.isOneToOne else { continue }
        let target = target == original ? source : target
        if let value = value?.mapped(in: core, { $0 == self ? copy : $0 }) {
          store.addLink(source: source, target: target, value, in: relations)
        } else {
          store.link(source: source, target: target) { relations.noteChange(store, $0) }
        }
      }
    }
    return copy
  }

  /// Creates a copy of the entity, with changes that are made before it comes to life.
  ///
  /// As ``clone(deep:)``. The closure is called for each entity that is copied, the original before
  /// what is copied along with it, and may set and remove components:
  ///
  /// ```swift
  /// let second = try user.clone { copy in
  ///   copy.set(UserID(8))
  ///   copy.remove(Session.self)
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - relations: Relations whose sources are copied along with their targets.
  ///   - change: Changes the copy. It runs in the context's critical section, and must not change
  ///     the context, which stops with a message.
  /// - Returns: The copy.
  /// - Throws: As ``clone(deep:)``, of what the closure has left.
  /// - Complexity: As ``clone(deep:)``.
  @discardableResult
  public func clone(
    deep relations: any Relation.Type..., changing change: (borrowing NewEntity) -> Void
  ) throws(CopyError) -> Entity {
    try clones(of: [self], in: core, into: core, deep: relations, change)[0]
  }

  /// Creates a copy of the entity in another context.
  ///
  /// As ``clone(deep:)``, except that links lead only to entities that are copied along. Handles
  /// in components to entities that are not copied along go on to mean those of the entity's own
  /// context. A unique component is refused if an entity of the other context holds it. Into the
  /// entity's own context it is ``clone(deep:)``.
  ///
  /// The entity is read in the critical section of its own context, and then the copy is made in
  /// that of the other one: the two are not held at the same time, unless the caller does.
  ///
  /// - Parameters:
  ///   - context: The context in which the copy is created.
  ///   - relations: Relations whose sources are copied along with their targets.
  /// - Returns: The copy.
  /// - Throws: As ``clone(deep:)``.
  /// - Complexity: As ``clone(deep:)``.
  @discardableResult
  public func clone(
    into context: Context, deep relations: any Relation.Type...
  ) throws(CopyError) -> Entity {
    try clones(of: [self], in: core, into: context.core, deep: relations)[0]
  }

  /// Creates a copy of the entity in another context, with changes that are made before it comes to
  /// life.
  ///
  /// As ``clone(into:deep:)``; the closure is called as by ``clone(deep:changing:)``, in the
  /// critical section of the other context.
  ///
  /// - Parameters:
  ///   - context: The context in which the copy is created.
  ///   - relations: Relations whose sources are copied along with their targets.
  ///   - change: Changes the copy.
  /// - Returns: The copy.
  /// - Throws: As ``clone(deep:)``.
  /// - Complexity: As ``clone(deep:)``.
  @discardableResult
  public func clone(
    into context: Context, deep relations: any Relation.Type...,
    changing change: (borrowing NewEntity) -> Void
  ) throws(CopyError) -> Entity {
    try clones(of: [self], in: core, into: context.core, deep: relations, change)[0]
  }
}

/// Copies entities of one core into the same or another one.
func clones(
  of entities: [Entity], in core: Core, into target: Core, deep relations: [any Relation.Type]
) throws(CopyError) -> Clones {
  try clones(of: entities, in: core, into: target, deep: relations, isChanged: false) { _ in }
}

/// Copies entities of one core into the same or another one, with changes.
func clones(
  of entities: [Entity], in core: Core, into target: Core, deep relations: [any Relation.Type],
  isChanged: Bool = true, _ change: (borrowing NewEntity) -> Void
) throws(CopyError) -> Clones {
  if core == target {
    return try core.section { () throws(CopyError) in
      try CopyPlan(entities, of: core, deep: relations, keepsTargets: true)
        .apply(in: core, isChanged: isChanged, change)
    }
  }
  // One after the other: whichever way others copy, they never wait for each other.
  let plan = try core.readingSection(keepsNothing: true) { () throws(CopyError) in
    try CopyPlan(entities, of: core, deep: relations, keepsTargets: false)
  }
  return try target.section { () throws(CopyError) in
    try plan.apply(in: target, isChanged: isChanged, change)
  }
}
