extension Context {
  /// Lends the components of a type to a closure, which reads and changes those of any entities.
  ///
  /// For loops that jump from entity to entity, where finding each component would take most of the
  /// time:
  ///
  /// ```swift
  /// let sum = context.withStorage(Position.self) { positions in
  ///   path.reduce(0) { sum, entity in sum + (positions[entity]?.x ?? 0) }
  /// }
  /// ```
  ///
  /// Everything means what it means for an ``Entity`` and fires what it fires there; only finding
  /// takes less time. The storage cannot leave the closure. To visit all entities, iterate over a
  /// ``Group``.
  ///
  /// - Parameters:
  ///   - type: The type of the components.
  ///   - body: Called with the components. It runs in the context's critical section, as in
  ///     ``perform(_:)``, and may change whatever it likes.
  /// - Returns: What the body returns.
  /// - Throws: What the body throws; what was changed before stays changed.
  @inlinable
  public func withStorage<C: Component, Result, Failure: Error>(
    _ type: C.Type, _ body: (borrowing ComponentStorage<C>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try core.userSection { () throws(Failure) in try core.withStorage(type, body) }
  }

  /// Lends the components of two types to a closure.
  ///
  /// See ``withStorage(_:_:)``.
  @inlinable
  public func withStorages<A: Component, B: Component, Result, Failure: Error>(
    _ a: A.Type, _ b: B.Type,
    _ body: (borrowing ComponentStorage<A>, borrowing ComponentStorage<B>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try withStorage(a) { (a) throws(Failure) in
      try core.withStorage(b) { (b) throws(Failure) in try body(a, b) }
    }
  }

  /// Lends the components of three types to a closure.
  ///
  /// See ``withStorage(_:_:)``.
  @inlinable
  public func withStorages<A: Component, B: Component, C: Component, Result, Failure: Error>(
    _ a: A.Type, _ b: B.Type, _ c: C.Type,
    _ body: (
      borrowing ComponentStorage<A>, borrowing ComponentStorage<B>, borrowing ComponentStorage<C>
    ) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try withStorages(a, b) { (a, b) throws(Failure) in
      try core.withStorage(c) { (c) throws(Failure) in try body(a, b, c) }
    }
  }
}
