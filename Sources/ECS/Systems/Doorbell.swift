import Dispatch

/// Lets a task wait until a collector gets its first entity.
// Guarded by its queue.
final class Doorbell: @unchecked Sendable {
  private weak let collector: Collector?
  private var number: Int?

  private let guardian = DispatchQueue(label: "ECS.Doorbell")
  private var hasRung = false
  private var sleeper: CheckedContinuation<Void, Never>?

  init(_ collector: Collector) {
    self.collector = collector
    number = collector.addWaiter { [weak self] in self?.ring() }
  }

  deinit {
    if let number { collector?.removeWaiter(number) }
  }

  /// What is collected; nil if that will never be anything any more.
  func drain() -> EntitySet? {
    guard let collector else { return nil }
    let entities = collector.drain()
    return entities.isEmpty && collector.isEnded ? nil : entities
  }

  /// Waits until somebody rings or the task is cancelled; not at all if somebody did already.
  func wait() async {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        guardian.sync { sleeper = continuation }
        answer()
        // If the task was cancelled before, its ringing may have been answered already.
        if Task.isCancelled { ring() }
      }
    } onCancel: {
      ring()
    }
  }

  private func ring() {
    guardian.sync { hasRung = true }
    answer()
  }

  private func answer() {
    let woken = guardian.sync { () -> CheckedContinuation<Void, Never>? in
      guard hasRung, let sleeper else { return nil }
      hasRung = false
      self.sleeper = nil
      return sleeper
    }
    woken?.resume()
  }
}
