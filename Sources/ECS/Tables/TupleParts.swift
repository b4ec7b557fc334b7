/// The offsets of the parts of tuples, and the columns of a table that they go to.
///
/// So that tuples are taken apart many at once: which part goes where is asked for once a column,
/// and not once a value.
// PERFORMANCE: C3: elements of packs are copied by way of the metadata of their types, also where
// these are known.
@safe
@usableFromInline
struct TupleParts {
  private struct Part {
    /// In bytes, from the beginning of a tuple.
    let offset: Int
    let size: Int

    /// The number of the column in its table; nil for types without any bytes.
    let column: Int?
  }

  private let table: TablePointer
  private var parts: [Part] = []

  /// The bytes of a tuple of the parts so far.
  @usableFromInline private(set) var size = 0

  @usableFromInline
  init(of table: TablePointer) {
    unsafe self.table = table
  }

  /// Notes the next part of the tuples.
  ///
  /// Tuples are laid out as structs are: each part begins at the first multiple of its alignment
  /// behind the one before.
  @inlinable
  mutating func append<C: Component>(_ type: C.Type) {
    append(ComponentRegistry.cid(of: type), MemoryLayout<C>.size, MemoryLayout<C>.alignment)
  }

  @usableFromInline
  mutating func append(_ cid: CID, _ partSize: Int, _ alignment: Int) {
    let offset = (size + alignment - 1) & ~(alignment - 1)
    size = offset + partSize
    let number = unsafe table.pointee.signature.firstIndex(of: cid)
    parts.append(Part(offset: offset, size: partSize, column: partSize == 0 ? nil : number))
  }

  /// Moves tuples to rows from one on, for which there is room and which have no values yet.
  @usableFromInline
  func move(_ tuples: UnsafeMutableRawPointer, _ count: Int, stride: Int, toRow row: Int) {
    for part in parts {
      guard let number = part.column else { continue }
      let column = unsafe table.pointee.columns[number]
      // SAFETY: callers pass so many tuples, which they take for gone afterwards, and rows below
      // the capacity.
      let source = unsafe tuples + part.offset
      let destination = unsafe column.place(row)
      if !column.isBitwiseTakable {
        for position in 0..<count {
          unsafe column.moveValue(
            to: destination + position * column.stride, from: source + position * stride)
        }
      } else if part.size == 8, column.stride == 8 {
        unsafe copy(destination, source, count, stride, as: UInt64.self)
      } else if part.size == 4, column.stride == 4 {
        unsafe copy(destination, source, count, stride, as: UInt32.self)
      } else if part.size == 16, column.stride == 16 {
        unsafe copy(destination, source, count, stride, as: SIMD2<UInt64>.self)
      } else {
        for position in 0..<count {
          unsafe (destination + position &* column.stride).copyMemory(
            from: source + position &* stride, byteCount: part.size)
        }
      }
    }
  }

  @inline(__always)
  private func copy<Bits: BitwiseCopyable>(
    _ destination: UnsafeMutableRawPointer, _ source: UnsafeMutableRawPointer, _ count: Int,
    _ stride: Int, as type: Bits.Type
  ) {
    for position in 0..<count {
      // SAFETY: as in `move`; the values have the size of the bits.
      let value = unsafe source.loadUnaligned(fromByteOffset: position &* stride, as: type)
      unsafe destination.storeBytes(
        of: value, toByteOffset: position &* MemoryLayout<Bits>.size, as: type)
    }
  }
}
