import ECS

/// The positions of entities in a snapshot that is being made.
struct EntityPlaces: Sendable {
  private var positions: [Entity: UInt32] = [:]

  init() {}

  init(_ positions: [Entity: UInt32]) { self.positions = positions }

  subscript(entity: Entity) -> UInt32? { positions[entity] }
}

/// The entities of a snapshot that is being restored.
struct Arrivals: Sendable {
  let count: Int

  /// Nil as long as all is only checked.
  let entities: [Entity]?
  private let created: NewEntities?

  init(count: Int, _ created: NewEntities? = nil) {
    (self.count, self.created) = (count, created)
    entities = nil
  }

  init(_ entities: [Entity]) {
    (count, self.entities, created) = (entities.count, entities, nil)
  }

  /// The entity at a position; nil as long as all is only checked.
  func entity(_ position: Int) -> Entity? { created?[position] ?? entities?[position] }
}
