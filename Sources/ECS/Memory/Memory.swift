import CPlatform

/// The memory of everything that grows with the number of entities.
///
/// Small blocks come from the standard library's allocator, large ones from ``LargeBlocks`` where
/// the platform has them. The caller that frees or grows a block gives its size.
@usableFromInline
package enum Memory {
  @usableFromInline
  static func allocate<Value>(
    _ type: Value.Type, capacity: Int
  ) -> UnsafeMutablePointer<Value> {
    // SAFETY: an empty block is neither read nor written.
    if capacity == 0 { return unsafe nothing.assumingMemoryBound(to: type) }
    // SAFETY: the block is new, and has the size and the alignment of `capacity` values.
    return unsafe allocate(
      byteCount: byteCount(of: type, capacity), alignment: MemoryLayout<Value>.alignment
    )
    .bindMemory(to: type, capacity: capacity)
  }

  // SAFETY: never read or written through; immortal.
  @safe nonisolated(unsafe) private static let nothing =
    UnsafeMutableRawPointer.allocate(byteCount: 64, alignment: 64)

  /// Frees a block whose values are gone.
  @usableFromInline
  static func free<Value>(_ block: UnsafeMutablePointer<Value>, capacity: Int) {
    if capacity > 0 { unsafe free(block, byteCount: byteCount(of: Value.self, capacity)) }
  }

  /// Makes a block larger or smaller, and keeps the first `count` values.
  @usableFromInline
  static func resize<Value: BitwiseCopyable>(
    _ block: inout UnsafeMutablePointer<Value>, count: Int, from oldCapacity: Int,
    to newCapacity: Int
  ) {
    if unsafe extend(
      block, from: byteCount(of: Value.self, oldCapacity),
      to: byteCount(of: Value.self, newCapacity))
    {
      return
    }
    let resized = unsafe allocate(Value.self, capacity: newCapacity)
    // SAFETY: `count` values are initialized, and fit both blocks.
    unsafe resized.update(from: block, count: count)
    unsafe free(block, capacity: oldCapacity)
    unsafe block = resized
  }

  /// Copies the bytes of the first of some values to all others.
  // PERFORMANCE: C2: types that are known by their metadata only are copied one by one otherwise.
  @usableFromInline
  static func repeatFirst(_ values: UnsafeMutableRawPointer, _ stride: Int, _ count: Int) {
    guard stride > 0 else { return }
    var done = 1
    // What is copied stays in the processor's first cache.
    let most = max(1, 4096 / stride)
    while done < count {
      let more = min(done, most, count - done)
      // SAFETY: callers pass memory of so many values, the first of which is initialized and
      // trivial.
      unsafe (values + done * stride).copyMemory(from: values, byteCount: more * stride)
      done += more
    }
  }

  /// Initializes values of 16 bytes, each of which differs from the one before it as the second
  /// from the first.
  // PERFORMANCE: C2, C3: each is written at once, and not member by member.
  static func initialize<Value>(
    _ values: UnsafeMutablePointer<Value>, count: Int, from first: Value, _ second: Value
  ) {
    assert(_isPOD(Value.self) && MemoryLayout<Value>.size == 16, "Values of another kind.")
    // SAFETY: callers pass trivial values of 16 bytes without gaps, and memory for so many.
    var bits = unsafe unsafeBitCast(first, to: SIMD2<UInt64>.self)
    let step = unsafe unsafeBitCast(second, to: SIMD2<UInt64>.self) &- bits
    let bytes = UnsafeMutableRawPointer(values)
    for index in 0..<count {
      unsafe (bytes + index &* 16).storeBytes(of: bits, as: SIMD2<UInt64>.self)
      bits &+= step
    }
  }

  /// A block of bytes, of which there is at least one.
  package static func allocate(byteCount: Int, alignment: Int) -> UnsafeMutableRawPointer {
    #if os(Linux) || os(Android)
      if byteCount >= LargeBlocks.unit { return unsafe LargeBlocks.allocate(byteCount) }
    #endif
    return UnsafeMutableRawPointer.allocate(byteCount: byteCount, alignment: alignment)
  }

  package static func free(_ block: UnsafeMutableRawPointer, byteCount: Int) {
    #if os(Linux) || os(Android)
      if byteCount >= LargeBlocks.unit { return unsafe LargeBlocks.free(block, byteCount) }
    #endif
    unsafe block.deallocate()
  }

  /// Makes a block larger where it is; false, having done nothing, if that can't be.
  @usableFromInline
  package static func extend(
    _ block: UnsafeMutableRawPointer, from old: Int, to new: Int
  ) -> Bool {
    #if os(Linux) || os(Android)
      return unsafe old >= LargeBlocks.unit && new >= old
        && LargeBlocks.extend(block, from: old, to: new)
    #else
      return false
    #endif
  }

  /// Gives memory back that is kept for blocks to come.
  static func giveReserveBack() {
    #if os(Linux) || os(Android)
      LargeBlocks.giveReserveBack()
    #endif
    giveFreeMemoryBack()
  }

  /// Gives memory back that the C library keeps of small blocks.
  ///
  /// - Complexity: O(*n*), where *n* is the size of the C library's heap: some milliseconds for
  ///   some hundred megabytes.
  static func giveFreeMemoryBack() {
    c_give_free_memory_back()
  }

  private static func byteCount<Value>(of type: Value.Type, _ capacity: Int) -> Int {
    max(1, capacity * MemoryLayout<Value>.stride)
  }
}
