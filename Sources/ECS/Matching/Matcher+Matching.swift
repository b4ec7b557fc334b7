extension Matcher {
  /// Whether an entity is alive and matches.
  ///
  /// - Complexity: O(*c*), where *c* is the number of components of the entity.
  public func matches(_ entity: Entity) -> Bool {
    entity.core.read { entity.core.signature(of: entity.handle) }.map(accepts) ?? false
  }
}
