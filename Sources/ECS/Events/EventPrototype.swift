/// The beginning that the events of all changes of one kind, in one table, share: their targets and
/// types, but not their entities.
// PERFORMANCE: O1, O3: finding all of that out for each change takes longer than copying it.
@safe
struct EventPrototype {
  /// The bytes that are copied at a time: mostly, they are all.
  private typealias Unit = SIMD8<UInt64>

  /// So many bytes behind a record may be written when it is made.
  static var excess: Int { MemoryLayout<Unit>.size }

  /// The bytes from one record to the next.
  let length: Int

  private let base: UnsafeMutableRawPointer
  private let size: Int

  /// Where the value of an entity lies if it is one of 8 bytes that nothing has to be done for; 0
  /// if not.
  let offsetOfSingleValue: Int

  /// Makes a prototype: the cause is the component whose values are replaced, nil if entities come
  /// or go, and the types are those of the values of such entities.
  init(
    _ cause: CID?, _ flags: ChangeEvent.Flags, _ targets: [ChangeEvent.Target], types: [CID],
    valueSize: Int
  ) {
    length = ChangeEvent.length(
      targetCount: targets.count, typeCount: types.count, valueSize: valueSize)
    size = ChangeEvent.length(targetCount: targets.count, typeCount: types.count, valueSize: 0)
    let isSingle = types.count == 1 && types[0].pointer.pointee.isBitwiseWord
    offsetOfSingleValue =
      isSingle
      ? ChangeEvent.headSize + targets.count * ChangeEvent.targetSize + MemoryLayout<CID>.stride
      : 0
    let unit = MemoryLayout<Unit>.size
    let room = (size + unit - 1) / unit * unit
    unsafe base = UnsafeMutableRawPointer.allocate(byteCount: room, alignment: unit)
    // SAFETY: the block has room for the record, its targets and its types, and for what fills the
    // last unit.
    unsafe base.initializeMemory(as: UInt8.self, repeating: 0, count: room)
    let record = unsafe base.bindMemory(to: ChangeEvent.self, capacity: 1)
    unsafe record.initialize(
      to: ChangeEvent(
        handle: .dead, cause: cause, length: UInt32(length), round: 0,
        targetCount: UInt32(targets.count), typeCount: UInt16(types.count), flags: flags))
    for (index, target) in targets.enumerated() {
      unsafe (record.targets + index).initialize(to: target)
    }
    for (index, cid) in types.enumerated() { unsafe (record.types + index).initialize(to: cid) }
  }

  @unsafe func deallocate() { unsafe base.deallocate() }

  /// Copies it to where there is room for a record, and for what may be written behind it.
  @inline(__always)
  func copy(to address: UnsafeMutableRawPointer) {
    var offset = 0
    repeat {
      // SAFETY: the prototype is in whole units, and less than one of them lies behind the record.
      unsafe (address + offset).copyMemory(
        from: base + offset, byteCount: MemoryLayout<Unit>.size)
      offset &+= MemoryLayout<Unit>.size
    } while offset < size
  }
}
