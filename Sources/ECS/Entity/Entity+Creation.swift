extension Entity {
  /// The number of entities that were created in the context before this one; nil if it is dead.
  ///
  /// It never changes while the entity lives, and no other entity of the context ever has it. So
  /// numbers that you keep stay comparable, even when the entities are dead.
  ///
  /// ```swift
  /// log.append((number: order.creationNumber, text: "placed"))
  /// ```
  ///
  /// - Complexity: O(1).
  public var creationNumber: UInt64? {
    core.read { core.creationCount(before: handle) }
  }
}

extension Sequence<Entity> {
  /// The entities in the order of their creation, at this moment.
  ///
  /// Dead ones come last, in their present order: only an ``Entity/creationNumber`` that was read
  /// earlier can tell when they were created. Entities of different contexts are compared by their
  /// numbers. For groups, use ``Group/sorted()``.
  ///
  /// - Complexity: O(*n* log *n*), where *n* is the number of entities.
  public func sortedByCreation() -> [Entity] {
    // Asked once for each, so that no entity has two places when one dies meanwhile.
    let numbered = map { (number: $0.creationNumber ?? .max, entity: $0) }
    return numbered.sorted(byNumber: \.number).map(\.entity)
  }
}
