/// What the records of all changes of one kind, in one table, begin with: whom to tell and what of, but not of
/// which entity.
// PERFORMANCE: O1, O3: finding all of that out for each change takes longer than copying it.
@safe
struct RecordPrototype {
  /// The bytes that are copied at a time.
  private typealias Unit = SIMD2<UInt64>

  /// The bytes from one record to the next.
  let length: Int

  private let base: UnsafeMutableRawPointer
  private let size: Int

  /// Makes a prototype: the cause is the component whose values are replaced, nil if entities come or go, and
  /// the types are those of the values of such entities.
  init(
    _ cause: CID?, _ flags: ChangeRecord.Flags, _ targets: [ChangeRecord.Target], types: [CID],
    valueSize: Int
  ) {
    length = ChangeRecord.length(
      targetCount: targets.count, typeCount: types.count, valueSize: valueSize)
    size = ChangeRecord.length(targetCount: targets.count, typeCount: types.count, valueSize: 0)
    unsafe base = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 16)
    // SAFETY: the block has room for the record, its targets and its types, and for what fills the last unit.
    unsafe base.initializeMemory(as: UInt8.self, repeating: 0, count: size)
    let record = unsafe base.bindMemory(to: ChangeRecord.self, capacity: 1)
    unsafe record.initialize(
      to: ChangeRecord(
        handle: .dead, cause: cause, length: UInt32(length), round: 0,
        targetCount: UInt32(targets.count), typeCount: UInt16(types.count), flags: flags))
    for (number, target) in targets.enumerated() {
      unsafe (record.targets + number).initialize(to: target)
    }
    for (number, cid) in types.enumerated() { unsafe (record.types + number).initialize(to: cid) }
  }

  @unsafe func deallocate() { unsafe base.deallocate() }

  /// Copies it to where there is room for a record.
  @inline(__always)
  func copy(to place: UnsafeMutableRawPointer) {
    // SAFETY: both are aligned to 16 bytes, and a record is at least as long as its prototype.
    var offset = 0
    repeat {
      unsafe place.storeBytes(
        of: base.load(fromByteOffset: offset, as: Unit.self), toByteOffset: offset, as: Unit.self)
      offset &+= MemoryLayout<Unit>.size
    } while offset < size
  }
}
