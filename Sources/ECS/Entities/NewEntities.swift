/// Entities that are created together, by their positions in the order of creation; see
/// ``Context/createEntities(_:in:_:)``.
public struct NewEntities: RandomAccessCollection, Sendable {
  enum Handles: Sendable {
    case following(first: UInt32, generation: UInt32)
    case listed([Handle])
  }

  let core: Core
  let handles: Handles

  /// 0.
  public let startIndex = 0

  /// The number of entities.
  public let endIndex: Int

  /// The entity at a position.
  ///
  /// It is dead while columns are filled.
  ///
  /// - Precondition: The position is below the number of entities.
  /// - Complexity: O(1).
  public subscript(position: Int) -> Entity {
    require(
      position >= 0 && position < endIndex,
      "Position \(position) is outside \(endIndex) new entities: use one below their count.")
    return Entity(core: core, handle: handle(position))
  }

  @inline(__always)
  func handle(_ position: Int) -> Handle {
    switch handles {
    case .following(let first, let generation):
      Handle(index: first &+ UInt32(truncatingIfNeeded: position), generation: generation)
    case .listed(let handles): handles[position]
    }
  }
}
