/// Each single change of a group or an entity, as an asynchronous sequence.
///
/// See ``Group/singleChanges(_:buffering:)`` and ``Entity/singleChanges(_:buffering:)``.
public struct SingleChangeSequence: AsyncSequence, Sendable {
  /// How many changes wait to be taken, and which ones are dropped if there are more.
  ///
  /// The policies are those of the standard library's `AsyncStream`.
  public typealias Buffering = AsyncStream<Change>.Continuation.BufferingPolicy

  private let mailbox: MailboxSubscription<Change>

  init(
    _ core: CoreReference, _ buffering: Buffering,
    observe: (@escaping @Sendable () -> Void, @escaping @Sendable (Change) -> Void) -> Subscription
  ) {
    let mailbox = Mailbox<Change>(core, buffering)
    self.mailbox = MailboxSubscription(mailbox, observe(mailbox.finish, mailbox.send))
  }

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

extension Group {
  /// Each change of the group from now on, with old and new values, as an asynchronous sequence.
  ///
  /// What ``observe(_:_:)`` is told, in the same order, handed to a task: this is how to bridge
  /// changes to asynchronous code. The task runs without the lock and later, so an entity may have
  /// changed again, or be dead, when its change is seen. The sequence ends when the context goes
  /// or the task is cancelled. Let one task iterate over it, once.
  ///
  /// ```swift
  /// for await change in scores.singleChanges(.updated) {
  ///   log(change.entity, change.old(Score.self), change.new(Score.self))
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - kinds: The kinds of changes to be told.
  ///   - buffering: What happens to changes that come faster than they are taken. Unless it is
  ///     limited, they wait, however many there are.
  /// - Returns: The sequence, which observes until it is released or comes to its end.
  /// - Complexity: As ``observe(_:_:)``.
  public func singleChanges(
    _ kinds: ChangeKinds = .addedUpdatedOrRemoved,
    buffering: SingleChangeSequence.Buffering = .unbounded
  ) -> SingleChangeSequence {
    SingleChangeSequence(core, buffering) { observe(kinds, ended: $0, $1) }
  }
}

extension Entity {
  /// Each change of the entity's components from now on, and its end, as an asynchronous sequence.
  ///
  /// What ``observe(_:_:)-(_,(Change)->Void)`` is told, as described for
  /// ``Group/singleChanges(_:buffering:)``. The sequence ends after `destroyed`.
  ///
  /// - Parameters:
  ///   - kinds: The kinds of changes to be told.
  ///   - buffering: What happens to changes that come faster than they are taken.
  /// - Returns: The sequence, which observes until it is released or comes to its end.
  public func singleChanges(
    _ kinds: ChangeKinds = .addedUpdatedOrRemoved,
    buffering: SingleChangeSequence.Buffering = .unbounded
  ) -> SingleChangeSequence {
    SingleChangeSequence(core, buffering) { observe(kinds, ended: $0, $1) }
  }
}
