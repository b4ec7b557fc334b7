import Synchronization

// The lock while several threads work on chunks for its owner.
extension RecursiveLock {
  static var maximumWorkers: Int { 64 }

  /// Gives the lock from its owner to a parallel section: no thread, the owner included, can take
  /// it until `endParallelSection()`.
  func beginParallelSection() {
    if unsafe workers.load(ordering: .relaxed) == nil {
      let slots = UnsafeMutablePointer<Atomic<UInt>>.allocate(
        capacity: RecursiveLock.maximumWorkers)
      // SAFETY: the block was allocated for this many atomics and is never freed.
      for slot in 0..<RecursiveLock.maximumWorkers {
        unsafe (slots + slot).initialize(to: Atomic<UInt>(0))
      }
      unsafe workers.store(slots, ordering: .releasing)
    }
    let seen = state.exchange(RecursiveLock.parallelOwner, ordering: .relaxed)
    if seen & 1 != 0 { state.bitwiseOr(1, ordering: .relaxed) }
  }

  func endParallelSection() {
    let me = ThreadIdentity.current
    let seen = state.exchange(me, ordering: .relaxed)
    if seen & 1 != 0 { state.bitwiseOr(1, ordering: .relaxed) }
  }

  func enterWorker(_ slot: Int) {
    // SAFETY: callers number tasks below `maximumWorkers`.
    unsafe workers.load(ordering: .acquiring)?[slot].store(
      ThreadIdentity.current, ordering: .relaxed)
  }

  func leaveWorker(_ slot: Int) {
    // SAFETY: as above.
    unsafe workers.load(ordering: .acquiring)?[slot].store(0, ordering: .relaxed)
  }

  func isWorker(_ me: UInt) -> Bool {
    guard let slots = unsafe workers.load(ordering: .acquiring) else { return false }
    // SAFETY: all `maximumWorkers` slots were initialized before the pointer was stored.
    return (0..<RecursiveLock.maximumWorkers).contains {
      unsafe slots[$0].load(ordering: .relaxed) == me
    }
  }
}
