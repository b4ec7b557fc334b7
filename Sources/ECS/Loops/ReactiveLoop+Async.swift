extension ReactiveLoop {
  /// Adds a system whose work awaits, made of a closure that is called with each entity that a
  /// collector gathers.
  ///
  /// ```swift
  /// loop.onAsync(placed, name: "Pay", limit: 16) { order in
  ///   let receipt = try await bank.charge(order.get(Order.self)?.cents ?? 0)
  ///   return { order.set(Receipt(text: receipt)) }
  /// }
  /// ```
  ///
  /// A pass starts a task for each entity and goes on: no queue waits for it. The change that the
  /// work returns is made in a section of its own, with the system as its ``Cause``, and only if
  /// the entity still belongs to the collector's group by then; so is the work begun only then. An
  /// entity that is collected again while its work is in flight is worked on once more afterwards;
  /// one whose work has not begun, once.
  ///
  /// **Errors.** A work that throws is reported as the failure of a system is: see ``LoopFailure``.
  /// Unless the handler drops it, the entity goes back to the collector, and is tried again as
  /// ``Retry`` says.
  ///
  /// **Ending.** ``settled()`` waits for what is in flight; ``runUntilSettled()`` does not.
  /// ``pause()`` begins nothing more. ``cancel()`` cancels the tasks. A work that returns a change
  /// nevertheless has it made, since its effect was had; the entities of those that throw, and of
  /// those that have not begun, go back to the collector. Before another loop takes it over, await
  /// ``settled()`` of this one, so that nothing is worked on by both.
  /// What was in flight when the process ends is lost, with its collector: let the matcher say what
  /// is left to do (`none: [Receipt.cid]`), and those entities are collected when they are loaded
  /// again. The work is then begun once more, although its effect may have been had: give it a key
  /// that the other side remembers.
  ///
  /// - Parameters:
  ///   - collector: What to work on.
  ///   - name: The name in logs, statistics and errors.
  ///   - limit: How many works are in flight at most.
  ///   - work: Called in a task of its own. Returns the change to make.
  /// - Precondition: `limit > 0`. No other system has the same collector.
  public func onAsync(
    _ collector: Collector, name: String, limit: Int,
    _ work: @escaping @Sendable (Entity) async throws -> @Sendable () -> Void
  ) {
    add(AsyncSystem(name, collector: collector, limit: limit, key: nil, engine: engine, work))
  }

  /// Adds a system whose work awaits, made of a closure that is called with each entity that
  /// matches and changes.
  ///
  /// ```swift
  /// loop.onAsync(Matcher(all: [Order.cid], none: [Receipt.cid]), name: "Pay", limit: 16) { order in
  ///   let receipt = try await bank.charge(order.get(Order.self)?.cents ?? 0)
  ///   return { order.set(Receipt(text: receipt)) }
  /// }
  /// ```
  ///
  /// Works as ``onAsync(_:name:limit:_:)`` with a collector. Entities that match already are not
  /// worked on until a change of that type: for those, use a collector, and collect them.
  ///
  /// - Parameters:
  ///   - matcher: Which entities to work on.
  ///   - type: The kinds of changes to collect.
  ///   - name: The name in logs, statistics and errors.
  ///   - limit: How many works are in flight at most.
  ///   - work: Called in a task of its own. Returns the change to make.
  /// - Precondition: `limit > 0`.
  public func onAsync(
    _ matcher: Matcher, _ type: ChangeKinds = .added, name: String, limit: Int,
    _ work: @escaping @Sendable (Entity) async throws -> @Sendable () -> Void
  ) {
    onAsync(context.collector(for: matcher, type: type), name: name, limit: limit, work)
  }

  /// Adds a system whose work awaits, one after the other for entities with the same key.
  ///
  /// ```swift
  /// loop.onAsync(placed, name: "Pay", limit: 16, orderedBy: \Order.customer) { order in ... }
  /// ```
  ///
  /// Works as ``onAsync(_:name:limit:_:)``. Entities with the same key are worked on in the order
  /// in which they were collected, also if one of them has to be tried again: those behind it wait.
  ///
  /// - Parameters:
  ///   - collector: What to work on.
  ///   - name: The name in logs, statistics and errors.
  ///   - limit: How many works are in flight at most.
  ///   - property: The key of an entity, read in the pass that takes it; one without the component
  ///     waits for no other. An entity that waits or is in flight keeps the key that it had.
  ///     Hashing and comparing keys must not use the loop.
  ///   - work: Called in a task of its own. Returns the change to make.
  /// - Precondition: `limit > 0`. No other system has the same collector.
  public func onAsync<C: Component, Key: Hashable & Sendable>(
    _ collector: Collector, name: String, limit: Int,
    orderedBy property: any KeyPath<C, Key> & Sendable,
    _ work: @escaping @Sendable (Entity) async throws -> @Sendable () -> Void
  ) {
    let key: @Sendable (Entity) -> AnyHashable? = { entity in
      entity.get(C.self).map { AnyHashable($0[keyPath: property]) }
    }
    add(AsyncSystem(name, collector: collector, limit: limit, key: key, engine: engine, work))
  }
}
