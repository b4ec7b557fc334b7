public import Dispatch

/// The source of time of loops: a clock to read, and timers.
///
/// Programs use ``dispatch``; tests of delays inject a clock that they advance by hand.
public struct LoopClock: Sendable {
  /// The time since some fixed moment in the past.
  public let now: @Sendable () -> Duration

  /// Runs a body on a queue after some time.
  public let run:
    @Sendable (_ delay: Duration, _ queue: DispatchQueue, _ body: @escaping @Sendable () -> Void) ->
      Void

  /// The time since January 1, 1970, UTC, for a ``Deadline``.
  public let wallTime: @Sendable () -> Duration

  /// Makes a clock.
  ///
  /// - Parameters:
  ///   - now: Returns the time. It never goes back.
  ///   - wallTime: Returns the time of day; by default, that of the machine, a few milliseconds
  ///     late.
  ///   - run: Runs a body on a queue after a delay. It returns at once.
  public init(
    now: @escaping @Sendable () -> Duration,
    wallTime: (@Sendable () -> Duration)? = nil,
    run: @escaping @Sendable (Duration, DispatchQueue, @escaping @Sendable () -> Void) -> Void
  ) {
    self.now = now
    self.wallTime = wallTime ?? { WallTime.now }
    self.run = run
  }

  /// The time since the machine started, and Dispatch's timers.
  public static let dispatch = LoopClock {
    .nanoseconds(Int64(DispatchTime.now().uptimeNanoseconds))
  } run: { delay, queue, body in
    let (seconds, attoseconds) = delay.components
    queue.asyncAfter(
      deadline: .now() + (Double(seconds) + Double(attoseconds) / 1e18), execute: body)
  }
}
