/// The memory of notes of what has changed: written forwards, read backwards to take changes back,
/// and forwards to tell them.
///
/// A chain of blocks; nothing in them moves, so that values of any type may lie there.
@safe
struct UndoLog {
  @safe
  private struct Block {
    let base: UnsafeMutableRawPointer
    let capacity: Int

    /// How much of it has notes; of the block that is being written, only `position` tells.
    var used = 0
  }

  /// A position in the log: how far it was written at a moment.
  struct Position {
    fileprivate var block: Int32 = -1
    fileprivate var offset = 0

    /// The block of the last note, and where in it that is; `nowhere` if there is none.
    fileprivate var last = Position.nowhere

    fileprivate static var nowhere: Int64 { -1 }

    /// Before the first note.
    static var start: Position { Position() }

    var isStart: Bool { block < 0 }

    func isBehind(_ other: Position) -> Bool { (block, offset) > (other.block, other.offset) }
  }

  /// A position up to which the log has been read.
  struct Cursor {
    fileprivate var block = 0
    fileprivate var offset = 0

    /// Begins to read with what was put behind a position.
    init(behind position: Position = .start) {
      guard position.block >= 0 else { return }
      (block, offset) = (Int(position.block), position.offset)
    }
  }

  // INVARIANT: notes are in the blocks up to `position.block`; those behind it wait to be used.
  private var blocks: [Block] = []
  private(set) var position = Position()
  private var base: UnsafeMutableRawPointer?
  private var capacity = 0

  /// The size of the first block; each further one is four times as large, up to the usual size.
  private let firstCapacity: Int

  private static var usualCapacity: Int { 1 << 16 }
  private static var alignment: Int { 64 }

  /// What lies before a note: where the one before it is, and how long this one is.
  static var linkSize: Int { 16 }

  init() { firstCapacity = UndoLog.usualCapacity }

  /// Memory for notes of about so many bytes, which may be kept.
  init(capacity: Int) { firstCapacity = max(capacity, UndoLog.alignment) }

  /// The bytes of all blocks.
  var byteCount: Int { blocks.reduce(0) { $0 + $1.capacity } }

  /// The bytes of notes, if they are all in the first block.
  var usedOfOnlyBlock: Int? { position.block == 0 ? position.offset : nil }

  var isEmpty: Bool { position.last == Position.nowhere }

  /// Puts a note behind the others, with so many bytes for what lies behind it, uninitialized.
  @inline(__always)
  mutating func append(_ note: UndoRecord, size: Int) -> UndoRecordPointer {
    assert(MemoryLayout<UndoRecord>.size <= UndoRecord.headSize)
    let length = (UndoLog.linkSize &+ UndoRecord.headSize &+ size &+ 15) & ~15
    if position.offset &+ length > capacity { beginBlock(for: length) }
    guard let base = unsafe base else { stop("There is no memory for notes of what changes.") }
    // SAFETY: `length` bytes from here on are in the block and unused. They are aligned to 16, as
    // are blocks and lengths.
    let link = unsafe base + position.offset
    unsafe link.storeBytes(of: position.last, as: Int64.self)
    unsafe link.storeBytes(of: Int64(length), toByteOffset: 8, as: Int64.self)
    position.last = Int64(position.block) << 32 | Int64(position.offset)
    position.offset &+= length
    let pointer = unsafe (link + UndoLog.linkSize).assumingMemoryBound(to: UndoRecord.self)
    unsafe pointer.initialize(to: note)
    return unsafe pointer
  }

  /// Puts a copy of a note, with its values, behind the others.
  mutating func append(copyOf note: UndoRecordPointer) {
    let size = unsafe UndoLog.length(of: note) - UndoLog.linkSize - UndoRecord.headSize
    let copy = unsafe append(note.pointee, size: size)
    unsafe note.copy(to: copy)
  }

  /// The bytes of a note, its values and its link.
  static func length(of note: UndoRecordPointer) -> Int {
    // SAFETY: a note has its link before it, and in that its length.
    unsafe Int((UnsafeRawPointer(note) - 8).load(as: Int64.self))
  }

  /// The note behind a link.
  static func note(atLink link: UnsafeMutableRawPointer) -> UndoRecordPointer {
    // SAFETY: callers pass a link with room for a note behind it.
    unsafe (link + linkSize).assumingMemoryBound(to: UndoRecord.self)
  }

  /// The address of a note behind a link that is made there, to none before it.
  static func note(
    withLinkAt link: UnsafeMutableRawPointer, _ length: Int
  ) -> UndoRecordPointer {
    // SAFETY: as above.
    unsafe link.storeBytes(of: Position.nowhere, as: Int64.self)
    unsafe link.storeBytes(of: Int64(length), toByteOffset: 8, as: Int64.self)
    return unsafe note(atLink: link)
  }

  @inline(never)
  private mutating func beginBlock(for length: Int) {
    if position.block >= 0 { blocks[Int(position.block)].used = position.offset }
    position.block += 1
    position.offset = 0
    let index = Int(position.block)
    if index < blocks.count, blocks[index].capacity < length {
      for block in blocks[index...] { free(block) }
      blocks.removeLast(blocks.count - index)
    }
    if index == blocks.count {
      let usual = min(firstCapacity << min(2 * index, 16), UndoLog.usualCapacity)
      let capacity = max(usual, length)
      unsafe blocks.append(
        Block(
          base: Memory.allocate(byteCount: capacity, alignment: UndoLog.alignment),
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

  /// Takes out the last note, which stays readable until the next one is put in; nil if there is
  /// none behind a position.
  mutating func popLast(behind start: Position) -> UndoRecordPointer? {
    guard position.last != start.last else {
      let isOtherBlock = position.block != start.block
      position = start
      if isOtherBlock { useBlock() }
      return nil
    }
    let (block, offset) = UndoLog.location(position.last)
    // SAFETY: there is a link here, and its note behind it.
    let link = unsafe blocks[block].base + offset
    position.last = unsafe link.load(as: Int64.self)
    return unsafe (link + UndoLog.linkSize).assumingMemoryBound(to: UndoRecord.self)
  }

  /// The last note, to be completed; nil if there is none.
  var last: UndoRecordPointer? {
    guard position.last != Position.nowhere else { return nil }
    let (block, offset) = UndoLog.location(position.last)
    // SAFETY: as in `popLast(behind:)`.
    let note = unsafe blocks[block].base + offset + UndoLog.linkSize
    return unsafe note.assumingMemoryBound(to: UndoRecord.self)
  }

  /// The first note, if all of them are in the first block; nil if there is none.
  @inline(__always)
  var firstOfOnlyBlock: UndoRecordPointer? {
    guard position.block == 0, position.offset > 0, let base = unsafe base else { return nil }
    return unsafe UndoLog.note(atLink: base)
  }

  /// The next note, from the first one on; nil behind the last one.
  func next(_ cursor: inout Cursor) -> UndoRecordPointer? {
    while cursor.block <= Int(position.block) {
      let isLast = cursor.block == Int(position.block)
      if cursor.offset < (isLast ? position.offset : blocks[cursor.block].used) {
        // SAFETY: notes follow each other without gaps up to there.
        let link = unsafe blocks[cursor.block].base + cursor.offset
        cursor.offset += unsafe Int(link.load(fromByteOffset: 8, as: Int64.self))
        return unsafe (link + UndoLog.linkSize).assumingMemoryBound(to: UndoRecord.self)
      }
      cursor.block += 1
      cursor.offset = 0
    }
    return nil
  }

  /// The notes of the next block, behind each other; nil behind the last one.
  func nextRun(_ cursor: inout Cursor) -> UnsafeMutableRawBufferPointer? {
    guard cursor.block <= Int(position.block) else { return nil }
    let isLast = cursor.block == Int(position.block)
    let (base, used) = unsafe (blocks[cursor.block].base, blocks[cursor.block].used)
    // SAFETY: notes follow each other without gaps up to there.
    let run = unsafe UnsafeMutableRawBufferPointer(
      start: base + cursor.offset, count: (isLast ? position.offset : used) &- cursor.offset)
    cursor.block += 1
    cursor.offset = 0
    return unsafe run
  }

  /// Visits the notes of a run, with their lengths.
  @inline(__always)
  static func visit(
    _ run: UnsafeMutableRawBufferPointer, _ body: (UndoRecordPointer, _ length: Int) -> Void
  ) {
    guard var link = run.baseAddress else { return }
    let end = unsafe link + run.count
    while unsafe link < end {
      // SAFETY: as in `next(_:)`.
      let length = unsafe Int(link.load(fromByteOffset: 8, as: Int64.self))
      unsafe body(note(atLink: link), length)
      unsafe link += length
    }
  }

  /// Visits all notes, the first one first.
  func walk(_ body: (UndoRecordPointer) -> Void) {
    var cursor = Cursor()
    while let run = unsafe nextRun(&cursor) {
      unsafe UndoLog.visit(run) { note, _ in unsafe body(note) }
    }
  }

  private static func location(_ last: Int64) -> (block: Int, offset: Int) {
    (Int(last >> 32), Int(last & 0xFFFF_FFFF))
  }

  /// Forgets all notes, whose values are gone, and keeps one block for the next ones.
  // PERFORMANCE: transactions of a few changes, and commits, find the block in place.
  mutating func removeAll() {
    if position.block == 0, blocks.count == 1, capacity <= UndoLog.usualCapacity {
      (position.offset, position.last) = (0, Position.nowhere)
      return
    }
    position = Position()
    if blocks.count > 1 || (blocks.first?.capacity ?? 0) > UndoLog.usualCapacity { shrink() }
    if !blocks.isEmpty { position.block = 0 }
    useBlock()
  }

  @inline(never)
  private mutating func shrink() {
    let kept = blocks.last { $0.capacity <= UndoLog.usualCapacity }
    for block in blocks where unsafe block.base != kept?.base { free(block) }
    blocks = kept.map { [$0] } ?? []
  }

  private func free(_ block: Block) { unsafe Memory.free(block.base, byteCount: block.capacity) }

  func deallocate() {
    for block in blocks { free(block) }
  }
}
