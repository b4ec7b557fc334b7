extension Collector {
  /// What is collected, as an asynchronous sequence of sets.
  ///
  /// ```swift
  /// for await entities in moved.values {
  ///   for entity in entities { redraw(entity) }
  /// }
  /// ```
  ///
  /// Each element is what ``drain()`` returns, and never empty. While the loop body runs,
  /// changes gather in the collector, each entity once: there is no other buffer, so a slow
  /// consumer never falls behind by more than one element.
  ///
  /// The sequence keeps its collector, so you can make one on the spot. It ends when the context is
  /// gone, when the collector is finished and all is delivered, see ``finish()``, and when the task
  /// is cancelled: what was not delivered is still in the collector then. Anything else that drains
  /// the collector, including a second iteration, takes entities away.
  public var values: Values { Values(collector: self) }

  /// The entities that a collector collects, as an asynchronous sequence; see ``Collector/values``.
  public struct Values: AsyncSequence, Sendable {
    /// All that was collected since the last element.
    public typealias Element = EntitySet

    /// No errors are thrown.
    public typealias Failure = Never

    private let collector: Collector

    init(collector: Collector) {
      self.collector = collector
    }

    /// Begins to wait for entities.
    public func makeAsyncIterator() -> Iterator { Iterator(collector: collector) }
  }
}

extension Collector.Values {
  /// Waits for entities and drains them.
  public struct Iterator: AsyncIteratorProtocol {
    private let signal: CollectorSignal

    init(collector: Collector) {
      signal = CollectorSignal(collector)
    }

    /// The collected entities, as soon as there are any; nil at the end.
    public mutating func next() async -> EntitySet? {
      await next(isolation: #isolation)
    }

    /// The collected entities, as soon as there are any; nil at the end.
    public mutating func next(isolation actor: isolated (any Actor)?) async -> EntitySet? {
      while !Task.isCancelled {
        guard let entities = signal.drain() else { return nil }
        if !entities.isEmpty { return entities }
        await signal.wait()
      }
      return nil
    }
  }
}
