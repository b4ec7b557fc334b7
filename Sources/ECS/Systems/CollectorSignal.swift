/// A signal that a collector has got its first entity.
final class CollectorSignal: Sendable {
  private let collector: Collector
  private let waiter: Int
  private let signal: AsyncSignal

  init(_ collector: Collector) {
    let signal = AsyncSignal(collector.core)
    self.collector = collector
    self.signal = signal
    waiter = collector.addWaiter { signal.fire() }
  }

  deinit {
    collector.removeWaiter(waiter)
  }

  /// What is collected; nil if that will never be anything any more.
  func drain() -> EntitySet? {
    // Asked before: what is collected last is drained then.
    let isEnded = collector.isEnded
    let entities = collector.drain()
    return entities.isEmpty && isEnded ? nil : entities
  }

  /// Waits until the collector got an entity or the task is cancelled; not at all if it did
  /// already.
  func wait() async { await signal.wait() }
}
