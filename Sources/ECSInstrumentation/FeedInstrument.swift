public import ECS

/// A way to follow how far a feed of commits is behind its context: by logs or metrics.
///
/// Each of them needs the trait of its name: `Logging`, `Metrics`.
public struct FeedInstrument: Sendable {
  /// Makes what a feed calls, by the name of the feed.
  let observer: @Sendable (_ feed: String) -> @Sendable (FeedReading) -> Void
}

/// The state of a feed at a moment.
struct FeedReading: Sendable {
  /// How many commits wait.
  var lag: Int

  /// How many commits were delivered since the reading before.
  var delivered = 0

  /// How many commits were dropped since the reading before.
  var dropped: Int

  /// Whether the feed has ended.
  var isEnd = false
}

extension CommitSequence {
  /// The same commits, each of which reports how far the feed is behind.
  ///
  /// ```swift
  /// let feed = context.journal().commits().instrumented(.metrics(), name: "audit")
  /// for await commit in feed {
  ///   try await send(commit)
  /// }
  /// ```
  ///
  /// Each instrument gets one reading a commit. How far a feed is behind are the
  /// commits that wait in it, besides those that were dropped. A consumer that is stuck asks for no
  /// commit: ``InstrumentedCommits/report()`` makes a reading at any time.
  ///
  /// - Parameters:
  ///   - instruments: What follows the feed.
  ///   - name: The name of the feed in logs and labels.
  /// - Returns: The sequence to iterate over in place of this one.
  public func instrumented(
    _ instruments: FeedInstrument..., name: String
  ) -> InstrumentedCommits {
    InstrumentedCommits(self, instruments.map { $0.observer(name) })
  }
}
