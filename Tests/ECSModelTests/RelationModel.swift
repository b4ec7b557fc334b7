import ECS

enum ManyToMany: Relation {}
enum OneTarget: ToOneRelation {}
enum OneToOne: OneToOneRelation {}
enum Cascading: ToOneRelation { static let deleteRule = DeleteRule.cascade }
enum Denying: Relation { static let deleteRule = DeleteRule.deny }

/// The naive reference of relations: a list of links for each, in the order of their making.
struct RelationModel {
  struct Link: Hashable {
    let source: Entity
    let target: Entity
  }

  enum Kind: Int, CaseIterable {
    case manyToMany, oneTarget, oneToOne, cascading, denying

    var isToOne: Bool { self == .oneTarget || self == .oneToOne || self == .cascading }
  }

  var alive: [Entity] = []
  var links: [Kind: [Link]] = [:]

  func targets(_ kind: Kind, of entity: Entity) -> [Entity] {
    (links[kind] ?? []).filter { $0.source == entity }.map(\.target)
  }

  func sources(_ kind: Kind, of entity: Entity) -> [Entity] {
    (links[kind] ?? []).filter { $0.target == entity }.map(\.source)
  }

  mutating func relate(_ kind: Kind, _ source: Entity, _ target: Entity) {
    let link = Link(source: source, target: target)
    guard alive.contains(source), alive.contains(target), links[kind]?.contains(link) != true
    else { return }
    if kind.isToOne { links[kind]?.removeAll { $0.source == source } }
    if kind == .oneToOne { links[kind]?.removeAll { $0.target == target } }
    links[kind, default: []].append(link)
  }

  mutating func unrelate(_ kind: Kind, _ source: Entity, _ target: Entity) {
    links[kind]?.removeAll { $0 == Link(source: source, target: target) }
  }

  mutating func destroy(_ entity: Entity) {
    for doomed in cascade(from: entity) {
      alive.removeAll { $0 == doomed }
      for kind in Kind.allCases {
        links[kind]?.removeAll { $0.source == doomed || $0.target == doomed }
      }
    }
  }

  func isDenied(_ entity: Entity) -> Bool {
    let doomed = cascade(from: entity)
    return (links[.denying] ?? []).contains {
      doomed.contains($0.target) && !doomed.contains($0.source)
    }
  }

  private func cascade(from entity: Entity) -> [Entity] {
    guard alive.contains(entity) else { return [] }
    var doomed = [entity]
    var next = 0
    while next < doomed.count {
      doomed += sources(.cascading, of: doomed[next]).filter { !doomed.contains($0) }
      next += 1
    }
    return doomed
  }
}

extension RelationModel.Kind {
  /// Calls a body with the relation that this stands for.
  func open<Result>(_ body: (any Relation.Type) throws -> Result) rethrows -> Result {
    switch self {
    case .manyToMany: try body(ManyToMany.self)
    case .oneTarget: try body(OneTarget.self)
    case .oneToOne: try body(OneToOne.self)
    case .cascading: try body(Cascading.self)
    case .denying: try body(Denying.self)
    }
  }
}
