/// The columns of new entities that have the same component types, to be filled; see
/// ``Context/createEntities(_:in:_:)``.
///
/// Each column is filled once, with a value for each entity of the ``NewTable``, in its order; only
/// those of types without any properties may be left alone. They cannot escape the closure that
/// they are passed to.
@safe
public struct NewColumns: ~Escapable {
  /// All entities that are created together, dead as yet.
  public let entities: NewEntities

  /// The number of entities of the table.
  public let count: Int

  private let table: TablePointer
  private let row: Int

  // SAFETY: one for each column of the table; `Core.create(_:in:_:)` has them.
  private let isFilled: UnsafeMutablePointer<Bool>

  @_lifetime(immortal)
  init(
    _ entities: NewEntities, _ table: TablePointer, row: Int, count: Int,
    isFilled: UnsafeMutablePointer<Bool>
  ) {
    (self.entities, self.row, self.count) = (entities, row, count)
    unsafe (self.table, self.isFilled) = unsafe (table, isFilled)
  }

  /// The component types, in the order of ``CID``.
  public var types: [CID] { unsafe table.pointee.signature }

  /// Fills a column of trivial values with bytes.
  ///
  /// Unsafe, since nothing else can tell whether the bytes are values of the type.
  ///
  /// - Parameters:
  ///   - bytes: ``CID/Layout/stride`` bytes for each entity. They have to be values of the type: it
  ///     is the caller that ensures that.
  ///   - cid: The component type.
  /// - Precondition: It is one of the types of the table, trivial, and was not filled before; there
  ///   are as many bytes as the column takes.
  /// - Complexity: O(*n*), where *n* is the number of entities.
  @unsafe public func copyBytes(_ bytes: RawSpan, of cid: CID) {
    requireTrivial(cid)
    let address = unsafe claim(cid)
    let needed = count * cid.layout.stride
    require(
      bytes.byteCount == needed,
      "The column of \(cid.name) was given \(bytes.byteCount) bytes, but takes \(needed): pass the stride of the type for each entity."
    )
    unsafe bytes.withUnsafeBytes { bytes in
      guard let base = bytes.baseAddress else { return }
      // SAFETY: the table has room for so many rows behind its last, which nothing else writes to.
      unsafe address.copyMemory(from: base, byteCount: bytes.count)
    }
  }

  /// Lets a closure fill a column.
  ///
  /// - Parameters:
  ///   - type: The component type.
  ///   - body: Appends a value for each entity.
  /// - Precondition: It is one of the types of the table, and was not filled before; the body
  ///   appends as many values as there are entities.
  /// - Complexity: O(1), besides the body.
  public func initialize<C: Component>(_ type: C.Type, _ body: (inout OutputSpan<C>) -> Void) {
    var address = unsafe claim(type.cid).assumingMemoryBound(to: type)
    // Values of empty types take no space, but appending several at once writes a byte for
    // each.
    if MemoryLayout<C>.size == 0 {
      unsafe address = unsafe EmptyValues.start(count).assumingMemoryBound(to: type)
    }
    // SAFETY: as in `copyBytes`; the column is one of this type.
    let buffer = unsafe UnsafeMutableBufferPointer(start: address, count: count)
    var output = unsafe OutputSpan(buffer: buffer, initializedCount: 0)
    body(&output)
    let made = unsafe output.finalize(for: buffer)
    require(
      made == count,
      "The column of \(type.cid.name) was given \(made) values for \(count) entities: append one for each."
    )
  }

  /// Fills a column with copies of values, one for each entity.
  ///
  /// - Precondition: It is one of the types of the table, and was not filled before; there are as
  ///   many values as entities.
  /// - Complexity: O(*n*), where *n* is the number of entities.
  public func copy<C: Component>(_ values: Span<C>) {
    let address = unsafe claim(C.cid).bindMemory(to: C.self, capacity: count)
    require(
      values.count == count,
      "The column of \(C.cid.name) was given \(values.count) values for \(count) entities: pass one for each."
    )
    // Values of empty types take no space, but would be copied as if each took a byte.
    if MemoryLayout<C>.size == 0 { return }
    unsafe values.withUnsafeBufferPointer { values in
      guard let base = values.baseAddress else { return }
      // SAFETY: as in `copyBytes`; the column is one of this type.
      unsafe address.initialize(from: base, count: values.count)
    }
  }

  /// The address of the first new value of a column that was not filled.
  @unsafe func claim(_ cid: CID) -> UnsafeMutableRawPointer {
    guard let column = unsafe table.pointee.column(of: cid) else {
      stop(
        "The column of \(cid.name) was filled, which the table does not have: name the type in it.")
    }
    let index = unsafe column - table.pointee.columns
    unsafe require(!isFilled[index], "The column of \(cid.name) was filled twice: fill it once.")
    unsafe isFilled[index] = true
    return unsafe column.pointee.place(row)
  }
}
