extension Context {
  /// Sets a unique component: replaces the value on the entity that holds it, or creates an entity
  /// for it.
  ///
  /// - Complexity: O(1), and O(1) for each listener concerned.
  @inlinable
  public func setUniqueComponent<C: UniqueComponent>(_ component: C) {
    core.enter()
    defer { core.leave() }
    guard core.acceptsChanges else { return core.commands.setUnique(component) }
    core.unique.set(component)
  }

  /// The value of a unique component; nil if no entity holds it.
  ///
  /// ```swift
  /// context.uniqueComponent(Network.self)?.service.load()
  /// ```
  ///
  /// - Complexity: O(1), one array read.
  @inlinable
  @inline(__always)  // PERFORMANCE: U1
  public func uniqueComponent<C: UniqueComponent>(_ type: C.Type = C.self) -> C? {
    core.read { core.unique.value(type) }
  }

  /// Whether an entity holds a unique component.
  ///
  /// - Complexity: O(1).
  public func hasUniqueComponent<C: UniqueComponent>(_ type: C.Type) -> Bool {
    core.read { core.unique.holder(of: ComponentKey(type)) != nil }
  }

  /// The entity that holds a unique component; nil if none does.
  ///
  /// - Complexity: O(1).
  public func uniqueEntity<C: UniqueComponent>(_ type: C.Type) -> Entity? {
    core.read { core.unique.holder(of: ComponentKey(type)).map { Entity(core: core, handle: $0) } }
  }

  /// The one entity that matches; nil if none does.
  ///
  /// - Precondition: At most one entity matches.
  public func uniqueEntity(_ matcher: Matcher) -> Entity? {
    let group = group(matcher)
    return core.readingSection {
      require(
        group.count <= 1,
        "\(group.count) entities match \(matcher), which should match at most one: use group(_:) for several."
      )
      return group.first
    }
  }

  /// Removes a unique component from the entity that holds it, which is destroyed if it is then
  /// empty and ``setUniqueComponent(_:)`` created it.
  ///
  /// Does nothing if no entity holds it.
  ///
  /// - Complexity: O(1), and O(1) for each listener concerned.
  public func removeUniqueComponent<C: UniqueComponent>(_ type: C.Type) {
    core.enter()
    defer { core.leave() }
    guard core.acceptsChanges else { return core.commands.evictHolder(of: type.cid) }
    core.unique.evictHolder(of: type.cid)
  }

  /// Removes a unique component like ``removeUniqueComponent(_:)``, and returns it; nil if no
  /// entity holds it.
  ///
  /// - Complexity: O(1), and O(1) for each listener concerned.
  public func takeUniqueComponent<C: UniqueComponent>(_ type: C.Type = C.self) -> C? {
    core.enter()
    defer { core.leave() }
    let value = uniqueComponent(type)
    removeUniqueComponent(type)
    return value
  }

  /// Changes a unique component in place; see ``Entity/update(_:_:)``.
  ///
  /// - Returns: What the closure returns; nil, without calling it, if no entity holds the
  ///   component.
  @inlinable
  @discardableResult
  public func updateUniqueComponent<C: UniqueComponent, Result, Failure: Error>(
    _ type: C.Type = C.self, _ body: (inout C) throws(Failure) -> Result
  ) throws(Failure) -> Result? {
    // As in `update` of an entity.
    var ended: C?
    core.enter()
    defer {
      core.leave()
      withExtendedLifetime(ended) {}
    }
    guard let holder = core.unique.holder(of: ComponentKey(type)) else { return nil }
    return try core.update(type, of: holder, ending: &ended, body)
  }

  /// Replaces a unique component while a body runs, then restores what was there.
  ///
  /// For tests that need a mock. The body does not run in a critical section, so it may use other
  /// threads. Afterwards the earlier value is set again, on the entity that held it if that is
  /// still alive; if there was none, the component is removed.
  ///
  /// ```swift
  /// context.withUnique(Network(service: Mock())) { runTest() }
  /// ```
  ///
  /// - Precondition: Not called inside a closure or chunk iteration, which could not see it.
  public func withUnique<C: UniqueComponent, Result, Failure: Error>(
    _ component: C, _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let earlier = exchangeUnique(component)
    defer { restoreUnique(earlier) }
    return try body()
  }

  /// Replaces a unique component while an asynchronous body runs, then restores what was there.
  ///
  /// Works like the form with a synchronous body.
  nonisolated(nonsending) public func withUnique<C: UniqueComponent, Result, Failure: Error>(
    _ component: C, _ body: nonisolated(nonsending) () async throws(Failure) -> Result
  ) async throws(Failure) -> Result {
    let earlier = exchangeUnique(component)
    defer { restoreUnique(earlier) }
    return try await body()
  }

  private struct Earlier<C: UniqueComponent> {
    var value: C?
    var holder: Entity?
    var isOurs = false
  }

  private func exchangeUnique<C: UniqueComponent>(_ component: C) -> Earlier<C> {
    core.section {
      core.checkMode()
      require(
        core.acceptsChanges,
        "withUnique(_:_:) was called inside an iteration, where changes wait until it ends: call it around the iteration."
      )
      let earlier = Earlier(
        value: uniqueComponent(C.self), holder: uniqueEntity(C.self),
        isOurs: core.unique.holderIsOurs(ComponentKey(C.self)))
      setUniqueComponent(component)
      return earlier
    }
  }

  private func restoreUnique<C: UniqueComponent>(_ earlier: Earlier<C>) {
    core.section {
      guard let value = earlier.value else { return removeUniqueComponent(C.self) }
      // The present holder of the component may end with it, and take the earlier holder along.
      if let holder = earlier.holder, holder.isAlive, holder != uniqueEntity(C.self) {
        removeUniqueComponent(C.self)
      }
      guard let holder = earlier.holder, holder.isAlive else { return setUniqueComponent(value) }
      if let displaced = core.exchange(value, on: holder.handle) { core.discard(displaced) }
      if earlier.isOurs { core.unique.markHolderAsOurs(ComponentKey(C.self)) }
    }
  }
}
