/// When a request is tried again: after a random part of a time that doubles, or later, if the
/// server says so in `Retry-After`.
public struct RemoteRetry: Sendable, Hashable {
  /// How often a request is sent, at most.
  public var attempts: Int

  /// The longest wait before the second attempt.
  public var first: Duration

  /// The longest wait before any.
  public var limit: Duration

  /// Makes a rule.
  public init(attempts: Int, first: Duration, limit: Duration) {
    (self.attempts, self.first, self.limit) = (attempts, first, limit)
  }

  /// Three attempts, the second within a second.
  public static let standard = RemoteRetry(attempts: 3, first: .seconds(1), limit: .seconds(30))

  /// One attempt.
  ///
  /// A ``SendingSystem`` and ``Remote/follow(_:)`` try again all the same, without an end: where a
  /// rule has no waits, theirs are those of ``standard``.
  public static let never = RemoteRetry(attempts: 1, first: .zero, limit: .zero)

  /// The rule for what is tried without an end, which has waits in any case.
  var endless: RemoteRetry {
    RemoteRetry(
      attempts: .max, first: first > .zero ? first : RemoteRetry.standard.first,
      limit: limit > .zero ? limit : RemoteRetry.standard.limit)
  }

  /// How long to wait after an attempt, counted from 1.
  func wait(after attempt: Int, chance: Double) -> Duration {
    var longest = first
    for _ in 1..<max(1, attempt) where longest < limit { longest *= 2 }
    return min(limit, longest) * min(max(chance, 0), 1)
  }
}
