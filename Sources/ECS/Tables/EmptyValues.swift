import Synchronization

/// Memory for spans over values of empty types.
///
/// Their columns have no memory, but a copy of all of a span copies a byte for each value.
/// What is in it means nothing.
@usableFromInline
enum EmptyValues {
  // SAFETY: immortal, as are the blocks: one for each power of two that was ever needed, nil until
  // then.
  @safe nonisolated(unsafe) private static let blocks = {
    let blocks = UnsafeMutablePointer<Atomic<UInt>>.allocate(capacity: 64)
    for number in 0..<64 { unsafe (blocks + number).initialize(to: Atomic(0)) }
    return unsafe blocks
  }()

  /// The beginning of a block of so many bytes, or more.
  @usableFromInline
  @inline(never)
  static func start(_ count: Int) -> UnsafeMutableRawPointer {
    let power = max(4, Int.bitWidth - max(0, count - 1).leadingZeroBitCount)
    let block = unsafe blocks + power
    if let start = unsafe UnsafeMutableRawPointer(
      bitPattern: block.pointee.load(ordering: .acquiring))
    {
      return unsafe start
    }
    let made = UnsafeMutableRawPointer.allocate(byteCount: 1 << power, alignment: 16)
    unsafe made.initializeMemory(as: UInt8.self, repeating: 0, count: 1 << power)
    let (isOurs, earlier) = unsafe block.pointee.compareExchange(
      expected: 0, desired: UInt(bitPattern: made), ordering: .acquiringAndReleasing)
    guard !isOurs, let start = unsafe UnsafeMutableRawPointer(bitPattern: earlier) else {
      return unsafe made
    }
    // Another thread was faster.
    unsafe made.deallocate()
    return unsafe start
  }
}
