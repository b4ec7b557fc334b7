import Dispatch
public import ECS

/// The commits of a feed that reports how far it is behind its context.
///
/// See `CommitSequence.instrumented(_:name:)`.
public struct InstrumentedCommits: AsyncSequence, Sendable {
  private let commits: CommitSequence
  private let meter: FeedMeter

  init(_ commits: CommitSequence, _ observers: [@Sendable (FeedReading) -> Void]) {
    self.commits = commits
    meter = FeedMeter(commits, observers)
  }

  /// Makes a reading now, such as once in ten seconds: the only one that sees a consumer which is
  /// stuck.
  ///
  /// What calls this keeps the feed, and so all that waits in it: end both together. Not for use in
  /// back ends of instruments.
  ///
  /// - Complexity: O(1).
  public func report() { meter.read() }

  /// Gives each commit.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate var commits: CommitSequence.Iterator
    fileprivate let meter: FeedMeter

    /// Waits for the next commit; nil once there are no more.
    public mutating func next() async -> Commit? { meter.noting(await commits.next()) }

    /// Waits for the next commit; nil once there are no more.
    public mutating func next(isolation actor: isolated (any Actor)?) async -> Commit? {
      meter.noting(await commits.next(isolation: actor))
    }
  }

  /// Iterates over the commits.
  public func makeAsyncIterator() -> Iterator {
    Iterator(commits: commits.makeAsyncIterator(), meter: meter)
  }
}

/// The counts of what a feed has delivered and dropped.
// Guarded by `guardian`.
private final class FeedMeter: @unchecked Sendable {
  private let commits: CommitSequence
  private let observers: [@Sendable (FeedReading) -> Void]
  private let guardian = DispatchQueue(label: "ECSInstrumentation.feed")

  // INVARIANT: used inside `guardian` only.
  private var droppedBefore = 0
  private var hasEnded = false

  init(_ commits: CommitSequence, _ observers: [@Sendable (FeedReading) -> Void]) {
    (self.commits, self.observers) = (commits, observers)
  }

  /// Makes a reading with a commit that was delivered, or nil at the end; returns it.
  func noting(_ commit: Commit?) -> Commit? {
    read(commit, isEnd: commit == nil)
    return commit
  }

  func read(_ commit: Commit? = nil, isEnd: Bool = false) {
    let (waiting, dropped) = (commits.waitingCount, commits.droppedCount)
    // Observers are called inside, so that they get readings in their order.
    guardian.sync {
      guard !hasEnded else { return }
      hasEnded = isEnd
      let reading = FeedReading(
        lag: isEnd ? 0 : waiting, delivered: commit == nil ? 0 : 1,
        dropped: Swift.max(0, dropped - droppedBefore), isEnd: isEnd)
      droppedBefore = Swift.max(dropped, droppedBefore)
      for observer in observers { observer(reading) }
    }
  }
}
