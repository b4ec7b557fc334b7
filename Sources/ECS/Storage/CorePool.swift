import Dispatch

/// The cores whose contexts ended, kept for the next contexts.
enum CorePool {
  private static let queue = DispatchQueue(label: "ECS.CorePool")

  // Guarded by the queue.
  nonisolated(unsafe) private static var free: [CoreReference] = []

  // Guarded by the queue: those that no further context can have. Handles may still ask them.
  nonisolated(unsafe) private static var retired: [CoreReference] = []

  static func take() -> CoreReference {
    queue.sync { free.popLast() } ?? CoreReference()
  }

  static func put(_ core: CoreReference) {
    queue.sync { free.append(core) }
  }

  static func retire(_ core: CoreReference) {
    queue.sync { retired.append(core) }
  }
}
