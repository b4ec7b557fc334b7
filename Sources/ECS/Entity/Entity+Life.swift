extension Entity {
  /// Whether the entity has not been destroyed and its context still exists.
  ///
  /// Inside a closure or chunk iteration, it is also true for entities that the same thread has
  /// created there, and false for those that it has destroyed; see <doc:Iteration>.
  ///
  /// - Complexity: O(1).
  public var isAlive: Bool {
    core.read { core.isSeenAlive(handle) }
  }

  /// Destroys the entity with all its components.
  ///
  /// Every group that the entity was in sees `removed`, with the last values. Destroying a dead
  /// entity does nothing.
  ///
  /// - Complexity: O(1) in the number of entities, O(*c*) in the number of its components, and O(1)
  ///   for each listener concerned.
  public func destroy() {
    core.destroyEntity(handle)
  }
}
