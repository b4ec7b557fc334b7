/// An entity was not given a key.
public enum IdentityError<Key: Hashable & Sendable>: Error, Hashable, Sendable {
  /// Another entity has the key.
  case duplicate(DuplicateKeyError<Key>)

  /// The entity has another key already.
  case immutable(present: Key, refused: Key)
}

extension IdentityError: CustomStringConvertible {
  /// What is wrong, with the keys.
  public var description: String {
    switch self {
    case .duplicate(let error): error.description
    case .immutable(let present, let refused):
      "The key \(refused) was to be given to an entity that has the key \(present): keys do not change, copy the entity instead."
    }
  }
}

extension PrimaryIndex {
  /// Gives an entity its key, for good.
  ///
  /// Sets the component if the entity has none; an equal key is fine and changes nothing. Unlike
  /// ``assign(_:to:)``, which also changes keys, this is for data in which a key is what an entity
  /// is.
  ///
  /// - Throws: ``IdentityError`` if the entity has another key, or another entity has this one;
  ///   nothing has changed and nobody is notified then.
  /// - Complexity: O(1) on average.
  public func identify(_ entity: Entity, as component: C) throws(IdentityError<Key>) {
    core.enter()
    defer { core.leave() }
    if let present = entity.get(C.self) {
      let (present, refused) = (key(present), key(component))
      guard present == refused else { throw .immutable(present: present, refused: refused) }
      return
    }
    do throws(DuplicateKeyError<Key>) {
      try assign(component, to: entity)
    } catch {
      throw .duplicate(error)
    }
  }

  /// Creates an entity with a new key and copies of all other components of an entity.
  ///
  /// Unique components stay where they are, and so do links of relations.
  ///
  /// - Returns: The new entity; one with the key alone if there is nothing to copy.
  /// - Throws: ``DuplicateKeyError`` if an entity has the key; nothing has changed then.
  /// - Complexity: O(*c*), where *c* is the number of components.
  public func copy(
    _ entity: Entity, to component: C
  ) throws(DuplicateKeyError<Key>) -> Entity {
    core.enter()
    defer { core.leave() }
    let key = key(component)
    if let holder = self[key] { throw DuplicateKeyError(key: key, holder: holder) }
    let copy = getOrCreate(component)
    for component in entity.components() where !(component is C || component is any UniqueComponent)
    {
      copy.set(component)
    }
    return copy
  }
}
