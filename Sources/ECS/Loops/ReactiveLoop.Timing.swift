extension ReactiveLoop {
  /// When a pass follows a trigger: a change that fills a collector of one of the loop's systems.
  public enum Timing: Hashable, Sendable {
    /// As soon as the queue gets to it.
    case immediate

    /// This long after the trigger; further triggers until then change nothing.
    case delay(Duration)

    /// This long after the last trigger: every change until then restarts the time.
    case debounce(Duration)

    /// As soon as the queue gets to it, but no earlier than this long after the last pass began.
    case throttle(Duration)

    /// When a pass is due after a trigger.
    func due(triggeredAt now: Duration, lastPass: Duration?) -> Duration {
      switch self {
      case .immediate: now
      case .delay(let delay), .debounce(let delay): now + delay
      case .throttle(let interval): max(now, lastPass.map { $0 + interval } ?? now)
      }
    }

    var isDebounce: Bool {
      if case .debounce = self { true } else { false }
    }
  }
}
