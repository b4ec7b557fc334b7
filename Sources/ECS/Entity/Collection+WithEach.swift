extension Collection where Element == Entity {
  /// Visits those of the entities that have all of some components, with their values.
  ///
  /// ```swift
  /// moved.drain().withEach { (entity, position: Position, name: Name) in
  ///   draw(name.text, at: position)
  /// }
  /// ```
  ///
  /// Entities that lack one of the components, and dead ones, are skipped. The values are copies,
  /// so that the compiler rejects `inout`; those of one entity are from the same moment. Any change
  /// is allowed inside, and takes effect at once, as in a `for` loop. To visit all entities of a
  /// group at memory speed, and to change components in place, use `withEach` of the ``Group``: see
  /// <doc:Iteration>.
  ///
  /// - Parameter body: Called with each entity and its components.
  /// - Throws: What the body throws; the others are not visited then.
  /// - Complexity: O(*n* · *c*), where *n* is the number of entities and *c* the number of
  ///   components.
  @inlinable
  public func withEach<each C: Component, Failure: Error>(
    _ body: ((Entity, repeat each C)) throws(Failure) -> Void
  ) throws(Failure) {
    for entity in self {
      guard let values: (repeat each C) = entity.values() else { continue }
      try body((entity, repeat each values))
    }
  }
}

extension Entity {
  /// The values of several components at one moment; nil if the entity lacks one of them.
  @inlinable
  @inline(__always)
  func values<each C: Component>() -> (repeat each C)? {
    core.read {
      do throws(MissingComponent) {
        return (repeat try core.existingValue(handle) as each C)
      } catch {
        return nil
      }
    }
  }
}
