/// The changes of a source, as an asynchronous sequence.
///
/// See ``ChangeSource/changes``.
public struct ChangeSequence<Source: ChangeSource>: AsyncSequence, Sendable {
  private let stream: AsyncStream<Source>

  init(_ source: Source) {
    stream = AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
      let observer = SignalObserver(ended: { continuation.finish() }) { _ in
        continuation.yield(source)
      }
      let subscription = source.attach(
        observer, initial: false, Cancellation(), endsWhenReleased: true)
      continuation.onTermination = { _ in subscription.cancel() }
    }
  }

  /// Gives the source after each change.
  public struct Iterator: AsyncIteratorProtocol {
    var base: AsyncStream<Source>.Iterator

    /// Waits for the next change; nil once there are no more.
    public mutating func next() async -> Source? { await base.next() }

    /// Waits for the next change; nil once there are no more.
    public mutating func next(isolation actor: isolated (any Actor)?) async -> Source? {
      await base.next(isolation: actor)
    }
  }

  /// Iterates over the changes.
  public func makeAsyncIterator() -> Iterator { Iterator(base: stream.makeAsyncIterator()) }
}

extension ChangeSource {
  /// The changes from now on: an element after each outermost change, fewer if they come faster
  /// than they are asked for.
  ///
  /// The sequence ends when the source does (the entity is destroyed, the context goes) or the task
  /// is cancelled. Let one task iterate over it, once.
  ///
  /// ```swift
  /// for await article in article.changes { show(article) }
  /// ```
  public var changes: ChangeSequence<Self> { ChangeSequence(self) }
}
