/// A source after each outermost change that concerns it, as an asynchronous sequence.
///
/// See ``ChangeSource/observations``.
public struct ObservationSequence<Source: ChangeSource>: AsyncSequence, Sendable {
  private let mailbox: MailboxSubscription<Source>

  init(_ source: Source) {
    let core = source.changeSignal.core
    // One element says it all: that there was a change.
    let mailbox = Mailbox<Source>(core, .bufferingNewest(1), replaces: true)
    let subscription = source.changeSignal.attach(
      .whole { _ in mailbox.send(source) }, ended: mailbox.finish)
    self.mailbox = MailboxSubscription(mailbox, subscription, in: core)
  }

  /// Lets the sequence end behind what has happened so far.
  ///
  /// If there was a change that was not seen yet, the source is delivered once more, and then the
  /// iteration is over. Called within a section, this takes effect when that has ended; a
  /// transaction around does not take it back. Does nothing if the sequence has ended.
  ///
  /// - Complexity: O(1) amortized.
  public func finish() { mailbox.finish() }

  /// How many observations were dropped: 1 if there was a change that was not seen yet when the
  /// task was cancelled.
  ///
  /// Changes that are seen together with later ones do not count.
  ///
  /// - Complexity: O(1).
  public var droppedCount: Int { mailbox.droppedCount }

  /// Gives the source after each change.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate let mailbox: MailboxSubscription<Source>

    /// Waits for the next change; nil once there are no more.
    public mutating func next() async -> Source? { await mailbox.next() }

    /// Waits for the next change; nil once there are no more.
    public mutating func next(isolation actor: isolated (any Actor)?) async -> Source? {
      await mailbox.next()
    }
  }

  /// Iterates over the observations.
  public func makeAsyncIterator() -> Iterator { Iterator(mailbox: mailbox) }
}

extension ChangeSource {
  /// The source after each change from now on: one element for each outermost change, fewer if
  /// changes come faster than they are consumed.
  ///
  /// The sequence ends when the source does (the entity is destroyed, the context goes away), the
  /// task is cancelled, or ``ObservationSequence/finish()`` is called. Iterate over it once, in one
  /// task. For each single change, with old and new values, see
  /// ``SingleChangeSource/changes(_:buffering:)``.
  ///
  /// ```swift
  /// for await article in article.observations { show(article) }
  /// ```
  public var observations: ObservationSequence<Self> { ObservationSequence(self) }
}
