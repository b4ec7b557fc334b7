extension Entity {
  /// Links the entity to a target.
  ///
  /// Does nothing if they are already linked. In a ``ToOneRelation`` the target replaces the
  /// previous one. Observers of both entities, and of both sides of the relation, run once at
  /// the end of the outermost change. Dead entities are not linked; that is counted in the
  /// context's ``Context/statistics``. Links that have values come with ``relate(_:to:_:)``.
  ///
  /// - Precondition: Both entities belong to the same context, and links of the relation have no
  ///   values, or they are linked already. In a ``Hierarchy``, the target is not the entity itself
  ///   or a descendant of it: see ``setParent(_:in:)`` for data that may ask for that.
  /// - Returns: The entity, to chain calls.
  /// - Complexity: O(1) on average.
  @discardableResult
  public func relate<R: Relation>(_ relation: R.Type, to target: Entity) -> Entity {
    core.enter()
    defer { core.leave() }
    guard core.acceptsChanges else {
      queueLink(relation, to: target)
      return self
    }
    guard let (relations, store) = store(of: relation, with: target) else { return self }
    if store.values != nil {
      let isThere =
        store.links.find(source: handle.index, target: target.handle.index) != nil
      checkNoValues(isThere, relation)
      return self
    }
    checkNoCycle(store.wouldCycle(source: handle.index, target: target.handle.index), with: target)
    store.link(source: handle.index, target: target.handle.index) {
      relations.noteChange(store, $0)
    }
    return self
  }

  /// Stops unless the entities are linked: links of the relation have values, and come with
  /// ``relate(_:to:_:)``.
  @_documentation(visibility: internal)
  @available(*, deprecated, message: "Links of this relation have values: pass one.")
  @discardableResult
  public func relate<R: Relation>(
    _ relation: R.Type, to target: Entity
  ) -> Entity where R.Value: Component {
    relate(relation, to: target, anyValue: nil)
    return self
  }

  private func queueLink<R: Relation>(_ relation: R.Type, to target: Entity) {
    if relation.valueIdentifier == nil { noteComingLink(relation, to: target) }
    let entity = self
    core.commands.add { entity.relate(relation, to: target) }
  }

  private func checkNoValues<R: Relation>(_ hasNone: Bool, _ relation: R.Type) {
    require(
      hasNone,
      "\(self) was to be linked by \(relation) without a value, which links of this relation have: pass one."
    )
  }

  /// Notes that a link waits for the end of an iteration.
  func noteComingLink<R: Relation>(_ relation: R.Type, to target: Entity) {
    checkContext(relation, of: target)
    if let relations = core.relationsMadeIfNeeded() {
      checkNoCycle(
        relations.wouldComeToCycle(relation, from: handle, to: target.handle), with: target)
      relations.noteComing(relation, from: handle, to: target.handle)
    }
  }

  func checkNoCycle(_ wouldCycle: Bool, with target: Entity) {
    require(
      !wouldCycle,
      "\(HierarchyCycle(child: self, parent: target)) Use setParent(_:in:) for data that may ask for this."
    )
  }

  /// Removes the link between the entity and a target; does nothing if there is none.
  ///
  /// - Returns: The entity, to chain calls.
  /// - Complexity: O(1) on average.
  @discardableResult
  public func unrelate<R: Relation>(_ relation: R.Type, from target: Entity) -> Entity {
    core.enter()
    defer { core.leave() }
    guard core.acceptsChanges else {
      let entity = self
      core.relations?.noteComingLoss(relation, from: handle, to: target.handle)
      core.commands.add { entity.unrelate(relation, from: target) }
      return self
    }
    guard let (relations, store) = store(of: relation, with: target) else { return self }
    store.unlink(source: handle.index, target: target.handle.index) {
      relations.noteChange(store, $0)
    }
    return self
  }

  /// Removes the links between the entity and all its targets.
  ///
  /// - Returns: The entity, to chain calls.
  /// - Complexity: O(*k*), where *k* is the number of targets.
  @discardableResult
  public func unrelate<R: Relation>(_ relation: R.Type) -> Entity {
    targets(relation).removeAll()
    return self
  }

  /// The target of the entity; nil if it has none or is dead.
  ///
  /// - Complexity: O(1).
  public func target<R: ToOneRelation>(_ relation: R.Type) -> Entity? {
    targets(relation).first
  }

  /// The source of the entity; nil if it has none or is dead.
  ///
  /// - Complexity: O(1).
  public func source<R: OneToOneRelation>(_ relation: R.Type) -> Entity? {
    sources(relation).first
  }

  /// The entities that this one is linked to: a live collection, to read and to change.
  public func targets<R: Relation>(_ relation: R.Type) -> RelatedEntities<R> {
    RelatedEntities(entity: self, side: .targets)
  }

  /// The entities that are linked to this one: a live collection, to read and to change.
  public func sources<R: Relation>(_ relation: R.Type) -> RelatedEntities<R> {
    RelatedEntities(entity: self, side: .sources)
  }

  /// Whether the entity is linked to a target.
  ///
  /// - Complexity: As that of ``RelatedEntities/contains(_:)``.
  public func isRelated<R: Relation>(_ relation: R.Type, to target: Entity) -> Bool {
    targets(relation).contains(target)
  }

  /// Destroys the entity with all its components, unless a relation denies it.
  ///
  /// - Throws: ``DestructionDenied`` if, by a relation whose rule is ``DeleteRule/deny``, an entity
  ///   that would stay is related to this one or to one that would be destroyed with it. Nothing is
  ///   changed then.
  /// - Complexity: Same as ``destroy()``; O(*k*) more if any relation has that rule, where *k* is
  ///   the number of entities that are destroyed and of links that lead to them.
  public func destroyIfAllowed() throws(DestructionDenied) {
    core.enter()
    defer { core.leave() }
    if core.isAlive(handle), let denial = core.relations?.denial(of: self) { throw denial }
    destroy()
  }

  /// The store of a relation to which two living entities are to be added.
  func store<R: Relation>(
    of relation: R.Type, with other: Entity
  ) -> (Relations, RelationStore)? {
    checkContext(relation, of: other)
    guard core.isAlive(handle), core.isAlive(other.handle),
      let relations = core.relationsMadeIfNeeded()
    else {
      core.noteStaleWrite(core.isAlive(handle) ? other.handle : handle)
      return nil
    }
    return (relations, relations.store(relation))
  }

  private func checkContext<R: Relation>(_ relation: R.Type, of other: Entity) {
    require(
      core == other.core,
      "\(self) and \(other) cannot be related by \(relation), because they belong to different contexts: relate entities of one context."
    )
  }
}
