import Dispatch
package import ECS

/// A clock that tests turn by hand.
// Guarded by its queue.
package final class ManualClock: @unchecked Sendable {
  private struct Timer {
    let due: Duration
    let queue: DispatchQueue
    let body: @Sendable () -> Void
  }

  private let guardian = DispatchQueue(label: "ManualClock")
  private var time = Duration.zero
  private var timers: [Timer] = []

  package init() {}

  /// What loops are given.
  package var clock: LoopClock {
    LoopClock {
      self.guardian.sync { self.time }
    } run: { delay, queue, body in
      self.guardian.sync {
        self.timers.append(Timer(due: self.time + delay, queue: queue, body: body))
      }
    }
  }

  /// Lets time pass, and enqueues what comes due, in the order in which it was set.
  package func advance(by duration: Duration) {
    let due = guardian.sync {
      time += duration
      let isDue: (Timer) -> Bool = { $0.due <= self.time }
      defer { timers.removeAll(where: isDue) }
      return timers.filter(isDue)
    }
    for timer in due { timer.queue.async(execute: timer.body) }
  }

  /// The number of timers that wait.
  package var timerCount: Int { guardian.sync { timers.count } }
}
