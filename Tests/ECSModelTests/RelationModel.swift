import ECS

enum ManyToMany: Relation {}
enum OneTarget: ToOneRelation {}
enum OneToOne: OneToOneRelation {}
enum Cascading: ToOneRelation { static let deleteRule = DeleteRule.cascade }
enum Denying: Relation { static let deleteRule = DeleteRule.deny }
struct LinkWeight: Component, Equatable { var number: Int }
enum Weighted: Relation { typealias Value = LinkWeight }
enum WeightedOne: OneToOneRelation { typealias Value = LinkWeight }

/// The naive reference of relations: for each entity lists of its targets and its sources.
struct RelationModel {
  enum Kind: Int, CaseIterable {
    case manyToMany, oneTarget, oneToOne, cascading, denying, weighted, weightedOne

    var hasValues: Bool { self == .weighted || self == .weightedOne }
    var isOneToOne: Bool { self == .oneToOne || self == .weightedOne }
    var isToOne: Bool { isOneToOne || self == .oneTarget || self == .cascading }
  }

  struct Place: Hashable {
    let kind: Kind
    let entity: Entity
  }

  struct Link: Hashable {
    let kind: Kind
    let source: Entity
    let target: Entity
  }

  var alive: [Entity] = []

  /// The values of links, and those that were replaced since this was emptied.
  private(set) var values: [Link: Int] = [:]
  var replaced: Set<Link> = []
  private var targets: [Place: [Entity]] = [:]
  private var sources: [Place: [Entity]] = [:]

  func targets(_ kind: Kind, of entity: Entity) -> [Entity] {
    targets[Place(kind: kind, entity: entity)] ?? []
  }

  func sources(_ kind: Kind, of entity: Entity) -> [Entity] {
    sources[Place(kind: kind, entity: entity)] ?? []
  }

  mutating func relate(_ kind: Kind, _ source: Entity, _ target: Entity, _ value: Int) {
    guard alive.contains(source), alive.contains(target) else { return }
    let link = Link(kind: kind, source: source, target: target)
    guard !targets(kind, of: source).contains(target) else {
      guard kind.hasValues else { return }
      replaced.insert(link)
      values[link] = value
      return
    }
    if kind.isToOne { for old in targets(kind, of: source) { unrelate(kind, source, old) } }
    if kind.isOneToOne { for old in sources(kind, of: target) { unrelate(kind, old, target) } }
    targets[Place(kind: kind, entity: source), default: []].append(target)
    sources[Place(kind: kind, entity: target), default: []].append(source)
    if kind.hasValues { values[link] = value }
  }

  mutating func unrelate(_ kind: Kind, _ source: Entity, _ target: Entity) {
    targets[Place(kind: kind, entity: source)]?.removeAll { $0 == target }
    sources[Place(kind: kind, entity: target)]?.removeAll { $0 == source }
    values[Link(kind: kind, source: source, target: target)] = nil
  }

  /// Changes the order of one side of an entity.
  mutating func reorder(
    _ kind: Kind, _ entity: Entity, ofTargets: Bool, _ change: (inout [Entity]) -> Void
  ) {
    let place = Place(kind: kind, entity: entity)
    if ofTargets {
      change(&targets[place, default: []])
    } else {
      change(&sources[place, default: []])
    }
  }

  mutating func destroy(_ entity: Entity) {
    for doomed in cascade(from: entity) {
      alive.removeAll { $0 == doomed }
      for kind in Kind.allCases {
        for target in targets(kind, of: doomed) { unrelate(kind, doomed, target) }
        for source in sources(kind, of: doomed) { unrelate(kind, source, doomed) }
      }
    }
  }

  func isDenied(_ entity: Entity) -> Bool {
    let doomed = cascade(from: entity)
    return doomed.contains { target in
      sources(.denying, of: target).contains { !doomed.contains($0) }
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
    case .weighted: try body(Weighted.self)
    case .weightedOne: try body(WeightedOne.self)
    }
  }
}
