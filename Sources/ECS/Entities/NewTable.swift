/// Which of many new entities have the same component types; see
/// ``Context/createEntities(_:in:_:)``.
public struct NewTable: Sendable {
  /// The component types, in any order.
  public internal(set) var types: [CID]

  let positions: Positions

  enum Positions: Sendable {
    case range(Range<Int>)
    case list([Int])
  }

  /// Entities that follow each other in the order of creation.
  public init(_ types: [CID], _ positions: Range<Int>) {
    self.types = types
    self.positions = .range(positions)
  }

  /// Entities in any order, which is that of the rows.
  public init(_ types: [CID], _ positions: [Int]) {
    self.types = types
    self.positions = .list(positions)
  }

  /// The number of entities.
  public var count: Int {
    switch positions {
    case .range(let range): range.count
    case .list(let list): list.count
    }
  }
}
