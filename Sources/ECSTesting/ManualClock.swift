import Dispatch
public import ECS

/// A clock that a test advances by hand, for loops whose timing matters.
///
/// ```swift
/// let time = ManualClock()
/// let loop = ReactiveLoop(
///   ctx: context, queue: queue, delay: .seconds(5), systems: [Save(context)], clock: time.clock)
/// entity.set(Title(text: "Notes"))
/// time.advance(by: .seconds(5))
/// await loop.settled()
/// ```
///
/// Time stands still until ``advance(by:)`` is called.
public final class ManualClock {
  private struct Timer {
    let due: Duration
    let queue: DispatchQueue
    let body: @Sendable () -> Void
  }

  private let guardian = DispatchQueue(label: "ECSTesting.ManualClock")
  private var time = Duration.zero
  private var timers: [Timer] = []

  private let wallTime: Duration

  /// Makes a clock that starts at zero.
  ///
  /// - Parameter wallTime: The time of day that it starts at, since January 1, 1970, UTC.
  public init(wallTime: Duration = .zero) { self.wallTime = wallTime }

  /// The clock to pass to loops.
  public var clock: LoopClock {
    LoopClock {
      self.now
    } wallTime: {
      self.wallTime + self.now
    } run: { delay, queue, body in
      // What is due now does not wait for the next time.
      guard delay > .zero else { return queue.async(execute: body) }
      self.guardian.sync {
        self.timers.append(Timer(due: self.time + delay, queue: queue, body: body))
      }
    }
  }

  /// The time since the clock was made.
  public var now: Duration { guardian.sync { time } }

  /// Advances the time, and puts the timers that come due on their queues, in the order of their
  /// times.
  ///
  /// They run there as usual: in asynchronous tests, wait with `settled()` of the loop. A timer
  /// that one of them sets counts from the new time, so a test of several delays in a row
  /// advances once for each.
  public func advance(by duration: Duration) {
    let due = guardian.sync {
      time += duration
      let isDue: (Timer) -> Bool = { $0.due <= self.time }
      defer { timers.removeAll(where: isDue) }
      // The sort is stable: what is due at the same time stays in the order in which it was set.
      return timers.filter(isDue).sorted { $0.due < $1.due }
    }
    for timer in due { timer.queue.async(execute: timer.body) }
  }

  /// The number of timers that wait.
  public var timerCount: Int { guardian.sync { timers.count } }
}

// Guarded by its queue.
extension ManualClock: @unchecked Sendable {}
