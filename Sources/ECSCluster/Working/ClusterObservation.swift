import Foundation

/// An observation of what happens; it ends when it is released.
public final class ClusterObservation: Sendable {
  private let onEnd: @Sendable () -> Void

  init(_ onEnd: @escaping @Sendable () -> Void) { self.onEnd = onEnd }

  deinit { onEnd() }
}

/// The observers of what happens.
// Guarded by the lock.
final class ClusterObservers<Event: Sendable>: @unchecked Sendable {
  private let lock = NSLock()
  private var bodies: [Int: @Sendable (Event) -> Void] = [:]
  private var lastNumber = 0

  func add(_ body: @escaping @Sendable (Event) -> Void) -> ClusterObservation {
    let number = lock.withLock {
      lastNumber += 1
      bodies[lastNumber] = body
      return lastNumber
    }
    return ClusterObservation { [weak self] in _ = self?.remove(number) }
  }

  private func remove(_ number: Int) -> (@Sendable (Event) -> Void)? {
    lock.withLock { bodies.removeValue(forKey: number) }
  }

  func tell(_ event: Event) {
    let present = lock.withLock { bodies.sorted { $0.key < $1.key }.map(\.value) }
    for body in present { body(event) }
  }
}
