/// The difference between the contents of a live view and those before, in the form that table
/// views want.
///
/// Removals and the origins of moves are offsets in the contents before; insertions, updates and
/// the destinations of moves are offsets in the contents after. Each list is ascending.
public struct LiveViewDifference: Hashable, Sendable {
  /// An entity and its offset.
  public struct Place: Hashable, Sendable {
    /// The offset.
    public let offset: Int

    /// The entity.
    public let entity: Entity

    /// Makes a place.
    public init(offset: Int, entity: Entity) {
      self.offset = offset
      self.entity = entity
    }
  }

  /// An entity that has changed its place.
  public struct Move: Hashable, Sendable {
    /// The offset before.
    public let from: Int

    /// The offset after.
    public let to: Int

    /// The entity.
    public let entity: Entity

    /// Makes a move.
    public init(from: Int, to: Int, entity: Entity) {
      self.from = from
      self.to = to
      self.entity = entity
    }
  }

  /// The entities that are gone, with their offsets before.
  public internal(set) var removals: [Place] = []

  /// The entities that have come, with their offsets after.
  public internal(set) var insertions: [Place] = []

  /// The entities that were there before and are now at another place; what they show may have
  /// changed, too.
  public internal(set) var moves: [Move] = []

  /// The entities that have changed and stayed at their place among the others, with their offsets
  /// after.
  public internal(set) var updates: [Place] = []

  /// New nodes: insertions, and the ends of moves and updates.
  var newcomers: [Place] = []

  init() {}

  static func replacing(_ earlier: [Entity], with later: [Entity]) -> LiveViewDifference {
    var difference = LiveViewDifference()
    difference.removals = earlier.enumerated().map { Place(offset: $0, entity: $1) }
    difference.insertions = later.enumerated().map { Place(offset: $0, entity: $1) }
    return difference
  }

  /// Whether nothing differs.
  public var isEmpty: Bool {
    removals.isEmpty && insertions.isEmpty && moves.isEmpty && updates.isEmpty
  }

  mutating func sort() {
    // PERFORMANCE: V3: mostly a single entity has come, gone or changed.
    if moves.isEmpty && updates.isEmpty {
      swap(&insertions, &newcomers)
    } else if !newcomers.isEmpty {
      let known = Set(moves.map(\.entity)).union(updates.map(\.entity))
      insertions = newcomers.filter { !known.contains($0.entity) }
      newcomers = []
    }
    if removals.count > 1 { removals = removals.sorted(byNumber: { UInt64($0.offset) }) }
    if insertions.count > 1 { insertions = insertions.sorted(byNumber: { UInt64($0.offset) }) }
    if moves.count > 1 { moves = moves.sorted(byNumber: { UInt64($0.to) }) }
    if updates.count > 1 { updates = updates.sorted(byNumber: { UInt64($0.offset) }) }
  }

  /// The difference without updates, as the standard library's type: `applying(_:)` takes the
  /// contents before to those after.
  ///
  /// - Complexity: O(*k* log *k*), where *k* is the number of entities that differ.
  public var collectionDifference: CollectionDifference<Entity>? {
    var changes: [CollectionDifference<Entity>.Change] = []
    for place in removals {
      changes.append(.remove(offset: place.offset, element: place.entity, associatedWith: nil))
    }
    for place in insertions {
      changes.append(.insert(offset: place.offset, element: place.entity, associatedWith: nil))
    }
    for move in moves {
      changes.append(.remove(offset: move.from, element: move.entity, associatedWith: move.to))
      changes.append(.insert(offset: move.to, element: move.entity, associatedWith: move.from))
    }
    return CollectionDifference(changes)
  }

  /// Turns a copy of the contents before into the contents after.
  ///
  /// - Returns: Whether it was a copy of the contents before; otherwise it is not changed.
  /// - Complexity: O(*n*), where *n* is the number of entities of the view.
  public func apply(to entities: inout [Entity]) -> Bool {
    guard let difference = collectionDifference, let after = entities.applying(difference) else {
      return false
    }
    entities = after
    return true
  }
}
