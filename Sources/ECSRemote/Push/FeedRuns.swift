import Foundation

/// Which run of each feed is the latest: one that was cancelled may still be at work beside the
/// next one.
// Guarded by its lock.
final class FeedRuns: @unchecked Sendable {
  private let lock = NSLock()
  private var latest: [String: Int] = [:]

  /// A run begins, unless a later one has.
  func begin(_ name: String, _ number: Int) {
    lock.withLock { latest[name] = max(latest[name] ?? number, number) }
  }

  /// Whether no later run has begun.
  func isLatest(_ name: String, _ number: Int) -> Bool {
    lock.withLock { latest[name] == number }
  }
}
