public import Dispatch

/// An ordered list of systems that runs by itself, on a queue of your choice, when there is
/// something to do.
///
/// ```swift
/// let loop = ReactiveLoop(ctx: context, queue: .main, delay: nil, systems: [Count(context)])
/// ```
///
/// The loop wakes when a collector of one of its systems gets its first entity. One pass then
/// handles all changes so far, however many: it executes the systems in order, each reactive one
/// with everything it collected, and then lets them clean up. Changes during a pass that the pass
/// does not handle itself, including those made by its own systems, cause another pass; between
/// passes the queue is free for other work. Passes of one loop never overlap, even on a concurrent
/// queue, and do not run in a critical section.
///
/// **Lifetime.** The loop lives as long as you keep it. Releasing it has the effect of
/// ``cancel()``.
///
/// **Isolation.** Systems need not be `Sendable`. The loop takes them over, so nothing else may
/// keep using them; the compiler checks that. Systems of the main actor go into a loop that is made
/// on the main actor without naming a queue; see
/// ``init(ctx:delay:systems:name:timing:logger:maxPasses:retry:clock:errorHandler:)``.
///
/// **Errors.** See ``LoopFailure`` and ``Retry``.
public final class ReactiveLoop: Sendable {
  /// The name in errors.
  public let name: String

  /// The context that the loop works on.
  public let context: Context

  let engine: ReactiveLoopEngine

  /// Makes a loop on any queue and starts it.
  ///
  /// - Parameters:
  ///   - ctx: The context that the systems work on. The loop keeps it alive.
  ///   - queue: Where the systems run.
  ///   - delay: How long after a trigger a pass begins; a short form of
  ///     the timing ``Timing/delay(_:)``, instead of `timing`.
  ///   - systems: The systems, in the order in which they are called. They are handed over.
  ///   - name: The name in errors.
  ///   - timing: When a pass follows a trigger.
  ///   - logger: Gets a call before and after each call of a system.
  ///   - maxPasses: After how many passes in a row that the loop itself caused the error handler
  ///     is called, with the names of the systems that keep triggering each other.
  ///   - retry: When entities are retried after an error.
  ///   - clock: Measures time and runs timers.
  ///   - errorHandler: Gets failures, on the loop's queue. Without one, they are logged; see
  ///     ``LoopFailure``.
  /// - Precondition: `maxPasses > 0`; not both `delay` and `timing` are given; no two systems have
  ///   the same collector.
  public init(
    ctx: Context, queue: DispatchQueue, delay: Duration? = nil, systems: sending [any System],
    name: String = "ReactiveLoop", timing: Timing = .immediate,
    logger: (any SystemLogger)? = nil, maxPasses: Int = 100, retry: Retry = .standard,
    clock: LoopClock = .dispatch,
    errorHandler: (@Sendable (inout LoopFailure) -> Void)? = nil
  ) {
    self.name = name
    context = ctx
    engine = ReactiveLoopEngine(
      SystemRunner(
        loop: name, systems: systems, logger: logger, clock: clock, errorHandler: errorHandler),
      core: ctx.core, queue: queue, timing: Timing(delay, timing), maxPasses: maxPasses,
      retry: retry, clock: clock)
    engine.start()
  }

  /// Makes a loop on the main queue, which takes systems that belong to the main actor, and starts
  /// it.
  ///
  /// - Parameters:
  ///   - ctx: The context that the systems work on. The loop keeps it alive.
  ///   - delay: How long after a trigger a pass begins; a short form of
  ///     the timing ``Timing/delay(_:)``, instead of `timing`.
  ///   - systems: The systems, in the order in which they are called.
  ///   - name: The name in errors.
  ///   - timing: When a pass follows a trigger.
  ///   - logger: Gets a call before and after each call of a system.
  ///   - maxPasses: After how many passes in a row that the loop itself caused the error handler
  ///     is called, with the names of the systems that keep triggering each other.
  ///   - retry: When entities are retried after an error.
  ///   - clock: Measures time and runs timers.
  ///   - errorHandler: Gets failures, on the main queue. Without one, they are logged; see
  ///     ``LoopFailure``.
  /// - Precondition: `maxPasses > 0`; not both `delay` and `timing` are given; no two systems have
  ///   the same collector.
  @MainActor public init(
    ctx: Context, delay: Duration? = nil, systems: [any System],
    name: String = "ReactiveLoop", timing: Timing = .immediate,
    logger: (any SystemLogger)? = nil, maxPasses: Int = 100, retry: Retry = .standard,
    clock: LoopClock = .dispatch,
    errorHandler: (@Sendable (inout LoopFailure) -> Void)? = nil
  ) {
    self.name = name
    context = ctx
    // The systems stay on the main actor: the engine calls them on the main queue only.
    @safe nonisolated(unsafe) let runner = SystemRunner(
      loop: name, systems: systems, logger: logger, clock: clock, errorHandler: errorHandler)
    engine = ReactiveLoopEngine(
      runner, core: ctx.core, queue: .main, timing: Timing(delay, timing), maxPasses: maxPasses,
      retry: retry, clock: clock)
    engine.start()
  }

  deinit {
    engine.cancel()
  }
}

extension ReactiveLoop {
  /// Stops making passes, until ``resume()``.
  ///
  /// A pass in flight completes; collectors keep collecting. No ``Context/transaction(_:)`` takes
  /// it back, nor ``resume()``.
  public func pause() { engine.pause() }

  /// Ends a pause.
  ///
  /// What was collected in the meantime triggers a pass. Does nothing if the loop is not paused.
  public func resume() { engine.resume() }

  /// Whether the loop is paused.
  public var isPaused: Bool { engine.isPaused }

  /// Ends the loop for good.
  ///
  /// What is pending is dropped, a pass in flight completes, and then the systems are torn down on
  /// the loop's queue, the last one first, except those that were never initialized.
  public func cancel() { engine.cancel() }

  /// Whether the loop was cancelled.
  public var isCancelled: Bool { engine.isCancelled }

  /// What each system had done by the end of the last pass, in the order of the systems.
  public var statistics: [SystemStatistics] { engine.statistics }
}

extension ReactiveLoop.Timing {
  init(_ delay: Duration?, _ timing: ReactiveLoop.Timing) {
    require(
      delay == nil || timing == .immediate,
      "A loop was given both a delay and the timing \(timing): pass only one of them.")
    self = delay.map { .delay($0) } ?? timing
  }
}
