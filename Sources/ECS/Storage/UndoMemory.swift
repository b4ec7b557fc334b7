/// The memory of the records of what a transaction has changed: written forwards, and read backwards.
///
/// A chain of blocks; nothing in them moves, so that values of any type may lie there.
@safe
struct UndoMemory {
  @safe
  private struct Block {
    let base: UnsafeMutableRawPointer
    let capacity: Int
  }

  /// How far it was written at a moment.
  struct Position {
    fileprivate var block: Int32 = -1
    fileprivate var offset = 0

    /// The block of the last record, and where in it that is; `nowhere` if there is none.
    fileprivate var last = Position.nowhere

    fileprivate static var nowhere: Int64 { -1 }
  }

  // INVARIANT: records are in the blocks up to `position.block`; those behind it wait to be used.
  private var blocks: [Block] = []
  private(set) var position = Position()
  private var base: UnsafeMutableRawPointer?
  private var capacity = 0

  private static var usualCapacity: Int { 1 << 16 }
  private static var alignment: Int { 64 }

  /// What lies before a record: where the one before it is.
  private static var linkSize: Int { 16 }

  /// Puts a record behind the others, with so many bytes for what lies behind it, uninitialised.
  @inline(__always)
  mutating func append(_ record: UndoRecord, size: Int) -> UndoRecordPointer {
    assert(MemoryLayout<UndoRecord>.size <= UndoRecord.headSize)
    let length = (UndoMemory.linkSize &+ UndoRecord.headSize &+ size &+ 15) & ~15
    if position.offset &+ length > capacity { beginBlock(for: length) }
    guard let base = unsafe base else { stop("There is no memory for what a transaction changes.") }
    // SAFETY: `length` bytes from here on are in the block and unused. They are aligned to 16, as
    // are blocks and lengths.
    let place = unsafe base + position.offset
    unsafe place.storeBytes(of: position.last, as: Int64.self)
    position.last = Int64(position.block) << 32 | Int64(position.offset)
    position.offset &+= length
    let pointer = unsafe (place + UndoMemory.linkSize).assumingMemoryBound(to: UndoRecord.self)
    unsafe pointer.initialize(to: record)
    return unsafe pointer
  }

  @inline(never)
  private mutating func beginBlock(for length: Int) {
    position.block += 1
    position.offset = 0
    let number = Int(position.block)
    if number < blocks.count, blocks[number].capacity < length {
      for block in blocks[number...] { free(block) }
      blocks.removeLast(blocks.count - number)
    }
    if number == blocks.count {
      let capacity = max(UndoMemory.usualCapacity, length)
      unsafe blocks.append(
        Block(
          base: Memory.allocate(byteCount: capacity, alignment: UndoMemory.alignment),
          capacity: capacity))
    }
    useBlock()
  }

  private mutating func useBlock() {
    guard position.block >= 0 else {
      unsafe (base, capacity) = (nil, 0)
      return
    }
    let block = blocks[Int(position.block)]
    unsafe (base, capacity) = unsafe (block.base, block.capacity)
  }

  /// Takes out the last record, which stays readable until the next one is put in; nil if there is
  /// none behind a position.
  mutating func popLast(behind start: Position) -> UndoRecordPointer? {
    guard position.last != start.last else {
      position = start
      useBlock()
      return nil
    }
    let (block, offset) = UndoMemory.place(position.last)
    // SAFETY: there is a record at this place, behind its link.
    let place = unsafe blocks[block].base + offset
    position.last = unsafe place.load(as: Int64.self)
    return unsafe (place + UndoMemory.linkSize).assumingMemoryBound(to: UndoRecord.self)
  }

  /// Visits all records, the last one first.
  func forEachBackwards(_ body: (UndoRecordPointer) -> Void) {
    var last = position.last
    while last != Position.nowhere {
      let (block, offset) = UndoMemory.place(last)
      // SAFETY: as in `popLast(behind:)`.
      let place = unsafe blocks[block].base + offset
      last = unsafe place.load(as: Int64.self)
      unsafe body((place + UndoMemory.linkSize).assumingMemoryBound(to: UndoRecord.self))
    }
  }

  private static func place(_ last: Int64) -> (block: Int, offset: Int) {
    (Int(last >> 32), Int(last & 0xFFFF_FFFF))
  }

  /// Forgets all records, whose values are gone, and keeps one block for the next ones.
  mutating func removeAll() {
    position = Position()
    if blocks.count > 1 || (blocks.first?.capacity ?? 0) > UndoMemory.usualCapacity { shrink() }
    useBlock()
  }

  @inline(never)
  private mutating func shrink() {
    let kept = blocks.first { $0.capacity == UndoMemory.usualCapacity }
    for block in blocks where unsafe block.base != kept?.base { free(block) }
    blocks = kept.map { [$0] } ?? []
  }

  private func free(_ block: Block) { unsafe Memory.free(block.base, byteCount: block.capacity) }

  func deallocate() {
    for block in blocks { free(block) }
  }
}
