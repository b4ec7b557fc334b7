extension ReactiveLoop {
  /// Adds a system that sets components whose deadlines have passed.
  ///
  /// ```swift
  /// loop.addDeadlines(of: Overdue.self)
  /// order.set(Deadline(Overdue(), at: dueTime))
  /// ```
  ///
  /// When the time of a ``Deadline`` has come, in a pass, its entity loses the deadline and gets
  /// the component, in one section and with the system as its ``Cause``; the one whose time came
  /// first is the first. What has passed already is set in the first pass. One timer waits for the
  /// next deadline, by the loop's clock. Where the time of day is set, or the machine sleeps, the
  /// loop looks again within a minute. What delays its passes delays these, too.
  ///
  /// - Parameter type: The type of the components.
  /// - Complexity: Setting a deadline takes O(1), and in the pass that follows O(log *n*), where
  ///   *n* is the number of deadlines of the type, or O(1) on average; taking one back takes O(1).
  @inlinable
  public func addDeadlines<Value: Component>(of type: Value.Type) {
    // PERFORMANCE: DL1: closures that are made here are specialized.
    let property = \Deadline<Value>.nanoseconds
    let offset = MemoryLayout<Deadline<Value>>.offset(of: property)
    addDeadlines("Deadline<\(Value.self)>", Deadline<Value>.matcher) { core, handle in
      core.property(property, offset: offset, of: handle)
    } setValue: { entity in
      guard let deadline = entity.get(Deadline<Value>.self) else { return }
      entity.remove(Deadline<Value>.self)
      entity.set(deadline.value)
    }
  }

  @usableFromInline
  func addDeadlines(
    _ name: String, _ matcher: Matcher, time: @escaping (Core, Handle) -> Int64?,
    setValue: @escaping (Entity) -> Void
  ) {
    let collector = context.collector(for: matcher, type: .addedOrUpdated)
    let system = DeadlineSystem(name, collector, engine: engine, time: time, setValue: setValue)
    add(system)
    // A transaction that is taken back takes back what was collected in it.
    context.core.runWhenFree { [weak system] in system?.wake() }
  }

  /// Adds a system made of a closure, which is called once in a period.
  ///
  /// ```swift
  /// loop.every(.seconds(60), name: "Sweep") { sweep(context) }
  /// ```
  ///
  /// The first call comes one period from now. Times that pass while the loop is paused or busy are
  /// made up for by one call, and where a pass is planned already, as with a delay, the call is
  /// made in that pass. A closure that throws is called again in the next period.
  ///
  /// - Parameters:
  ///   - period: The time between calls, by the loop's clock.
  ///   - name: The name in logs, statistics and errors.
  ///   - body: Called on the loop's queue. It may throw, as systems may.
  /// - Precondition: The period is longer than zero.
  public func every(
    _ period: Duration, name: String, _ body: sending @escaping @isolated(any) () throws -> Void
  ) {
    let system = PeriodicSystem(name, period: period, body)
    let due = system.due
    add(system)
    engine.startPeriod(period, due, at: engine.clock.now() + period)
  }
}
