import ECS
import ECSTestSupport

/// A context, with numbers for entities, and all that watches it.
struct MixedWorld {
  typealias Kind = Mixed.Kind
  typealias Link = Mixed.Link

  let context: Context
  private(set) var entities: [Int: Entity] = [:]
  private(set) var numbers: [Entity: Int] = [:]
  private var next = 0
  private var derives: [Subscription] = []

  /// A world of what is in a context already, or comes into it.
  init(_ context: Context = Context(), isPassive: Bool = false) {
    self.context = context
    if isPassive { return }
    derives = [
      context.group(Mixed.Value.matcher).observeChanges([.added, .updated]) { change in
        guard let value = change.entity.get(Mixed.Value.self)?.value else { return }
        change.entity.setIfChanged(Mixed.Derived(value: 2 * value))
        change.entity.relate(Mixed.Echo.self, to: change.entity, Mixed.Share(value: 3 * value))
      },
      context.group(Mixed.Value.matcher).observeChanges(.removed) { change in
        if !change.entity.has(Mixed.Value.self) { change.entity.unrelate(Mixed.Echo.self) }
      },
      context.group(Matcher(all: [Mixed.Derived.cid], none: [Mixed.Value.cid]))
        .observeChanges(.added) { change in
          if !change.entity.has(Mixed.Value.self) { change.entity.remove(Mixed.Derived.self) }
        },
    ]
  }

  subscript(number: Int) -> Entity {
    guard let entity = entities[number] else { fatalError("There is no entity #\(number).") }
    return entity
  }

  /// Gives numbers to entities that have none, in the order of their creation.
  mutating func register() {
    for entity in context.entities() where numbers[entity] == nil {
      (entities[next], numbers[entity]) = (entity, next)
      next += 1
    }
  }

  /// Gives the entities that there are the numbers that those of a model have.
  mutating func adopt(_ alive: [Int], next: Int) -> Bool {
    let all = context.entities()
    (entities, numbers) = ([:], [:])
    for (number, entity) in zip(alive, all) {
      (entities[number], numbers[entity]) = (entity, number)
    }
    self.next = next
    return all.count == alive.count
  }

  var count: Int { next }

  // MARK: What there is

  func read() -> MixedModel {
    var model = MixedModel()
    for entity in context.entities() {
      guard let number = numbers[entity] else {
        model.rows[-2] = [:]
        continue
      }
      model.rows[number] = row(entity)
      for link in Link.allCases { readLinks(of: entity, number, link, link.type, into: &model) }
      for link in entity.links() {
        guard let value = link.value, let target = numbers[link.target],
          let kind = Link.allCases.first(where: { $0.type == link.relation })
        else { continue }
        let pair = MixedModel.Pair(source: number, target: target)
        switch value {
        case let role as Mixed.Role: model.setValue(kind, pair, [role.value, reference(role.by)])
        case let share as Mixed.Share: model.setValue(kind, pair, [share.value])
        default: model.setValue(kind, pair, [-9])
        }
      }
    }
    return model
  }

  private func readLinks<R: Relation>(
    of entity: Entity, _ number: Int, _ link: Link, _ type: R.Type, into model: inout MixedModel
  ) {
    model.setTargets(link, number, entity.targets(type).map { numbers[$0] ?? -2 })
    model.setSources(link, number, entity.sources(type).map { numbers[$0] ?? -2 })
  }

  private func reference(_ entity: Entity?) -> Int { entity.flatMap { numbers[$0] } ?? -1 }

  private func row(_ entity: Entity) -> [Kind: Int] {
    var row: [Kind: Int] = [:]
    for component in entity.components() {
      switch component {
      case is Mixed.Node: row[.node] = 0
      case let value as Mixed.Value: row[.value] = value.value
      case let value as Mixed.Derived: row[.derived] = value.value
      case let value as Mixed.Base: row[.base] = value.value
      case let value as Mixed.Mid: row[.mid] = value.value
      case let value as Mixed.Side: row[.side] = value.value
      case let value as Mixed.Top: row[.top] = value.value
      case let value as Mixed.Core: row[.core] = value.value
      case let value as Mixed.Firm: row[.firm] = value.value
      case let value as Mixed.Only: row[.only] = value.value
      case let aim as Mixed.Aim: row[.aim] = reference(aim.target)
      case let made as InstanceOf:
        row[.instance] = Mixed.names.firstIndex { $0 == made.template } ?? -1
      default: row[.instance] = -3
      }
    }
    return row
  }

  // MARK: Changes by number

  func set(_ kind: Kind, _ value: Int, on number: Int) {
    let entity = self[number]
    switch kind {
    case .value: entity.set(Mixed.Value(value: value))
    case .base: entity.set(Mixed.Base(value: value))
    case .mid: entity.set(Mixed.Mid(value: value))
    case .side: entity.set(Mixed.Side(value: value))
    case .top: entity.set(Mixed.Top(value: value))
    case .core: entity.set(Mixed.Core(value: value))
    case .firm: entity.set(Mixed.Firm(value: value))
    case .only: entity.set(Mixed.Only(value: value))
    case .aim: entity.set(Mixed.Aim(target: self[value]))
    default: fatalError("\(kind) is not set by programs.")
    }
  }

  func remove(_ kind: Kind, from number: Int) {
    let types: [Kind: CID] = [
      .value: Mixed.Value.cid, .base: Mixed.Base.cid, .mid: Mixed.Mid.cid, .side: Mixed.Side.cid,
      .top: Mixed.Top.cid, .core: Mixed.Core.cid, .firm: Mixed.Firm.cid, .only: Mixed.Only.cid,
      .aim: Mixed.Aim.cid, .instance: InstanceOf.cid,
    ]
    if let type = types[kind] { self[number].remove(type) }
  }

  func linkValue(_ link: Link, _ value: [Int]) -> (any Component)? {
    switch link {
    case .member: Mixed.Role(value: value[0], by: entities[value[1]])
    case .leads, .under, .echo: Mixed.Share(value: value[0])
    default: nil
    }
  }

  func relate(_ link: Link, _ source: Int, _ target: Int, _ value: [Int]) {
    func relate<R: Relation>(_ type: R.Type) {
      self[source].relate(type, to: self[target], anyValue: linkValue(link, value))
    }
    relate(link.type)
  }

  func unrelate(_ link: Link, _ source: Int, _ target: Int) {
    func unrelate<R: Relation>(_ type: R.Type) { self[source].unrelate(type, from: self[target]) }
    unrelate(link.type)
  }

  func removeAll(_ link: Link, of number: Int, isTargets: Bool) {
    func removeAll<R: Relation>(_ type: R.Type) {
      isTargets ? self[number].targets(type).removeAll() : self[number].sources(type).removeAll()
    }
    removeAll(link.type)
  }

  func replaceAll(_ link: Link, of number: Int, by others: [Int], isTargets: Bool) {
    func replaceAll<R: Relation>(_ type: R.Type) {
      let entities = others.map { self[$0] }
      isTargets
        ? self[number].targets(type).replaceAll(with: entities)
        : self[number].sources(type).replaceAll(with: entities)
    }
    replaceAll(link.type)
  }

  func reverse(_ link: Link, of number: Int, isTargets: Bool) {
    func reverse<R: Relation>(_ type: R.Type) {
      isTargets ? self[number].targets(type).reverse() : self[number].sources(type).reverse()
    }
    reverse(link.type)
  }

  func move(_ link: Link, _ source: Int, of number: Int, to index: Int) {
    func move<R: Relation>(_ type: R.Type) {
      self[number].sources(type).move(self[source], to: index)
    }
    move(link.type)
  }

  /// The sources of a link, by number.
  func sources(_ link: Link, of number: Int) -> [Int] {
    func sources<R: Relation>(_ type: R.Type) -> [Int] {
      self[number].sources(type).compactMap { numbers[$0] }
    }
    return sources(link.type)
  }
}
