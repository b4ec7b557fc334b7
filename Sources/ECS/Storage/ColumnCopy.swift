/// The values that a column had at a moment.
// Made and read under the lock of the core.
final class ColumnCopy: @unchecked Sendable {
  private let info: ComponentInfoReference
  private let count: Int
  private let base: UnsafeMutableRawPointer

  init(of column: Column, count: Int) {
    info = column.info
    self.count = count
    base = Memory.allocate(
      byteCount: max(1, count * column.stride), alignment: info.pointer.pointee.alignment)
    // SAFETY: the block has room for `count` values, and the column has that many.
    info.pointer.pointee.copyValues(to: base, from: column.base, count: count)
  }

  deinit {
    // SAFETY: `count` values are initialised.
    if !info.pointer.pointee.isTrivial { info.pointer.pointee.end(base, count) }
    Memory.free(base, byteCount: max(1, count * info.pointer.pointee.stride))
  }

  /// The place of the value of a row; nil if the column had no such row.
  func place(_ row: Int) -> UnsafeMutableRawPointer? {
    row < count ? base + row * info.pointer.pointee.stride : nil
  }
}
