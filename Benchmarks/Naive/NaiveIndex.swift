import ECS

/// What a naive context tells its indexes.
protocol NaiveIndexing {
  func update(_ entity: NaiveEntity, old: (any Component)?, new: (any Component)?)
}

/// Sets of entities by a key that is computed from a component.
final class NaiveIndex<C: Component, Key: Hashable>: NaiveIndexing {
  private let key: (C) -> Key
  private var buckets: [Key: Set<NaiveEntity>] = [:]

  init(key: @escaping (C) -> Key) {
    self.key = key
  }

  subscript(key: Key) -> Set<NaiveEntity> { buckets[key] ?? [] }

  func update(_ entity: NaiveEntity, old: (any Component)?, new: (any Component)?) {
    if let old = old as? C { buckets[key(old)]?.remove(entity) }
    if let new = new as? C { buckets[key(new), default: []].insert(entity) }
  }
}
