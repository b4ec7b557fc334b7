/// The copies of some entities, which were made together.
///
/// As a collection, the copies of the entities that were asked for, in their order.
public struct Clones: RandomAccessCollection, Sendable {
  private let list: CopyPlan.OriginalList
  private let entities: NewEntities

  init(_ list: CopyPlan.OriginalList, _ entities: NewEntities) {
    (self.list, self.entities) = (list, entities)
  }

  /// 0.
  public var startIndex: Int { 0 }

  /// The number of entities that were asked for.
  public var endIndex: Int { list.asked.count }

  /// The copy of the entity at a position among those that were asked for.
  ///
  /// - Precondition: The position is below their count.
  /// - Complexity: O(1).
  public subscript(position: Int) -> Entity { entities[list.asked[position]] }

  /// The copy of an entity, which may have been copied along; nil if it was not copied.
  ///
  /// - Complexity: O(1) on average.
  public func clone(of original: Entity) -> Entity? {
    list.index(of: original).map { entities[$0] }
  }

  /// All copies, those of entities that were copied along as well, in the order of their creation.
  ///
  /// - Complexity: O(*n*), where *n* is their count.
  public func all() -> [Entity] { Array(entities) }
}
