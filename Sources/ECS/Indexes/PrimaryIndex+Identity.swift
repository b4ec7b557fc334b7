extension PrimaryIndex {
  /// Sets the component of an entity, unless its key identifies another entity or the entity has
  /// another key.
  ///
  /// As long as an entity has the component, its key stays the same: remove the component first, or
  /// use ``copy(_:to:)``. With an equal key, the component is set and observers run, as with
  /// ``Entity/set(_:)``.
  ///
  /// - Throws: ``IdentityError``; nothing is changed then, and nothing is notified.
  /// - Precondition: The entity belongs to the context of the index.
  /// - Complexity: O(1) on average.
  public func assign(_ component: C, to entity: Entity) throws(IdentityError<Key>) {
    // What was replaced ends outside of the lock: that may run user code.
    var displaced: C?
    core.enter()
    defer {
      core.leave()
      withExtendedLifetime(displaced) {}
    }
    checkContext(of: entity)
    let key = key(component)
    guard key == key else { throw .invalid(refused: key) }
    if let holder = find(key), holder != entity {
      throw .duplicate(key: key, holder: holder)
    }
    if let current = self.key(of: entity), current != key {
      throw .immutable(current: current, refused: key)
    }
    displaced = core.exchange(component, on: entity.handle)
  }

  /// Creates an entity with a new key and copies of all other components of an entity.
  ///
  /// Unique components stay where they are, and so do links of relations.
  ///
  /// - Returns: The new entity; one with only the key if there is nothing to copy.
  /// - Throws: ``IdentityError/duplicate(key:holder:)`` if an entity has the key,
  ///   ``IdentityError/invalid(refused:)`` if it does not equal itself; nothing is changed then.
  /// - Precondition: The entity belongs to the context of the index.
  /// - Complexity: O(*c*), where *c* is the number of components.
  public func copy(_ entity: Entity, to component: C) throws(IdentityError<Key>) -> Entity {
    core.enter()
    defer { core.leave() }
    checkContext(of: entity)
    let key = key(component)
    guard key == key else { throw .invalid(refused: key) }
    if let holder = find(key) { throw .duplicate(key: key, holder: holder) }
    let copy = getOrCreate(component)
    for component in entity.components() where !(component is C || component is any UniqueComponent)
    {
      copy.set(component)
    }
    return copy
  }

  private func checkContext(of entity: Entity) {
    // A core serves one context after the other.
    require(
      entity.core == core && (isOfPresentContext || !core.isAlive(entity.handle)),
      "\(entity) was given a key of \(C.cid.name) by an index of another context: use the primary index of the entity's context."
    )
  }
}
