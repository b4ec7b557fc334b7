/// Entities whose components are contiguous in memory, as chunk iteration presents them.
///
/// The element at an offset of each span belongs to the entity at the same offset. A chunk cannot
/// escape the closure that it is passed to.
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
    guard offset >= 0, offset < count else { stopOutside(offset) }
    return view.entity(offset)
  }

  @usableFromInline
  @inline(never)
  func stopOutside(_ offset: Int) -> Never {
    stop("Offset \(offset) is outside a chunk of \(count) entities: use one below its count.")
  }
}
