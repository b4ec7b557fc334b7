/// The tasks to be woken when a collector gets its first entity.
// Guarded by the lock of the collector's core.
final class CollectorWaiters: @unchecked Sendable {
  private final class Waiter {
    let wake: @Sendable () -> Void
    var listIndex = -1

    init(_ wake: @escaping @Sendable () -> Void) {
      self.wake = wake
    }
  }

  private enum Role: StableListRole {
    static func index(of member: Waiter) -> Int { member.listIndex }
    static func setIndex(_ index: Int, of member: Waiter) { member.listIndex = index }
  }

  private let core: Core
  private var waiters = StableList<Role>()
  private var waitersByID: [Int: Waiter] = [:]
  private var lastID = 0

  init(_ core: Core) {
    self.core = core
  }

  func add(_ wake: @escaping @Sendable () -> Void) -> Int {
    lastID += 1
    let waiter = Waiter(wake)
    waiters.append(waiter)
    waitersByID[lastID] = waiter
    return lastID
  }

  func remove(_ id: Int) {
    guard let waiter = waitersByID.removeValue(forKey: id) else { return }
    waiters.remove(waiter)
    // It may own anything.
    core.retire(waiter)
  }

  /// Wakes all waiters, in the order in which they came, outside the critical section; nil if
  /// there are none.
  var wake: (@Sendable () -> Void)? {
    if waiters.isEmpty { return nil }
    return { [self] in
      core.assertIsFree()
      for wake in core.section({ waiters.members.map(\.wake) }) { wake() }
    }
  }
}

extension Collector {
  /// Runs a closure whenever a first entity is collected since the last drain, once the outermost
  /// change has ended and the lock is free; also when the context ends.
  ///
  /// - Returns: An ID for `removeWaiter(_:)`.
  /// - Complexity: O(1) amortized, as that of `removeWaiter(_:)`.
  func addWaiter(_ wake: @escaping @Sendable () -> Void) -> Int {
    core.section {
      let id = waiters.add(wake)
      if log.wake == nil { log.wake = waiters.wake }
      return id
    }
  }

  func removeWaiter(_ id: Int) {
    core.sectionAfterReading { [log, waiters] in
      waiters.remove(id)
      if waiters.wake == nil { log.wake = nil }
    }
  }

  /// Whether a task waits for entities.
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

  /// Whether nothing will ever be collected again: it is finished, or the context is gone.
  var isEnded: Bool {
    core.section { log.isFinished || !core.uses(group.tables) }
  }
}
