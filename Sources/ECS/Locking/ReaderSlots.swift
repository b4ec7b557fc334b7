public import CPlatform
public import Synchronization

/// The slots in which readers of one lock announce themselves; a reference to them.
///
/// Each is on a cache line of its own, and there are several for each processor. Threads that use
/// the same one in turn move on until each has its own: its line would go from processor to
/// processor with each read.
@safe
@frozen
@usableFromInline
struct ReaderSlots {
  @usableFromInline typealias Pointer = UnsafeMutablePointer<Atomic<UInt>>

  /// Two lines of 64 bytes, since processors fetch lines in pairs.
  @inlinable static var stride: Int { 16 }

  // SAFETY: the block holds `stride` initialized atomics for each slot, of which the first is the
  // thread that read there last, with the lowest bit while it does; and `stride` before them, of
  // which the first is the number of slots less 1. It is never freed, as the lock isn't.
  @usableFromInline let base: Pointer

  @inlinable
  @inline(__always)
  init?(_ base: Pointer?) {
    guard let base = unsafe base else { return nil }
    unsafe self.base = unsafe base
  }

  init(_ base: Pointer) { unsafe self.base = unsafe base }

  /// A slot for reads of this thread that need none, which nothing looks at.
  static var unused: Pointer {
    c_ensure_reader_number()
    return unsafe spare.slot(UInt(c_reader_number()) & spare.mask)
  }

  // SAFETY: a reference to atomics.
  nonisolated(unsafe) private static let spare = unsafe ReaderSlots(make())

  /// Makes the slots of a lock, four for each processor.
  static func make() -> Pointer {
    var count = 8
    while count < 4 * Processor.count, count < 256 { count *= 2 }
    let size = (count + 1) * stride
    let word = MemoryLayout<Atomic<UInt>>.stride
    let block = UnsafeMutableRawPointer.allocate(byteCount: size * word, alignment: stride * word)
    let base = unsafe block.bindMemory(to: Atomic<UInt>.self, capacity: size)
    for index in 0..<size {
      // SAFETY: the block was allocated for this many atomics.
      unsafe (base + index).initialize(to: Atomic<UInt>(index == 0 ? UInt(count - 1) : 0))
    }
    return unsafe base
  }

  /// The number of slots, a power of two, less 1.
  @inlinable
  @inline(__always)
  var mask: UInt { unsafe base.pointee.load(ordering: .relaxed) }

  @inlinable
  @inline(__always)
  func slot(_ index: UInt) -> Pointer {
    // SAFETY: callers pass indices up to `mask`.
    unsafe base + Int(bitPattern: index &+ 1) &* ReaderSlots.stride
  }

  /// Takes the slot that this thread was the last to use; nil if there is none.
  ///
  /// In one order with all other sequentially consistent operations: see
  /// ``RecursiveLock/announce(_:)``.
  // PERFORMANCE: UT: calls nothing, so that the caller needs no frame.
  @inlinable
  @inline(__always)
  func takeOwn(for thread: UInt) -> Pointer? {
    let own = unsafe slot(UInt(c_reader_number()) & mask)
    let (exchanged, _) = unsafe own.pointee.compareExchange(
      expected: thread, desired: thread | 1, successOrdering: .sequentiallyConsistent,
      failureOrdering: .relaxed)
    return unsafe exchanged ? own : nil
  }

  /// Takes a slot for a thread, in the same order; nil if all are taken.
  func take(for thread: UInt) -> Pointer? {
    c_ensure_reader_number()
    let first = UInt(c_reader_number())
    for next in 0...mask {
      let taken = unsafe slot((first &+ next) & mask)
      let last = unsafe taken.pointee.load(ordering: .relaxed)
      if last != 0, last != thread, next == 0 { c_dispute_reader_number() }
      guard last & 1 == 0 else { continue }
      let (exchanged, _) = unsafe taken.pointee.compareExchange(
        expected: last, desired: thread | 1, ordering: .sequentiallyConsistent)
      if exchanged { return unsafe taken }
    }
    return nil
  }

  /// Waits until each slot has been free for a moment.
  func waitForReaders() {
    for index in 0...mask {
      let reader = unsafe slot(index)
      var looks = 0
      while unsafe reader.pointee.load(ordering: .sequentiallyConsistent) & 1 != 0 {
        // A read takes nanoseconds, unless its thread is suspended.
        looks += 1
        Processor.wait(round: looks)
      }
    }
  }
}
