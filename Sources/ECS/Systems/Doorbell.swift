/// Lets a task wait until a collector gets its first entity.
final class Doorbell: Sendable {
  private let collector: Collector
  private let number: Int
  private let bell: Bell

  init(_ collector: Collector) {
    let bell = Bell(collector.core)
    self.collector = collector
    self.bell = bell
    number = collector.addWaiter { bell.ring() }
  }

  deinit {
    collector.removeWaiter(number)
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
  func wait() async { await bell.wait() }
}
