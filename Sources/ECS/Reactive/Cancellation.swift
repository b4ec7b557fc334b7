import Synchronization

/// Whether an observation has ended: asked by what waits on queues.
final class Cancellation: Sendable {
  private let flag = Atomic<Bool>(false)

  var isCancelled: Bool { flag.load(ordering: .acquiring) }

  func cancel() { flag.store(true, ordering: .releasing) }
}
