/// Each single change of an entity or a group, as an asynchronous sequence.
///
/// See ``SingleChangeSource/changes(_:buffering:)``.
public struct ChangeSequence: AsyncSequence, Sendable {
  /// How many changes wait to be consumed, and which ones are dropped if there are more.
  ///
  /// The policies are those of the standard library's `AsyncStream`.
  public typealias Buffering = AsyncStream<Change>.Continuation.BufferingPolicy

  private let mailbox: MailboxSubscription<Change>

  init(_ signal: ChangeSignal, _ kinds: ChangeKinds, _ buffering: Buffering) {
    let mailbox = Mailbox<Change>(signal.core, buffering)
    self.mailbox = MailboxSubscription(
      mailbox, signal.attachToChanges(kinds, mailbox), in: signal.core)
  }

  /// Lets the sequence end behind what has happened so far.
  ///
  /// The observation ends, changes that wait are still delivered, and then the iteration is over.
  /// Called within a section, this takes effect when that has ended, so that nothing of it is
  /// missing; a transaction around does not take it back. Does nothing if the sequence has ended.
  ///
  /// - Complexity: O(1) amortized.
  public func finish() { mailbox.finish() }

  /// How many changes were dropped: those for which there was no room, and those that waited when
  /// the task was cancelled.
  ///
  /// ``finish()`` ends a sequence without loss. ``Context/statistics`` has the sum of all
  /// sequences.
  ///
  /// - Complexity: O(1).
  public var droppedCount: Int { mailbox.droppedCount }

  /// Gives each change.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate let mailbox: MailboxSubscription<Change>

    /// Waits for the next change; nil once there are no more.
    public mutating func next() async -> Change? { await mailbox.next() }

    /// Waits for the next change; nil once there are no more.
    public mutating func next(isolation actor: isolated (any Actor)?) async -> Change? {
      await mailbox.next()
    }
  }

  /// Iterates over the changes.
  public func makeAsyncIterator() -> Iterator { Iterator(mailbox: mailbox) }
}

extension SingleChangeSource {
  /// Each single change of the source from now on, with old and new values, as an asynchronous
  /// sequence.
  ///
  /// The same changes as with ``observeChanges(_:name:on:file:line:_:)``, in the same order,
  /// delivered to a task: this is how to bridge changes to asynchronous code. The task runs later
  /// and without the lock, so an entity may have changed again, or be dead, when its change is
  /// seen. The sequence ends when the context goes away, the task is cancelled, which drops what
  /// waits, or ``ChangeSequence/finish()`` is called, which does not; that of an entity also ends
  /// after `destroyed`. Iterate over it once, in one task.
  ///
  /// ```swift
  /// for await change in scores.changes(.updated) {
  ///   log(change.entity, change.old(Score.self), change.new(Score.self))
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - kinds: The kinds of changes to deliver.
  ///   - buffering: What happens to changes that come faster than they are consumed. By default
  ///     they wait, however many there are.
  /// - Returns: The sequence, which observes until it is released or ends.
  /// - Complexity: Same as ``observeChanges(_:name:on:file:line:_:)``.
  public func changes(
    _ kinds: ChangeKinds = .addedUpdatedOrRemoved,
    buffering: ChangeSequence.Buffering = .unbounded
  ) -> ChangeSequence {
    ChangeSequence(changeSignal, kinds, buffering)
  }
}
