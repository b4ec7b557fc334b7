extension ReactiveLoop {
  /// Adds a system at the end, from the next pass on.
  ///
  /// It is initialized before its first pass. If its collector already holds entities, that
  /// triggers a pass. A system of the main actor is added with ``addOnMainActor(_:)``.
  ///
  /// - Precondition: No other system has the same collector.
  public func add(_ system: sending any System) {
    engine.add(SystemStep(system, inLoop: name))
  }

  /// Gives the loop a further logger, in place of the one that has the same name.
  ///
  /// The logger that the loop was made with has no name, and stays. Passes have the logger from the
  /// next one on, works from those on that begin afterwards. After ``cancel()``, only the teardown
  /// has it.
  ///
  /// - Parameters:
  ///   - logger: What gets a call before, around and after each call of a system; nil for none.
  ///   - name: The name, of which there is one logger at most.
  /// - Complexity: O(*n*), where *n* is the number of named loggers.
  public func setLogger(_ logger: (any SystemLogger)?, named name: String) {
    let logger = logger?.logger(ofLoop: self.name)
    let replaced = engine.withState { state in
      let loggers = state.loggers
      state.loggers.set(logger, named: name)
      state.hasNewLoggers = true
      return loggers
    }
    // It may end here, which may call the loop.
    withExtendedLifetime(replaced) {}
  }

  /// Adds a system made of a closure, which is called with the entities that a collector gathers.
  ///
  /// ```swift
  /// loop.on(context.collector(for: Score.matcher, type: .addedOrUpdated), name: "print") {
  ///   for entity in $0 { print(entity) }
  /// }
  /// ```
  ///
  /// The loop keeps the closure, so a closure that uses the loop captures it weakly.
  ///
  /// A closure that uses what belongs to the main actor is added with
  /// ``onMainActor(_:name:_:)``. A loop on another queue stops with a message if it is given a
  /// function of the main actor here.
  ///
  /// - Parameters:
  ///   - collector: What the system works on.
  ///   - name: The name in logs, statistics and errors.
  ///   - body: Called on the loop's queue with all collected entities. It may throw, as systems
  ///     may.
  /// - Precondition: No other system has the same collector.
  public func on(
    _ collector: Collector, name: String,
    _ body: sending @escaping @isolated(any) (EntitySet) throws -> Void
  ) {
    add(ClosureSystem(name, collector: collector, body))
  }

  /// Adds a system made of a closure, which is called with the entities that match and change.
  ///
  /// - Parameters:
  ///   - matcher: Which entities to work on.
  ///   - type: The kinds of changes to collect.
  ///   - name: The name in logs, statistics and errors.
  ///   - body: Called on the loop's queue with all collected entities. It may throw, as systems
  ///     may.
  public func on(
    _ matcher: Matcher, _ type: ChangeKinds = .added, name: String,
    _ body: sending @escaping @isolated(any) (EntitySet) throws -> Void
  ) {
    on(context.collector(for: matcher, type: type), name: name, body)
  }
}
