extension Group {
  /// Adds a component to all entities of the group, or replaces the one of the same type.
  ///
  /// As ``Entity/set(_:)`` of each entity that is in the group at this moment, in the order of
  /// iteration, in one section; what fires and is notified is the same. It takes a fraction of
  /// the time: where such changes are not observed of single entities, rows move together.
  ///
  /// ```swift
  /// context.group(Matcher(all: [Position.cid], none: [Velocity.cid])).set(Resting())
  /// ```
  ///
  /// Of a ``UniqueComponent``, the last entity is the holder in the end.
  ///
  /// - Complexity: O(*n*), where *n* is the number of entities, with a small factor; O(*n* · *c*)
  ///   for entities whose changes are observed, shown by a live view, journaled, in a transaction
  ///   or beside a ``FrozenContext`` that has pages to copy, where *c* is the number of their
  ///   components. Collectors and indexes take O(1) for each entity.
  @inlinable
  public func set<C: Component>(_ component: C) {
    core.bulk.set(component, in: tables)
  }

  /// Removes a component from all entities of the group that have it.
  ///
  /// As ``Entity/remove(_:)-(CID)`` of each entity that is in the group at this moment, in the
  /// order of iteration, in one section; what fires and is notified is the same. It takes a
  /// fraction of the time: where such changes are not observed of single entities, rows move
  /// together.
  ///
  /// ```swift
  /// context.group(Selected.matcher).remove(Selected.self)
  /// ```
  ///
  /// - Complexity: As of ``set(_:)``.
  public func remove<C: Component>(_ type: C.Type) {
    remove(type.cid)
  }

  /// Removes a component of a type that is known at run time only from all entities of the group
  /// that have it.
  ///
  /// Otherwise as the one that names the type in the program.
  public func remove(_ cid: CID) {
    core.bulk.remove(cid, in: tables)
  }

  /// Destroys all entities of the group.
  ///
  /// As ``Entity/destroy()`` of each entity that is in the group at this moment, in the order of
  /// iteration, in one section; what fires and is notified is the same. It takes a fraction of
  /// the time, unless the end of single entities of the group is observed, or the context has
  /// relations.
  ///
  /// ```swift
  /// context.group(Expired.matcher).destroyAll()
  /// ```
  ///
  /// - Complexity: As of ``set(_:)``.
  public func destroyAll() {
    core.bulk.destroy(in: tables)
  }
}
