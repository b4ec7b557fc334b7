extension Matcher {
  /// Whether an entity is alive and matches.
  ///
  /// - Complexity: O(*c*), where *c* is the number of components of the entity.
  public func matches(_ entity: Entity) -> Bool {
    entity.core.enter()
    defer { entity.core.leaveReading() }
    return entity.core.signature(of: entity.handle).map(accepts) ?? false
  }
}
