import Dispatch

/// Marks a queue, to recognize code that runs on it or on a queue that targets it.
///
/// A queue has one mark for all of its loops: Dispatch looks for a value among all that a queue
/// has.
final class QueueMark: Sendable {
  private static let marks = DispatchSpecificKey<QueueMark>()
  private static let making = DispatchQueue(label: "ECS.QueueMark")

  private let presence = DispatchSpecificKey<Bool>()

  /// The mark of a queue, which keeps it.
  static func of(_ queue: DispatchQueue) -> QueueMark {
    making.sync {
      if let mark = queue.getSpecific(key: marks) { return mark }
      let mark = QueueMark()
      queue.setSpecific(key: marks, value: mark)
      queue.setSpecific(key: mark.presence, value: true)
      return mark
    }
  }

  /// Whether the caller runs on the queue.
  var isHere: Bool { DispatchQueue.getSpecific(key: presence) == true }
}
