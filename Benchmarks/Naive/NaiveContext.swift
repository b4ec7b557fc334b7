import ECS

/// What an app would write that needs entities and groups and does not think of speed.
///
/// Entities are objects with a dictionary of boxed components; groups are sets that are kept up to
/// date by evaluating matchers on every change. It takes no lock.
final class NaiveContext {
  private(set) var entities: Set<NaiveEntity> = []
  private var groups: [NaiveMatcher: NaiveGroup] = [:]
  private var indexes: [ObjectIdentifier: [any NaiveIndexing]] = [:]
  private var uniqueHolders: [ObjectIdentifier: NaiveEntity] = [:]
  private var nextID = 0

  func createEntity() -> NaiveEntity {
    nextID += 1
    let entity = NaiveEntity(id: nextID, context: self)
    entities.insert(entity)
    return entity
  }

  func destroy(_ entity: NaiveEntity) {
    entity.removeAll()
    entities.remove(entity)
  }

  func group(all: [any Component.Type], none: [any Component.Type] = []) -> NaiveGroup {
    let matcher = NaiveMatcher(
      all: Set(all.map { ObjectIdentifier($0) }), none: Set(none.map { ObjectIdentifier($0) }))
    if let group = groups[matcher] { return group }
    let group = NaiveGroup(matcher: matcher, entities: entities.filter(matcher.matches))
    groups[matcher] = group
    return group
  }

  func index<C: Component, Key: Hashable>(_ key: @escaping (C) -> Key) -> NaiveIndex<C, Key> {
    let index = NaiveIndex(key: key)
    indexes[ObjectIdentifier(C.self), default: []].append(index)
    for entity in entities { index.update(entity, old: nil, new: entity.get(C.self)) }
    return index
  }

  func setUnique<C: Component>(_ component: C) {
    let type = ObjectIdentifier(C.self)
    let holder = uniqueHolders[type] ?? createEntity()
    uniqueHolders[type] = holder
    holder.set(component)
  }

  func unique<C: Component>(_ type: C.Type) -> C? {
    uniqueHolders[ObjectIdentifier(type)]?.get(type)
  }

  fileprivate func didChange(
    _ entity: NaiveEntity, _ type: ObjectIdentifier, old: (any Component)?, new: (any Component)?
  ) {
    for index in indexes[type] ?? [] { index.update(entity, old: old, new: new) }
    for group in groups.values where group.matcher.mentions(type) { group.update(entity) }
  }
}

/// An entity with a dictionary of boxed components.
final class NaiveEntity {
  let id: Int
  private weak var context: NaiveContext?
  private var components: [ObjectIdentifier: any Component] = [:]

  fileprivate init(id: Int, context: NaiveContext) {
    self.id = id
    self.context = context
  }

  func get<C: Component>(_ type: C.Type = C.self) -> C? {
    components[ObjectIdentifier(type)] as? C
  }

  func has(_ type: ObjectIdentifier) -> Bool { components[type] != nil }

  @discardableResult
  func set<C: Component>(_ component: C) -> NaiveEntity {
    let type = ObjectIdentifier(C.self)
    let old = components.updateValue(component, forKey: type)
    context?.didChange(self, type, old: old, new: component)
    return self
  }

  func remove<C: Component>(_ type: C.Type) {
    remove(ObjectIdentifier(type))
  }

  fileprivate func removeAll() {
    for type in components.keys { remove(type) }
  }

  private func remove(_ type: ObjectIdentifier) {
    guard let old = components.removeValue(forKey: type) else { return }
    context?.didChange(self, type, old: old, new: nil)
  }

  func destroy() { context?.destroy(self) }
}

extension NaiveEntity: Hashable {
  static func == (left: NaiveEntity, right: NaiveEntity) -> Bool { left === right }

  func hash(into hasher: inout Hasher) { hasher.combine(id) }
}
