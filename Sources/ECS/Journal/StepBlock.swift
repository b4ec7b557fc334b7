/// The memory of the values of a step, which end with it.
// PERFORMANCE: UN3: what is small, and aligned as words are, lies behind the object, and takes no
// other block.
final class StepBlock: ManagedBuffer<StepContents, UInt64> {
  /// Makes the block of rows that are moved out of others, but for those at some offsets, which
  /// end.
  static func make(
    _ core: Core, _ rows: inout ValueRows, except voids: Set<Int>?, version: UInt64
  ) -> StepBlock {
    let size = rows.tightSize(except: voids)
    let isOutside =
      size > StepBlock.mostInside || size > 0 && rows.alignment > MemoryLayout<UInt64>.alignment
    let block = StepBlock.create(minimumCapacity: isOutside ? 0 : (size &+ 7) / 8) { block in
      // SAFETY: the block is new; it is aligned as the rows are, and has so many bytes.
      let inside = unsafe block.withUnsafeMutablePointerToElements {
        UnsafeMutableRawPointer($0)
      }
      return unsafe StepContents(
        core: core,
        rows: rows.take(
          except: voids, size: size,
          to: isOutside ? Memory.allocate(byteCount: size, alignment: rows.alignment) : inside),
        isOutside: isOutside, version: version)
    }
    // SAFETY: an object of the class that was asked is made.
    return unsafe unsafeDowncast(block, to: StepBlock.self)
  }

  /// So many bytes lie behind the object; more of them are given back to the system when they end.
  private static var mostInside: Int { 4096 }

  // PERFORMANCE: UN3: a reading of `header` checks for exclusive access, each time.
  // SAFETY: they are initialized as long as there is the object, which callers keep alive, and
  // never changed.
  @inline(__always)
  var contents: UnsafeMutablePointer<StepContents> {
    unsafe withUnsafeMutablePointerToHeader { unsafe $0 }
  }

  deinit {
    if unsafe !contents.pointee.rows.areTrivial { unsafe contents.pointee.rows.endAll() }
    if unsafe contents.pointee.isOutside { unsafe contents.pointee.rows.deallocate() }
  }
}

/// The contents of a step.
struct StepContents {
  let core: Core
  let rows: ValueRows

  /// Whether rows have a block of their own.
  let isOutside: Bool

  let version: UInt64
}
