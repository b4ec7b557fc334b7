/// An end of a step of a history.
package enum UndoSide: Sendable {
  case before
  case after

  package var other: UndoSide { self == .before ? .after : .before }
}

/// Values of components of entities, before and after a step, row by row in one block of memory.
///
/// A row is its head, and behind that room for two values, or as many as there are.
@safe
struct ValueRows {
  /// The beginning of a row: whose values there are.
  struct Head: BitwiseCopyable {
    let handle: Handle

    /// From the lowest bit on: whether there is a value before, and one after; the index of the
    /// component, in 16 bits; the version of the value before.
    var bits: UInt64

    init(_ handle: Handle, _ column: Int, version: UInt64) {
      self.handle = handle
      bits = UInt64(column) << 2 | version << 18
    }

    var column: Int { Int(truncatingIfNeeded: bits >> 2 & 0xFFFF) }
    var version: UInt64 { bits >> 18 }

    @inline(__always)
    func has(_ side: UndoSide) -> Bool { bits & (side == .before ? 1 : 2) != 0 }

    mutating func note(_ side: UndoSide, _ isThere: Bool) {
      let bit: UInt64 = side == .before ? 1 : 2
      bits = isThere ? bits | bit : bits & ~bit
    }
  }

  /// A row, and where its values are.
  struct Row {
    let offset: Int
    let head: Head
    fileprivate let before: Int
    fileprivate let after: Int

    /// Where the next row begins.
    let end: Int

    @inline(__always)
    fileprivate init(at offset: Int, _ head: Head, _ cid: CID, isTight: Bool) {
      self.offset = offset
      self.head = head
      let mask = cid.pointer.pointee.alignment &- 1
      let stride = cid.pointer.pointee.stride
      before = (offset &+ MemoryLayout<Head>.size &+ mask) & ~mask
      after = isTight && !head.has(.before) ? before : before &+ stride
      let end = isTight && !head.has(.after) ? after : after &+ stride
      self.end = (end &+ 7) & ~7
    }

    fileprivate func offset(of side: UndoSide) -> Int { side == .before ? before : after }
  }

  /// The components, by their indices here.
  private(set) var cids: ContiguousArray<CID>

  // INVARIANT: rows follow each other up to `used`, in a block that is aligned as the strictest of
  // the components needs it.
  private var base: UnsafeMutableRawPointer?
  private(set) var used = 0
  private(set) var capacity = 0

  // What the components have in common.
  // PERFORMANCE: UN3: a look at each of them takes longer than a short step has to.
  private(set) var alignment = MemoryLayout<Head>.alignment
  private var areMovedPlainly = true

  /// Whether there may be room for values that there are not.
  private(set) var hasGaps = false

  /// Whether ends of values run no code of the user's.
  private(set) var areTrivial = true

  /// Whether there is no room for values that there are not.
  private let isTight: Bool

  /// No rows, of no components yet.
  init() { (cids, isTight) = ([], false) }

  /// No rows of the same components, and memory of so many bytes for them.
  @inline(__always)
  private init(
    like others: ValueRows, isTight: Bool, _ memory: UnsafeMutableRawPointer?, capacity: Int
  ) {
    (cids, alignment) = (others.cids, others.alignment)
    (areMovedPlainly, areTrivial) = (others.areMovedPlainly, others.areTrivial)
    self.isTight = isTight
    self.capacity = capacity
    unsafe base = unsafe memory
    assert(
      capacity == 0 || UInt(bitPattern: memory) & UInt(alignment &- 1) == 0,
      "Rows are in memory that is aligned to less than they are.")
  }

  /// Adds a component; returns its index.
  mutating func add(_ cid: CID) -> Int {
    cids.append(cid)
    if !cid.pointer.pointee.isBitwiseTakable { areMovedPlainly = false }
    if !cid.pointer.pointee.isTrivial { areTrivial = false }
    if cid.pointer.pointee.alignment > alignment {
      alignment = cid.pointer.pointee.alignment
      moveRows(toBlockOf: capacity)
    }
    return cids.count - 1
  }

  /// Frees the block, whose values are gone.
  func deallocate() {
    if let base = unsafe base { unsafe Memory.free(base, byteCount: capacity) }
  }

  /// Moves all rows to another block.
  private mutating func moveRows(toBlockOf capacity: Int) {
    let memory =
      unsafe capacity > 0 ? Memory.allocate(byteCount: capacity, alignment: alignment) : nil
    var other = unsafe ValueRows(like: self, isTight: isTight, memory, capacity: capacity)
    other.hasGaps = hasGaps
    visit { other.move($0, of: self) }
    deallocate()
    self = other
  }

  /// The address of an offset in the block.
  @inline(__always)
  func address(_ offset: Int) -> UnsafeMutableRawPointer {
    guard let base = unsafe base else { stop("There are no rows of values.") }
    assert(offset <= capacity, "An offset is outside of its block.")
    // SAFETY: callers pass offsets of rows that are in the block, or for which there is room.
    return unsafe base + offset
  }

  /// The row at an offset.
  @inline(__always)
  func row(at offset: Int) -> Row {
    // SAFETY: callers pass the beginning of a row.
    let head = unsafe address(offset).load(as: Head.self)
    return Row(at: offset, head, cids[head.column], isTight: isTight)
  }

  func cid(of row: Row) -> CID { cids[row.head.column] }

  /// The value of a row at one side; nil if there is none.
  @inline(__always)
  func value(_ row: Row, _ side: UndoSide) -> UnsafeMutableRawPointer? {
    unsafe row.head.has(side) ? address(row.offset(of: side)) : nil
  }

  /// Visits all rows.
  @inline(__always)
  func visit(_ body: (Row) -> Void) {
    var offset = 0
    while offset < used {
      let row = row(at: offset)
      offset = row.end
      body(row)
    }
  }

  /// Appends a row, for whose values there is room.
  @inline(__always)
  private mutating func append(_ head: Head, _ cid: CID) -> Row {
    let row = Row(at: used, head, cid, isTight: isTight)
    if row.end > capacity { moveRows(toBlockOf: max(row.end, 2 * used)) }
    // SAFETY: there is room for the row now, in which nothing is.
    unsafe address(row.offset).storeBytes(of: head, as: Head.self)
    used = row.end
    return row
  }

  /// Appends a row with copies of values.
  @inline(__always)
  mutating func append(
    _ head: Head, _ cid: CID, before: UnsafeRawPointer?, after: UnsafeRawPointer?
  ) {
    var head = head
    unsafe head.note(.before, before != nil)
    unsafe head.note(.after, after != nil)
    if unsafe before == nil || after == nil { hasGaps = true }
    let row = append(head, cid)
    // SAFETY: there is room for two values in the row.
    if let before = unsafe before { unsafe cid.copyValue(to: address(row.before), from: before) }
    if let after = unsafe after {
      unsafe cid.copyValue(to: address(row.offset(of: .after)), from: after)
    }
  }

  /// Gives a row a copy of another value after the step, or none.
  ///
  /// Something else has what goes, too: its end runs no code of the user's.
  mutating func replaceAfter(_ row: Row, with value: UnsafeRawPointer?) {
    let cid = cid(of: row)
    var head = row.head
    let after = unsafe address(row.offset(of: .after))
    // SAFETY: the head says whether there is a value, and has room for one.
    if head.has(.after), !cid.pointer.pointee.isTrivial {
      unsafe cid.pointer.pointee.end(after, 1)
    }
    unsafe head.note(.after, value != nil)
    if unsafe value == nil { hasGaps = true }
    unsafe address(row.offset).storeBytes(of: head, as: Head.self)
    if let value = unsafe value { unsafe cid.copyValue(to: after, from: value) }
  }

  /// Moves a row of others behind those here; what is left of it is not initialized.
  mutating func move(_ row: Row, of others: ValueRows) {
    let cid = cids[row.head.column]
    let moved = append(row.head, cid)
    for side in [UndoSide.before, .after] where row.head.has(side) {
      // SAFETY: the one value is initialized, and the other one is not.
      unsafe cid.moveValue(
        to: address(moved.offset(of: side)), from: others.address(row.offset(of: side)))
    }
  }

  /// Ends the values of a row.
  func end(_ row: Row) {
    let cid = cids[row.head.column]
    guard !cid.pointer.pointee.isTrivial else { return }
    for side in [UndoSide.before, .after] where row.head.has(side) {
      // SAFETY: the head says that the value is initialized.
      unsafe cid.pointer.pointee.end(address(row.offset(of: side)), 1)
    }
  }

  /// Ends all values.
  @inline(never)
  func endAll() { visit { end($0) } }

  /// Whether rows are moved as they are.
  // PERFORMANCE: UN1: mostly they are.
  private func arePlain(except voids: Set<Int>?) -> Bool {
    areMovedPlainly && !hasGaps && voids?.isEmpty ?? true
  }

  /// The bytes of rows without room for values that there are not, but for those at some offsets.
  func tightSize(except voids: Set<Int>?) -> Int {
    arePlain(except: voids) ? used : countTightSize(except: voids)
  }

  @inline(never)
  private func countTightSize(except voids: Set<Int>?) -> Int {
    var size = 0
    visit { row in
      guard voids?.contains(row.offset) != true else { return }
      size = Row(at: size, row.head, cids[row.head.column], isTight: true).end
    }
    return size
  }

  /// Takes all rows out, into memory of their size, but for those at some offsets, which end.
  mutating func take(
    except voids: Set<Int>?, size: Int, to memory: UnsafeMutableRawPointer
  ) -> ValueRows {
    var taken = unsafe ValueRows(like: self, isTight: true, memory, capacity: size)
    taken.hasGaps = hasGaps
    if arePlain(except: voids) {
      // SAFETY: both blocks have so many bytes; the values are moved.
      if size > 0 { unsafe memory.copyMemory(from: address(0), byteCount: size) }
      taken.used = size
    } else {
      moveEach(to: &taken, except: voids)
    }
    used = 0
    hasGaps = false
    if capacity > 1 << 16 { moveRows(toBlockOf: 0) }
    return taken
  }

  @inline(never)
  private func moveEach(to taken: inout ValueRows, except voids: Set<Int>?) {
    visit { row in
      if voids?.contains(row.offset) == true { end(row) } else { taken.move(row, of: self) }
    }
  }
}
