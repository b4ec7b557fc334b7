internal import CPlatform
import Synchronization

/// The places in which readers of one lock announce themselves; a reference to them.
///
/// Each is on a cache line of its own, and there are several for each processor. Threads that use the same one
/// in turn move on until each has its own: its line would go from processor to processor with each read.
@safe
struct ReaderPlaces {
  typealias Pointer = UnsafeMutablePointer<Atomic<UInt>>

  /// Two lines of 64 bytes, since processors fetch lines in pairs.
  private static var stride: Int { 16 }

  // SAFETY: the block holds `stride` initialized atomics for each place, of which the first is the thread that
  // reads, and the second the one that did so last; and `stride` before them, of which the first is the number
  // of places less 1. It is never freed, as the lock isn't.
  private let base: Pointer

  init?(_ base: Pointer?) {
    guard let base = unsafe base else { return nil }
    unsafe self.base = unsafe base
  }

  /// Makes the places of a lock, four for each processor.
  static func make() -> Pointer {
    var count = 8
    while count < 4 * Processor.count, count < 256 { count *= 2 }
    let size = (count + 1) * stride
    let word = MemoryLayout<Atomic<UInt>>.stride
    let block = UnsafeMutableRawPointer.allocate(byteCount: size * word, alignment: stride * word)
    let base = unsafe block.bindMemory(to: Atomic<UInt>.self, capacity: size)
    for place in 0..<size {
      // SAFETY: the block was allocated for this many atomics.
      unsafe (base + place).initialize(to: Atomic<UInt>(place == 0 ? UInt(count - 1) : 0))
    }
    return unsafe base
  }

  /// The number of places, a power of two, less 1.
  private var mask: UInt { unsafe base.pointee.load(ordering: .relaxed) }

  private func place(_ number: UInt) -> Pointer {
    // SAFETY: callers pass numbers up to `mask`.
    unsafe base + Int(number &+ 1) &* ReaderPlaces.stride
  }

  /// Takes the place that only this thread has used of late; nil if there is none.
  ///
  /// In one order with all other sequentially consistent operations: see
  /// ``RecursiveLock/announce(_:)``.
  // PERFORMANCE: UT: calls nothing, so that the caller needs no frame.
  @inline(__always)
  func takeOwn(for thread: UInt) -> Pointer? {
    let own = unsafe place(UInt(c_reader_number()) & mask)
    let (exchanged, _) = unsafe own.pointee.compareExchange(
      expected: 0, desired: thread, ordering: .sequentiallyConsistent)
    guard exchanged else { return nil }
    if unsafe (own + 1).pointee.load(ordering: .relaxed) == thread { return unsafe own }
    unsafe own.pointee.store(0, ordering: .releasing)
    return nil
  }

  /// Takes a place for a thread, in the same order; nil if all are taken.
  func take(for thread: UInt) -> Pointer? {
    c_ensure_reader_number()
    let number = UInt(c_reader_number())
    let taken = unsafe place(number & mask)
    let (exchanged, _) = unsafe taken.pointee.compareExchange(
      expected: 0, desired: thread, ordering: .sequentiallyConsistent)
    guard exchanged else { return unsafe takeAnother(for: thread, after: number) }
    let last = unsafe taken + 1
    let other = unsafe last.pointee.load(ordering: .relaxed)
    if other != thread {
      unsafe last.pointee.store(thread, ordering: .relaxed)
      if other != 0 { c_dispute_reader_number() }
    }
    return unsafe taken
  }

  private func takeAnother(for thread: UInt, after first: UInt) -> Pointer? {
    c_dispute_reader_number()
    for next in 1...mask {
      let taken = unsafe place((first &+ next) & mask)
      let (exchanged, _) = unsafe taken.pointee.compareExchange(
        expected: 0, desired: thread, ordering: .sequentiallyConsistent)
      if exchanged { return unsafe taken }
    }
    return nil
  }

  /// Waits until each place has been free for a moment.
  func waitForReaders() {
    for number in 0...mask {
      let reader = unsafe place(number)
      var looks = 0
      while unsafe reader.pointee.load(ordering: .sequentiallyConsistent) != 0 {
        // A read takes nanoseconds, unless its thread is suspended.
        looks += 1
        Processor.wait(round: looks)
      }
    }
  }
}
