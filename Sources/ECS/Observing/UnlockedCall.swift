import Synchronization

/// Calls an observer when the lock is free, on the thread that made the change.
final class UnlockedCall: Delivery {
  private let core: Core
  private let body: @Sendable () -> Void
  private let isClosed = Atomic<Bool>(false)

  init(_ core: Core, _ body: @escaping @Sendable () -> Void) {
    self.core = core
    self.body = body
  }

  /// Sees to it that there will be a call; called within a section.
  func send() {
    core.runAfterUnlock { [self] in
      core.assertIsFree()
      if !isClosed.load(ordering: .acquiring) { body() }
    }
  }

  func close() { isClosed.store(true, ordering: .releasing) }
}
