/// Entities whose components lie next to each other in memory, as chunk iteration presents them.
///
/// The element at an offset of each span belongs to the entity at the same offset. A chunk cannot
/// leave the closure that it is given to.
@frozen
public struct Chunk: ~Escapable {
  @usableFromInline
  let view: TableView

  @usableFromInline
  @_lifetime(immortal)
  init(_ view: TableView) {
    self.view = view
  }

  /// The number of entities.
  @inlinable
  public var count: Int { view.rows.count }

  /// The entity at an offset.
  ///
  /// - Precondition: `0 <= offset` and `offset < count`.
  /// - Complexity: O(1).
  @inlinable
  public func entity(at offset: Int) -> Entity {
    require(
      offset >= 0 && offset < count,
      "Offset \(offset) is outside of a chunk of \(count) entities.")
    return view.entity(offset)
  }
}
