import Dispatch
import Synchronization

/// Queues that guard what is shared with threads which do not have the lock of a core, for moments
/// only: nothing is called and nothing ends in there.
enum Guardians {
  private static let all = (0..<16).map { DispatchQueue(label: "ECS.Guardian.\($0)") }
  private static let next = Atomic<Int>(0)

  /// One of them.
  ///
  /// They are shared, since very many may need one.
  static func take() -> DispatchQueue {
    all[next.wrappingAdd(1, ordering: .relaxed).oldValue & 15]
  }
}

/// Delivers an observer's notifications on a queue.
///
/// Notices are put in here while the lock is held, which settles their order; blocks are sent to
/// the queue when it is free, and each takes out the oldest notice.
// Guarded by its guardian.
final class QueueDelivery<Notice: Sendable>: Delivery, @unchecked Sendable {
  private let core: Core
  private let queue: DispatchQueue
  private let body: @Sendable (Notice) -> Void

  private let guardian = Guardians.take()
  private var waiting = FirstInFirstOut<Notice>()
  private var isClosed = false

  init(
    _ core: Core, _ queue: DispatchQueue, _ body: @escaping @Sendable (Notice) -> Void
  ) {
    self.core = core
    self.queue = queue
    self.body = body
  }

  /// Sends a notice; called within a section.
  func send(_ notice: Notice) {
    guardian.sync { waiting.append(notice) }
    core.runAfterUnlock { [self] in
      queue.async { [self] in
        if let notice = claim() { body(notice) }
      }
    }
  }

  /// The oldest notice; nil if the observation has ended.
  private func claim() -> Notice? {
    guardian.sync { isClosed ? nil : waiting.popFirst() }
  }

  /// Lets no further call begin.
  ///
  /// Notices that wait are kept for as long as their blocks do, to be released where they are.
  func close() {
    guardian.sync { isClosed = true }
  }
}
