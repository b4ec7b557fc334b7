/// The commits of a context, as an asynchronous sequence.
///
/// See ``Journal/commits(buffering:)``.
public struct CommitSequence: AsyncSequence, Sendable {
  /// How many commits wait to be consumed, and which ones are dropped if there are more.
  ///
  /// The policies are those of the standard library's `AsyncStream`.
  public typealias Buffering = AsyncStream<Commit>.Continuation.BufferingPolicy

  private let mailbox: MailboxSubscription<Commit>

  init(_ journal: Journal, upTo last: Int = .max, _ buffering: Buffering) {
    let core = journal.core
    let mailbox = Mailbox<Commit>(core, buffering)
    let sent = SentCommits()
    let end: @Sendable (UInt64) -> Void = { if $0 >= last { mailbox.finish() } }
    let reader = CommitReader(journal.choice, otherwise: end) { commit in
      commit.noteSending()
      mailbox.send(sent.positioned(commit))
      if commit.number >= last { mailbox.finish() }
    }
    let subscription = core.section {
      if core.commits.last >= last { mailbox.finish() }
      return journal.signal.attach(.commit(reader), ended: mailbox.finish)
    }
    self.mailbox = MailboxSubscription(mailbox, subscription, in: core)
  }

  /// Lets the sequence end behind what has happened so far.
  ///
  /// The observation ends, commits that wait are still delivered, and then the iteration is over.
  /// Called within a section, this takes effect when that has ended, so that its commit is
  /// delivered, too; a transaction around does not take it back. Does nothing if the sequence has
  /// ended. ``Journal/finish()`` does so for all sequences of a journal.
  ///
  /// - Complexity: O(1) amortized.
  public func finish() { mailbox.finish() }

  /// How many commits were dropped: those for which there was no room, and those that waited when
  /// the task was cancelled.
  ///
  /// ``finish()`` ends a sequence without loss. Each commit says how many were
  /// ``Commit/droppedBefore`` it, and ``Context/statistics`` has the sum of all sequences.
  ///
  /// - Complexity: O(1).
  public var droppedCount: Int { mailbox.droppedCount }

  /// How many commits wait to be consumed.
  ///
  /// - Complexity: O(1).
  public var waitingCount: Int { mailbox.waitingCount }

  /// Gives each commit.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate let mailbox: MailboxSubscription<Commit>
    private var next = 0

    fileprivate init(_ mailbox: MailboxSubscription<Commit>) { self.mailbox = mailbox }

    /// Waits for the next commit; nil once there are no more.
    public mutating func next() async -> Commit? { counted(await mailbox.next()) }

    /// Waits for the next commit; nil once there are no more.
    public mutating func next(isolation actor: isolated (any Actor)?) async -> Commit? {
      counted(await mailbox.next())
    }

    /// Says how many were dropped: positions that are left out.
    private mutating func counted(_ commit: Commit?) -> Commit? {
      guard var commit else { return nil }
      commit.droppedBefore = commit.position - next
      next = commit.position + 1
      return commit
    }
  }

  /// Iterates over the commits.
  public func makeAsyncIterator() -> Iterator { Iterator(mailbox) }
}

/// The count of the commits that a sequence is sent.
// Guarded by the lock of the core, under which commits are delivered.
private final class SentCommits: @unchecked Sendable {
  private var count = 0

  func positioned(_ commit: Commit) -> Commit {
    defer { count += 1 }
    var commit = commit
    commit.position = count
    return commit
  }
}
