import Dispatch

/// The cores whose contexts ended, kept for the next contexts.
enum CorePool {
  private static let queue = DispatchQueue(label: "ECS.CorePool")

  // Guarded by the queue.
  @safe nonisolated(unsafe) private static var free: [Core] = []

  // Guarded by the queue: those that no further context can have. Handles may still ask them.
  @safe nonisolated(unsafe) private static var retired: [Core] = []

  // Guarded by the queue.
  @safe nonisolated(unsafe) private static var memory = CoreMemory()

  // Guarded by the queue: how many contexts live.
  @safe nonisolated(unsafe) private static var living = 0

  // Guarded by the queue: how many did at most since memory was given back.
  @safe nonisolated(unsafe) private static var mostLiving = 0

  /// How many contexts have to be gone before it is worth while to give their memory back.
  private static var manyContexts: Int { 256 }

  static func take() -> Core {
    queue.sync {
      living += 1
      mostLiving = max(mostLiving, living)
      return unsafe free.popLast() ?? Core(at: memory.take())
    }
  }

  /// Takes a core back whose context ended, for the next one if it can have it.
  static func put(_ core: Core, isUsedUp: Bool) {
    let isTimeToGiveBack = queue.sync {
      if isUsedUp { retired.append(core) } else { free.append(core) }
      living -= 1
      guard mostLiving - living >= max(manyContexts, mostLiving / 2) else { return false }
      mostLiving = living
      return true
    }
    if isTimeToGiveBack { Memory.giveFreeMemoryBack() }
  }
}

/// The memory of cores, in blocks.
///
/// Cores live forever. Each in a block of its own, they would keep the memory between them from
/// being given back.
@safe
private struct CoreMemory {
  private var next: UnsafeMutablePointer<Core.State>?
  private var rest = 0
  private var count = 0

  /// Memory that nothing else will ever use.
  mutating func take() -> UnsafeMutablePointer<Core.State> {
    if rest == 0 { addBlock() }
    guard let taken = unsafe next else { stop("There is no memory left for a context.") }
    rest -= 1
    // SAFETY: the block has room for `rest` cores from here on.
    unsafe next = taken + 1
    return unsafe taken
  }

  private mutating func addBlock() {
    rest = min(512, max(8, count / 4))
    count += rest
    // Memory that the address sanitizer looks through: it is all that leads to what cores keep for
    // their next contexts.
    unsafe next = UnsafeMutablePointer.allocate(capacity: rest)
  }
}
