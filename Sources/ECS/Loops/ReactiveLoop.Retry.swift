extension ReactiveLoop {
  /// When a loop retries entities that were collected again because their system threw, and systems
  /// that threw when they were initialized.
  ///
  /// The next change that wakes the loop always retries them, and so do ``ReactiveLoop/resume()``
  /// and ``ReactiveLoop/runUntilSettled()``. This is about how long to wait if nothing happens.
  public enum Retry: Hashable, Sendable {
    /// Wait for the next change, however long that takes.
    case withNextTrigger

    /// Wait this long, and twice as long after each further failure in a row, up to a limit.
    case after(Duration, upTo: Duration)

    /// After 100 milliseconds, doubling up to 10 seconds.
    public static let standard = Retry.after(.milliseconds(100), upTo: .seconds(10))

    /// How long to wait after a number of failures in a row; nil to wait for a change.
    func wait(afterFailures failures: Int) -> Duration? {
      guard case .after(let first, let limit) = self else { return nil }
      var wait = first
      for _ in 1..<max(failures, 1) where wait < limit { wait *= 2 }
      return min(wait, limit)
    }
  }
}
