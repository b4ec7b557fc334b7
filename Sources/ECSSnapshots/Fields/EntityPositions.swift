import ECS
import Synchronization

/// The positions of entities in a snapshot that is being made.
struct EntityPositions: Sendable {
  private var positions: [Entity: UInt32] = [:]

  /// Gives positions to others, if there is one.
  private var collector: EntityCollector?

  init() {}

  init(_ positions: [Entity: UInt32]) { self.positions = positions }

  /// Those of a value that is written alone: each entity gets a position when it comes up.
  init(collecting collector: EntityCollector) { self.collector = collector }

  subscript(entity: Entity) -> UInt32? { positions[entity] ?? collector?.position(of: entity) }
}

/// The entities that values refer to, as they come up when these are written.
final class EntityCollector: Sendable {
  private let found = Mutex<(positions: [Entity: UInt32], entities: [Entity])>(([:], []))

  /// In the order of their positions.
  var entities: [Entity] { found.withLock(\.entities) }

  func position(of entity: Entity) -> UInt32 {
    found.withLock { found in
      if let position = found.positions[entity] { return position }
      let position = UInt32(found.entities.count)
      found.positions[entity] = position
      found.entities.append(entity)
      return position
    }
  }
}

/// The entities of a snapshot that is being restored.
struct Arrivals: Sendable {
  let count: Int

  /// Nil as long as all is only checked.
  private let created: NewEntities?

  /// Those that were there before, and the indices of the others among the new ones; nil if there
  /// are none.
  private let found: FoundEntities?

  init(count: Int, _ created: NewEntities? = nil, _ found: FoundEntities? = nil) {
    (self.count, self.created, self.found) = (count, created, found)
  }

  /// The entity at a position; nil as long as all is only checked.
  func entity(_ position: Int) -> Entity? {
    guard let found else { return created?[position] }
    return found.entities[position] ?? created?[found.indices[position]]
  }
}

/// Entities of a snapshot that a context has already.
struct FoundEntities: Sendable {
  /// By their positions.
  private(set) var entities: [Entity?]

  /// The positions of those that were found.
  private(set) var positions: [Entity: Int] = [:]

  /// The index of each other entity among those that are to be made.
  private(set) var indices: [Int] = []

  /// The number of entities that are to be made.
  private(set) var missing = 0

  init(count: Int) { entities = [Entity?](repeating: nil, count: count) }

  /// Some that are all known, or stay away.
  init(_ entities: [Entity?]) { self.entities = entities }

  /// Notes what an entity is; gives why that can't be, if it is another one already.
  mutating func insert(_ entity: Entity, at position: Int) -> SnapshotError.Reason? {
    if let known = entities[position] { return known == entity ? nil : .severalFound }
    if positions.updateValue(position, forKey: entity) != nil { return .ambiguous }
    entities[position] = entity
    return nil
  }

  /// Counts the others, in the order of creation.
  mutating func finish() {
    indices.reserveCapacity(entities.count)
    for entity in entities {
      indices.append(missing)
      if entity == nil { missing += 1 }
    }
  }
}
