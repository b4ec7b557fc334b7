extension ReactiveLoop {
  /// Adds a system that belongs to the main actor at the end, from the next pass on.
  ///
  /// Works like ``add(_:)``, but you can keep using the system on the main actor.
  ///
  /// ```swift
  /// let loop = ReactiveLoop(ctx: context, systems: [])
  /// loop.addOnMainActor(display)
  /// ```
  ///
  /// - Precondition: The loop runs on the main queue. No other system has the same collector.
  @MainActor public func addOnMainActor(_ system: any System) {
    engine.requireMainQueue(for: system.name)
    // It stays on the main actor: the engine calls it on the main queue only.
    @safe nonisolated(unsafe) let step = SystemStep(system, inLoop: name)
    engine.add(step)
  }

  /// Adds a system made of a closure of the main actor, which is called with the entities that a
  /// collector gathers.
  ///
  /// ```swift
  /// loop.onMainActor(context.collector(for: Score.matcher), name: "show") { [weak self] entities in
  ///   self?.show(entities)
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - collector: What the system works on.
  ///   - name: The name in logs, statistics and errors.
  ///   - body: Called on the main actor with all collected entities. It may throw, as systems may.
  /// - Precondition: The loop runs on the main queue. No other system has the same collector.
  public func onMainActor(
    _ collector: Collector, name: String, _ body: @escaping @MainActor (EntitySet) throws -> Void
  ) {
    engine.requireMainQueue(for: name)
    add(
      ClosureSystem(name, collector: collector) { @Sendable entities in
        try MainActor.assumeIsolated { try body(entities) }
      })
  }

  /// Adds a system made of a closure of the main actor, which is called with the entities that
  /// match and change.
  ///
  /// - Parameters:
  ///   - matcher: Which entities to work on.
  ///   - type: The kinds of changes to collect.
  ///   - name: The name in logs, statistics and errors.
  ///   - body: Called on the main actor with all collected entities. It may throw, as systems may.
  /// - Precondition: The loop runs on the main queue.
  public func onMainActor(
    _ matcher: Matcher, _ type: ChangeKinds = .added, name: String,
    _ body: @escaping @MainActor (EntitySet) throws -> Void
  ) {
    onMainActor(context.collector(for: matcher, type: type), name: name, body)
  }
}
