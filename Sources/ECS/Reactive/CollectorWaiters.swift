/// Who is to be woken when a collector gets its first entity.
// Guarded by the lock of the collector's core; in the collector's end, by having a single owner.
final class CollectorWaiters: @unchecked Sendable {
  private var waiters: [(number: Int, wake: @Sendable () -> Void)] = []
  private var lastNumber = 0

  func add(_ wake: @escaping @Sendable () -> Void) -> Int {
    lastNumber += 1
    waiters.append((lastNumber, wake))
    return lastNumber
  }

  func remove(_ number: Int) {
    waiters.removeAll { $0.number == number }
  }

  /// Wakes all waiters, in the order in which they came; nil if there are none.
  var wake: (@Sendable () -> Void)? {
    let wakes = waiters.map(\.wake)
    guard wakes.count > 1 else { return wakes.first }
    return { for wake in wakes { wake() } }
  }
}

extension Collector {
  /// Runs a closure whenever a first entity is collected since the last drain, once the outermost
  /// change has ended and the lock is free; also when the context or the collector ends.
  ///
  /// - Returns: A number for `removeWaiter(_:)`.
  func addWaiter(_ wake: @escaping @Sendable () -> Void) -> Int {
    core.section {
      let number = waiters.add(wake)
      log.wake = waiters.wake
      return number
    }
  }

  func removeWaiter(_ number: Int) {
    core.section {
      waiters.remove(number)
      log.wake = waiters.wake
    }
  }

  /// Whether somebody waits for entities.
  package var isAwaited: Bool {
    core.section { log.wake != nil }
  }

  /// Whether something was collected since the last drain, restored entities apart.
  var hasNews: Bool {
    core.section { log.hasNews }
  }

  /// Lets the next change wake the waiters, even if entities are collected already.
  func awaitArrival() {
    core.section { log.awaitArrival() }
  }

  /// Whether the context is gone, so that nothing will ever be collected again.
  var isEnded: Bool {
    core.section { !core.uses(group.tables) }
  }
}
