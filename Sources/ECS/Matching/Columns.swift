/// The entities that have exactly the same component types, with their values in columns.
///
/// ``Context/withColumns(_:)`` presents them. The value at an offset of each column belongs to the
/// entity at the same offset. They cannot escape the closure that they are passed to.
public struct Columns: ~Escapable {
  private let rows: ColumnRows

  @_lifetime(immortal)
  init(_ rows: ColumnRows) { self.rows = rows }

  /// The component types, in the order of ``CID``.
  public var types: [CID] { rows.types }

  /// The number of entities.
  public var count: Int { rows.count }

  /// The entity at an offset.
  ///
  /// - Precondition: `0 <= offset` and `offset < count`.
  /// - Complexity: O(1).
  public func entity(at offset: Int) -> Entity {
    require(
      offset >= 0 && offset < count,
      "Offset \(offset) is outside columns of \(count) entities: use one below their count.")
    return rows.entity(offset)
  }

  /// The values of a component as bytes, ``CID/Layout/stride`` of them for each entity; nil if the
  /// entities do not have it.
  ///
  /// - Precondition: The component type is trivial: see ``CID/Layout/isTrivial``.
  /// - Complexity: O(*c*), where *c* is the number of component types.
  @_lifetime(borrow self)
  public func bytes(of cid: CID) -> RawSpan? { rows.bytes(of: cid) }

  /// The values of a component; nil if the entities do not have it.
  ///
  /// - Complexity: O(1).
  @_lifetime(borrow self)
  public func values<C: Component>(of type: C.Type) -> Span<C>? {
    rows.values(of: type)
  }

  /// Writes the creation numbers of some of the entities; see ``Entity/creationNumber``.
  ///
  /// - Precondition: The offsets are below ``count``, and the output has room for so many.
  /// - Complexity: O(*k*), where *k* is the number of offsets.
  public func appendCreationNumbers(of offsets: Range<Int>, to output: inout OutputSpan<UInt64>) {
    require(
      offsets.lowerBound >= 0 && offsets.upperBound <= count,
      "Offsets \(offsets) are outside columns of \(count) entities: use some below their count.")
    rows.appendCreationNumbers(of: offsets, to: &output)
  }
}
