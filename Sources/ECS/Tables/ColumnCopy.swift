/// The values that a column had at a moment.
@safe
// Made and read under the lock of the core.
final class ColumnCopy: @unchecked Sendable {
  private let cid: CID
  private let count: Int
  private let base: UnsafeMutableRawPointer

  init(of column: Column, count: Int) {
    cid = column.cid
    self.count = count
    unsafe base = Memory.allocate(
      byteCount: max(1, count * column.stride), alignment: cid.pointer.pointee.alignment)
    // SAFETY: the block has room for `count` values, and the column has that many.
    unsafe cid.copyValues(to: base, from: column.base, count: count)
  }

  /// Takes the values out of a column, whose rows are given up.
  init(taking column: Column, count: Int) {
    cid = column.cid
    self.count = count
    unsafe base = Memory.allocate(
      byteCount: max(1, count * column.stride), alignment: cid.pointer.pointee.alignment)
    // SAFETY: as above; the places are uninitialized from here on.
    unsafe cid.pointer.pointee.move(base, column.base, count)
  }

  deinit {
    // SAFETY: `count` values are initialized.
    if !cid.pointer.pointee.isTrivial { unsafe cid.pointer.pointee.end(base, count) }
    unsafe Memory.free(base, byteCount: max(1, count * cid.pointer.pointee.stride))
  }

  /// The place of the value of a row; nil if the column had no such row.
  func place(_ row: Int) -> UnsafeMutableRawPointer? {
    unsafe row < count ? base + row * cid.pointer.pointee.stride : nil
  }
}
