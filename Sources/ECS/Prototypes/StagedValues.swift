/// Values of one component type for entities that are about to be created.
@safe
final class StagedValues {
  let cid: CID

  // INVARIANT: so many values are initialized, for as many as the capacity there is room.
  private var count = 0
  private var capacity: Int
  private(set) var base: UnsafeMutableRawPointer

  init(_ cid: CID, capacity: Int) {
    self.cid = cid
    self.capacity = max(1, capacity)
    unsafe base = StagedValues.allocate(cid, self.capacity)
  }

  deinit {
    // SAFETY: `count` values are initialized.
    if count > 0, !cid.pointer.pointee.isTrivial { unsafe cid.pointer.pointee.end(base, count) }
    unsafe Memory.free(base, byteCount: StagedValues.size(cid, capacity))
  }

  private static func size(_ cid: CID, _ capacity: Int) -> Int {
    max(1, capacity * cid.pointer.pointee.stride)
  }

  private static func allocate(_ cid: CID, _ capacity: Int) -> UnsafeMutableRawPointer {
    unsafe Memory.allocate(
      byteCount: size(cid, capacity), alignment: cid.pointer.pointee.alignment)
  }

  /// The place of a value.
  func place(_ number: Int) -> UnsafeMutableRawPointer {
    unsafe base + number * cid.pointer.pointee.stride
  }

  /// Notes that so many values are there, the first ones.
  func noteValues(_ count: Int) {
    assert(count <= capacity, "More values were staged than there is room for.")
    self.count = count
  }

  /// Makes room for more values.
  func grow(to larger: Int) {
    let grown = unsafe StagedValues.allocate(cid, larger)
    // SAFETY: `count` values are initialized, and fit both blocks.
    unsafe moveValues(to: grown)
    unsafe Memory.free(base, byteCount: StagedValues.size(cid, capacity))
    unsafe (base, capacity) = unsafe (grown, larger)
  }

  /// Moves the values to places that follow each other; there are none afterwards.
  @unsafe
  func move(to destination: UnsafeMutableRawPointer) {
    // SAFETY: callers pass places for so many values.
    unsafe moveValues(to: destination)
    count = 0
  }

  @unsafe
  private func moveValues(to destination: UnsafeMutableRawPointer) {
    // Values without a size have no bytes here, of which `move` would take one each.
    if cid.pointer.pointee.isBitwiseTakable {
      unsafe destination.copyMemory(
        from: base, byteCount: count * cid.pointer.pointee.stride)
    } else {
      unsafe cid.pointer.pointee.move(destination, base, count)
    }
  }
}
