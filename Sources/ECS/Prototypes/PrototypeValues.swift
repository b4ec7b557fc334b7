/// The values of some entities that have the same component types, apart from any context.
@safe
// Filled before anything else has it, and never changed until it ends.
final class PrototypeValues: @unchecked Sendable {
  /// The component types, ascending.
  let types: [CID]

  /// The number of entities.
  let count: Int

  // INVARIANT: at each offset, as many values of the type as there are entities.
  private let block: UnsafeMutableRawPointer
  private let offsets: [Int]
  private let size: Int

  /// Makes room for values and lets a closure put them there, type by type.
  private init(
    _ types: [CID], count: Int, _ fill: (Int, CID, UnsafeMutableRawPointer) -> Void
  ) {
    self.types = types
    self.count = count
    var (offsets, end, alignment) = ([Int](), 0, 1)
    for cid in types {
      let own = cid.pointer.pointee.alignment
      end = (end + own - 1) / own * own
      offsets.append(end)
      end += cid.pointer.pointee.stride * count
      alignment = max(alignment, own)
    }
    (self.offsets, size) = (offsets, max(1, end))
    unsafe block = Memory.allocate(byteCount: size, alignment: alignment)
    for (number, cid) in types.enumerated() {
      // SAFETY: there is room for so many values.
      unsafe fill(number, cid, block + offsets[number])
    }
  }

  /// Copies the values of some rows of a table.
  convenience init(_ rows: [Int], of table: TablePointer) {
    unsafe self.init(table.pointee.signature, count: rows.count) { number, cid, place in
      let (column, stride) = unsafe (table.pointee.columns[number], cid.pointer.pointee.stride)
      forEachRun(of: rows) { offset, row, count in
        // SAFETY: the table has these rows; columns are in the order of the signature.
        unsafe cid.copyValues(
          to: place + offset * stride, from: column.place(row), count: count)
      }
    }
  }

  /// The values of one entity, in any order.
  ///
  /// They are of different types.
  convenience init(_ values: [any Component]) {
    let sorted = values.map { (cid: $0.cid, value: $0) }.sorted(byNumber: { UInt64($0.cid.id) })
    unsafe self.init(sorted.map(\.cid), count: 1) { number, cid, place in
      // SAFETY: the place is one for a value of this type.
      unsafe cid.pointer.pointee.unbox(sorted[number].value, place)
    }
  }

  deinit {
    for (number, cid) in types.enumerated() where !cid.pointer.pointee.isTrivial {
      // SAFETY: the values are initialized.
      unsafe cid.pointer.pointee.end(block + offsets[number], count)
    }
    unsafe Memory.free(block, byteCount: size)
  }

  /// A copy of a value; nil if the entities do not have the component.
  func value(of key: ComponentKey, row: Int) -> (any Component)? {
    guard let number = types.firstIndex(where: { $0.key == key }) else { return nil }
    return unsafe types[number].pointer.pointee.copy(place(number, row))
  }

  /// The values of an entity.
  func values(row: Int) -> [any Component] {
    types.indices.map { unsafe types[$0].pointer.pointee.copy(place($0, row)) }
  }

  /// The place of a value, of the type with a number.
  func place(_ number: Int, _ row: Int) -> UnsafeMutableRawPointer {
    unsafe block + offsets[number] + row * types[number].pointer.pointee.stride
  }

  /// Copies values of some of the entities to places that follow each other.
  @unsafe
  func copy(_ cid: CID, _ rows: PrototypeRows, to destination: UnsafeMutableRawPointer) {
    guard let number = types.firstIndex(of: cid) else { return }
    let stride = cid.pointer.pointee.stride
    // SAFETY: callers pass rows that there are, and places for so many values.
    switch rows {
    case .first(let count):
      guard count > 0 else { return }
      unsafe cid.copyValue(to: destination, from: place(number, 0))
      if cid.pointer.pointee.isTrivial {
        return unsafe Memory.repeatFirst(destination, stride, count)
      }
      for row in 1..<count {
        unsafe cid.copyValue(to: destination + row * stride, from: destination)
      }
    case .list(let rows):
      forEachRun(of: rows) { offset, row, count in
        unsafe cid.copyValues(
          to: destination + offset * stride, from: place(number, row), count: count)
      }
    }
  }
}

/// The rows that new entities get their values from.
enum PrototypeRows {
  /// The first one, for so many entities.
  case first(Int)

  /// One for each entity.
  case list([Int])

  var count: Int {
    switch self {
    case .first(let count): count
    case .list(let rows): rows.count
    }
  }
}

/// Calls a body with the offset, the first row and the number of rows that follow each other.
private func forEachRun(of rows: [Int], _ body: (_ offset: Int, _ row: Int, _ count: Int) -> Void) {
  var start = 0
  while start < rows.count {
    var end = start + 1
    while end < rows.count, rows[end] == rows[end - 1] + 1 { end += 1 }
    body(start, rows[start], end - start)
    start = end
  }
}
