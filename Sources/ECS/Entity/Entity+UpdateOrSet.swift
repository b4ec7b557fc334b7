extension Entity {
  /// Changes a component in place, after adding it if the entity does not have it.
  ///
  /// ```swift
  /// author.update(default: Tally()) { $0.commits += 1 }
  /// ```
  ///
  /// If the entity has the component, works like ``update(_:_:)``. Otherwise the closure changes
  /// the default value, and the result is set: that fires once, as ``set(_:)`` does, and not at all
  /// if the closure throws. The closure runs in the context's critical section either way.
  ///
  /// - Parameters:
  ///   - first: What the closure is given if the entity lacks the component; otherwise not
  ///     evaluated.
  ///   - body: Changes the value.
  /// - Returns: What the closure returns; nil, without calling it, if the entity is dead.
  /// - Throws: What the closure throws; the entity is then unchanged.
  /// - Complexity: Same as ``update(_:_:)`` or ``set(_:)``.
  @inlinable
  @discardableResult
  public func update<C: Component, Result, Failure: Error>(
    default first: @autoclosure () -> C, _ body: (inout C) throws(Failure) -> Result
  ) throws(Failure) -> Result? {
    // As in `update`.
    var ended: C?
    core.enter()
    defer {
      core.leave()
      withExtendedLifetime(ended) {}
    }
    if core.has(ComponentKey(C.self), handle) {
      return try core.update(C.self, of: handle, ending: &ended, body)
    }
    guard core.isSeenAlive(handle) else {
      core.noteStaleWrite(handle)
      return nil
    }
    var value = core.callUser(first)
    do throws(Failure) {
      let result = try core.callUser { () throws(Failure) in try body(&value) }
      ended = core.exchange(value, on: handle) ?? value
      return result
    } catch {
      ended = value
      throw error
    }
  }
}
