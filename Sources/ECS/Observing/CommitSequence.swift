/// The commits of a context, as an asynchronous sequence.
///
/// See ``Journal/commits(buffering:)``.
public struct CommitSequence: AsyncSequence, Sendable {
  /// How many commits wait to be consumed, and which ones are dropped if there are more.
  ///
  /// The policies are those of the standard library's `AsyncStream`.
  public typealias Buffering = AsyncStream<Commit>.Continuation.BufferingPolicy

  private let mailbox: MailboxSubscription<Commit>

  init(_ journal: Journal, _ buffering: Buffering) {
    let mailbox = Mailbox<Commit>(journal.core, buffering)
    let sent = SentCommits()
    let subscription = journal.signal.attach(
      .commit(
        CommitReader(journal.choice) { commit in
          commit.noteSending()
          mailbox.send(sent.number(commit))
        }), ended: mailbox.finish)
    self.mailbox = MailboxSubscription(mailbox, subscription)
  }

  /// Gives each commit.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate let mailbox: MailboxSubscription<Commit>
    private var next = 0

    fileprivate init(_ mailbox: MailboxSubscription<Commit>) { self.mailbox = mailbox }

    /// Waits for the next commit; nil once there are no more.
    public mutating func next() async -> Commit? { number(await mailbox.next()) }

    /// Waits for the next commit; nil once there are no more.
    public mutating func next(isolation actor: isolated (any Actor)?) async -> Commit? {
      number(await mailbox.next())
    }

    /// Says how many were dropped: numbers that are left out.
    private mutating func number(_ commit: Commit?) -> Commit? {
      guard var commit else { return nil }
      commit.droppedBefore = commit.place - next
      next = commit.place + 1
      return commit
    }
  }

  /// Iterates over the commits.
  public func makeAsyncIterator() -> Iterator { Iterator(mailbox) }
}

/// Numbers the commits that a sequence is sent.
// Guarded by the lock of the core, under which commits are told.
private final class SentCommits: @unchecked Sendable {
  private var count = 0

  func number(_ commit: Commit) -> Commit {
    defer { count += 1 }
    var commit = commit
    commit.place = count
    return commit
  }
}
