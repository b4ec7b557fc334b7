extension Group {
  /// The entities in the order of their creation.
  ///
  /// The result is kept until the group changes.
  ///
  /// - Complexity: O(*t*) while the group is unchanged, where *t* is the number of combinations of
  ///   component types that match; O(*n* log *n*) otherwise.
  public func sorted() -> [Entity] {
    core.readingSection {
      sortedCache.entities(version: tables.structureVersion) {
        var handles: [Handle] = []
        core.forEach(in: tables) { handles.append($0) }
        handles.sortByCreation(in: core)
        return handles.map { Entity(core: core, handle: $0) }
      }
    }
  }

  /// The entities in a given order.
  ///
  /// The result is always sorted as the given order says at this moment, whatever that reads:
  /// components that the matcher does not mention, captured variables, anything. Results kept for
  /// the object save sorting as long as the same entities are in the group: the last few results
  /// are tried, and the first one that is in order is returned. Entities that the order does not
  /// distinguish come in the order of their creation.
  ///
  /// ```swift
  /// let byName = group.sorted(forObject: self) {
  ///   ($0.get(Name.self)?.text ?? "") < ($1.get(Name.self)?.text ?? "")
  /// }
  /// ```
  ///
  /// For a list that is read one row at a time, a ``LiveView`` is better: see
  /// ``LiveViewSource/sorted(by:_:)-(KeyPath<C,Key>Sendable,_)``. It never sorts again, finds a row
  /// in O(log *n*), and reports what changed.
  ///
  /// - Parameters:
  ///   - object: The object for which results are kept: at most four, until the object is released.
  ///     Held weakly.
  ///   - areInIncreasingOrder: A strict weak order. It runs in the context's critical section.
  /// - Returns: The entities, sorted.
  /// - Complexity: O(*n*) while the same entities are in the group and in the same order, where *n*
  ///   is their number: each is compared with the next. O(*n* log *n*) otherwise.
  public func sorted(
    forObject object: AnyObject, by areInIncreasingOrder: (Entity, Entity) throws -> Bool
  ) rethrows -> [Entity] {
    try core.readingSection {
      try sortedCache.entities(for: object, version: tables.structureVersion) {
        try isSorted($0, by: areInIncreasingOrder)
      } sort: {
        // The standard library's sort is stable, so ties keep the order of creation.
        try sorted().sorted(by: areInIncreasingOrder)
      }
    }
  }

  /// Whether entities are as the standard library would sort them if they were in the order of
  /// creation before.
  private func isSorted(
    _ entities: [Entity], by areInIncreasingOrder: (Entity, Entity) throws -> Bool
  ) rethrows -> Bool {
    for (entity, next) in zip(entities, entities.dropFirst()) {
      let isOlder = core.creationOrdinal(entity.handle) < core.creationOrdinal(next.handle)
      // One question for each pair: equal entities are right if the older one comes first.
      let isInOrder =
        isOlder
        ? try !areInIncreasingOrder(next, entity) : try areInIncreasingOrder(entity, next)
      if !isInOrder { return false }
    }
    return true
  }
}
