/// Which entities belong to a naive group.
struct NaiveMatcher: Hashable {
  let all: Set<ObjectIdentifier>
  let none: Set<ObjectIdentifier>

  func matches(_ entity: NaiveEntity) -> Bool {
    all.allSatisfy(entity.has) && !none.contains(where: entity.has)
  }

  func mentions(_ type: ObjectIdentifier) -> Bool {
    all.contains(type) || none.contains(type)
  }
}

/// A set of entities, kept up to date by evaluating a matcher.
final class NaiveGroup {
  enum Change {
    case added
    case updated
    case removed
  }

  let matcher: NaiveMatcher
  private(set) var entities: Set<NaiveEntity>
  private var observers: [(NaiveEntity, Change) -> Void] = []

  init(matcher: NaiveMatcher, entities: Set<NaiveEntity>) {
    self.matcher = matcher
    self.entities = entities
  }

  func observe(_ observer: @escaping (NaiveEntity, Change) -> Void) {
    observers.append(observer)
  }

  func update(_ entity: NaiveEntity) {
    if matcher.matches(entity) {
      notify(entity, entities.insert(entity).inserted ? .added : .updated)
    } else if entities.remove(entity) != nil {
      notify(entity, .removed)
    }
  }

  private func notify(_ entity: NaiveEntity, _ change: Change) {
    for observer in observers { observer(entity, change) }
  }
}

/// Gathers the entities of a naive group that change.
final class NaiveCollector {
  private var collected: Set<NaiveEntity> = []

  init(_ group: NaiveGroup, _ kind: NaiveGroup.Change) {
    group.observe { [weak self] entity, change in
      if change == kind { self?.collected.insert(entity) }
    }
  }

  func drain() -> Set<NaiveEntity> {
    defer { collected = [] }
    return collected
  }
}
