/// The values of one component type in one table: one place a row.
@safe
@usableFromInline
struct Column {
  /// Never nil: columns of empty types point to a place that is never read.
  var base: UnsafeMutableRawPointer

  /// Bytes from one row to the next; 0 for types without any.
  let stride: Int

  let cid: CID

  let isTrivial: Bool
  let isBitwiseTakable: Bool
  private let alignment: Int

  init(_ cid: CID) {
    self.cid = cid
    stride = cid.pointer.pointee.stride
    isTrivial = cid.pointer.pointee.isTrivial
    isBitwiseTakable = cid.pointer.pointee.isBitwiseTakable
    alignment = cid.pointer.pointee.alignment
    unsafe base = Column.placeOfEmptyTypes
  }

  // SAFETY: never read or written through; immortal. Aligned for any empty type.
  @safe nonisolated(unsafe) private static let placeOfEmptyTypes =
    UnsafeMutableRawPointer.allocate(byteCount: 16, alignment: 16)

  // SAFETY: `row` is below the capacity of the table.
  func place(_ row: Int) -> UnsafeMutableRawPointer { unsafe base + row &* stride }

  mutating func reallocate(count: Int, capacity: Int, oldCapacity: Int) {
    guard stride > 0 else { return }
    if isBitwiseTakable, oldCapacity > 0,
      unsafe Memory.extend(base, from: oldCapacity * stride, to: capacity * stride)
    {
      return
    }
    // SAFETY: `count` rows are initialized, and count <= capacity.
    let grown =
      unsafe capacity == 0
      ? Column.placeOfEmptyTypes
      : Memory.allocate(byteCount: capacity * stride, alignment: alignment)
    if count > 0 {
      if isBitwiseTakable {
        unsafe grown.copyMemory(from: base, byteCount: count * stride)
      } else {
        unsafe cid.pointer.pointee.move(grown, base, count)
      }
    }
    if oldCapacity > 0 { unsafe Memory.free(base, byteCount: oldCapacity * stride) }
    unsafe base = grown
  }

  /// Moves the first values of another column of this type to rows of this one.
  func moveValues(from source: Column, to row: Int, count: Int) {
    // SAFETY: as below.
    if isBitwiseTakable {
      unsafe place(row).copyMemory(from: source.base, byteCount: count &* stride)
    } else {
      unsafe cid.pointer.pointee.move(place(row), source.base, count)
    }
  }

  /// Moves one value between places of columns of this type.
  func moveValue(to destination: UnsafeMutableRawPointer, from source: UnsafeMutableRawPointer) {
    // SAFETY: both places are rows of columns of this type; the source is initialized, the
    // destination is not, and they differ.
    if isBitwiseTakable {
      unsafe destination.copyMemory(from: source, byteCount: stride)
    } else {
      unsafe cid.pointer.pointee.move(destination, source, 1)
    }
  }
}

func requireTrivial(_ cid: CID) {
  require(
    cid.pointer.pointee.isTrivial,
    "The bytes of \(cid.name) were asked for, which is not trivial: use its values instead; see CID.layout."
  )
}
