import Dispatch
import Synchronization

/// The turns that sections take which only read, and the wait for their end.
// Everything in it is atomic.
final class ReadingTurns: @unchecked Sendable {
  /// Whether the owner of the lock waits until the sections have ended.
  let isDraining = Atomic<Bool>(false)

  /// Signals that the last one has ended.
  // INVARIANT: the owner of the lock alone waits for it.
  let drained = DispatchSemaphore(value: 0)

  /// The turn to keep what is found out by reading, beside other threads that only read.
  let keeping = RecursiveLock()
}

extension RecursiveLock {
  var turns: ReadingTurns { readingTurns.load() ?? readingTurns.storeIfNil(ReadingTurns()) }

  /// Waits for the turn of this thread to keep what it finds out in a section that only reads.
  @usableFromInline
  @inline(never)
  func beginKeeping() { turns.keeping.acquire() }

  @usableFromInline
  @inline(never)
  func endKeeping() { turns.keeping.release() }
}
