import ECS
import ECSTestSupport
import Testing

private protocol Valued: Component {
  init(_ value: Int)
  var value: Int { get }
}

private struct Base: Valued {
  let value: Int
  init(_ value: Int) { self.value = value }
}

private struct Mid: Valued {
  let value: Int
  let text: String
  init(_ value: Int) { (self.value, text) = (value, "a text out of line, with \(value)") }
  static var requires: Requirement { Base(10) }
}

private struct Top: Valued {
  let value: Int
  init(_ value: Int) { self.value = value }
  static var requires: Requirement {
    Mid(20)
    Requirement(Side(30), whenRemoved: .cascades)
  }
}

private struct Side: Valued {
  let value: Int
  init(_ value: Int) { self.value = value }
}

private struct Near: Valued {
  let value: Int
  init(_ value: Int) { self.value = value }
  static var requires: Requirement {
    Top(40)
    Requirement(Base(50), whenRemoved: .cascades)
  }
}

private struct Only: Valued, UniqueComponent {
  let value: Int
  init(_ value: Int) { self.value = value }
}

private struct Owner: Valued {
  let value: Int
  init(_ value: Int) { self.value = value }
  static var requires: Requirement { Requirement(Only(60), whenRemoved: .cascades) }
}

/// The naive reference: what each entity has, by the numbers of the types.
private struct RequirementModel {
  static let types: [any Valued.Type] = [
    Base.self, Mid.self, Top.self, Side.self, Near.self, Only.self, Owner.self,
  ]
  static let only = 5
  static let rules: [[(kind: Int, value: Int, cascades: Bool)]] = [
    [], [(0, 10, false)], [(1, 20, false), (3, 30, true)], [], [(2, 40, false), (0, 50, true)], [],
    [(5, 60, true)],
  ]

  var values: [Entity: [Int: Int]] = [:]

  mutating func set(_ given: [Int: Int], on entity: Entity) {
    let isThere = given.keys.allSatisfy { values[entity]?[$0] != nil }
    for (kind, value) in given { put(kind, value, on: entity) }
    // A new value brings nothing.
    if isThere { return }
    var next = given.keys.sorted(by: >)
    var found: [Int: Int] = [:]
    while !next.isEmpty {
      let level = next.flatMap { RequirementModel.rules[$0] }
      next = []
      for (kind, value, _) in level where found[kind] == nil {
        found[kind] = value
        next.append(kind)
      }
    }
    for (kind, value) in found where values[entity]?[kind] == nil { put(kind, value, on: entity) }
  }

  private mutating func put(_ kind: Int, _ value: Int, on entity: Entity) {
    if kind == RequirementModel.only {
      for other in values.keys where other != entity { remove(kind, from: other) }
    }
    values[entity, default: [:]][kind] = value
  }

  mutating func remove(_ kind: Int, from entity: Entity) {
    guard values[entity]?.removeValue(forKey: kind) != nil else { return }
    for (other, rules) in RequirementModel.rules.enumerated()
    where rules.contains(where: { $0.kind == kind && $0.cascades }) {
      remove(other, from: entity)
    }
  }
}

private struct RequirementRun {
  struct Refused: Error {}

  let context = Context()
  let index: Index<Int>
  let both: Group
  let some: Group
  var model = RequirementModel()
  var shadow: [Entity: [Int: Int]] = [:]
  var random: SplitMix64
  var program: [String] = []

  init(seed: UInt64) {
    random = SplitMix64(seed: seed)
    index = context.index { (base: Base) in base.value }
    both = context.group(Matcher(all: [Base.cid, Top.cid]))
    some = context.group(Matcher(all: [Base.cid], none: [Mid.cid, Only.cid]))
  }

  static func number(of component: any Component) -> Int? {
    RequirementModel.types.firstIndex { $0 == type(of: component) }
  }

  static func values(_ components: [any Component]) -> [Int: Int] {
    var values: [Int: Int] = [:]
    for component in components {
      if let number = number(of: component), let valued = component as? any Valued {
        values[number] = valued.value
      }
    }
    return values
  }

  static func set(_ kind: Int, _ value: Int, on entity: Entity) {
    func set<C: Valued>(_ type: C.Type) { entity.set(C(value)) }
    set(RequirementModel.types[kind])
  }

  static func remove(_ kind: Int, from entity: Entity) {
    entity.remove(RequirementModel.types[kind].cid)
  }

  mutating func step() throws {
    let (value, kind, other) = (random.below(100), random.below(7), random.below(7))
    let entities = Array(context.entities())
    guard entities.count > 3 else { return create(value, kind) }
    let entity = entities[random.below(entities.count)]
    let choice = random.below(16)
    program.append("\(choice) \(entity) \(kind) \(other) \(value)")
    switch choice {
    case 0...4:
      Self.set(kind, value, on: entity)
      model.set([kind: value], on: entity)
    case 5...7:
      Self.remove(kind, from: entity)
      model.remove(kind, from: entity)
    case 8, 9: if entities.count < 30 { create(value, kind) }
    case 10:
      entity.destroy()
      model.values[entity] = nil
    case 11:
      try? context.transaction {
        Self.set(kind, value, on: entity)
        Self.remove(other, from: entities[0])
        Self.set(other, value, on: entities[0])
        context.createEntity(with: Near(value))
        throw Refused()
      }
    case 12: inPass(entity, kind, other, value)
    case 13: if entities.count < 30 { fromTemplate(value) }
    case 14:
      guard entities.count < 30, !entity.has(Only.self) else { return }
      let copy = try entity.clone()
      model.values[copy] = model.values[entity]
    default:
      let group = context.group(Matcher(all: [Side.cid], none: [Only.cid, Owner.cid]))
      let members = Array(group)
      if value < 50 { group.set(Mid(value)) } else { group.remove(Base.self) }
      for member in members {
        if value < 50 { model.set([1: value], on: member) } else { model.remove(0, from: member) }
      }
    }
  }

  private mutating func create(_ value: Int, _ kind: Int) {
    switch kind {
    case 0: model.set([2: value], on: context.createEntity(with: Top(value)))
    case 1:
      let entity = context.createEntity(with: Side(value), Near(value))
      model.set([3: value, 4: value], on: entity)
    case 2:
      model.set([6: value, 0: value], on: context.createEntity(with: Owner(value), Base(value)))
    case 3:
      for entity in context.createEntities(3, with: Mid(value)) {
        model.set([1: value], on: entity)
      }
    case 4:
      for (number, entity) in context.createEntities(from: 0..<3, with: { Near($0) }).enumerated() {
        model.set([4: number], on: entity)
      }
    case 5:
      let entities = context.createEntities(2, in: [NewTable([Top.cid], 0..<2)]) { _, columns in
        columns.initialize(Top.self) { $0.append(repeating: Top(value), count: 2) }
      }
      for entity in entities { model.set([2: value], on: entity) }
    default: model.values[context.createEntity()] = [:]
    }
  }

  private mutating func inPass(_ entity: Entity, _ kind: Int, _ other: Int, _ value: Int) {
    var made: Entity?
    var isFirst = true
    context.group(Base.matcher).withEach { (_: Entity, _: Base) in
      guard isFirst else { return }
      isFirst = false
      Self.set(kind, value, on: entity)
      model.set([kind: value], on: entity)
      expectEqual(Self.values(entity.components()), model.values[entity] ?? [:])
      Self.remove(other, from: entity)
      model.remove(other, from: entity)
      expectEqual(Self.values(entity.components()), model.values[entity] ?? [:])
      let new = context.createEntity(with: Top(value))
      model.set([2: value], on: new)
      expectEqual(Self.values(new.components()), model.values[new] ?? [:])
      made = new
    }
    made?.destroy()
    if let made { model.values[made] = nil }
  }

  private mutating func fromTemplate(_ value: Int) {
    let template = Template { Mid(value) }
    let made = context.createEntities(3, from: template) { number, entity in
      if number == 1 { entity.set(Top(value)) }
      if number == 2 { entity.remove(Base.self) }
    }
    for (number, entity) in made.enumerated() {
      model.set([1: value], on: entity)
      if number == 1 { model.set([2: value], on: entity) }
      if number == 2 { model.remove(0, from: entity) }
    }
  }

  func differences(_ shadow: [Entity: [Int: Int]]) -> [String] {
    var differences: [String] = []
    for entity in context.entities() {
      let seen = Self.values(entity.components())
      if seen != model.values[entity] {
        differences.append("\(entity): \(seen), not \(model.values[entity] ?? [:])")
      }
      if shadow[entity] ?? [:] != seen {
        differences.append("commits of \(entity): \(shadow[entity] ?? [:]), not \(seen)")
      }
    }
    if context.count != model.values.count { differences.append("count") }
    let values = model.values
    if Set(both) != Set(values.filter { $0.value[0] != nil && $0.value[2] != nil }.keys) {
      differences.append("group")
    }
    let expected = values.filter { $0.value[0] != nil && $0.value[1] == nil && $0.value[5] == nil }
    if Set(some) != Set(expected.keys) { differences.append("group without") }
    for key in [10, 50, 7] where Set(index[key]) != Set(values.filter { $0.value[0] == key }.keys) {
      differences.append("index of \(key)")
    }
    return differences
  }
}

@Suite struct RequirementModelTests {
  @Test(arguments: Effort.seeds(10 * Effort.modelSeeds), [false, true])
  func `required components come and go as in a naive model`(
    seed: UInt64, isJournaled: Bool
  ) throws {
    var run = RequirementRun(seed: seed)
    let commits = Recorder<Commit>()
    var shadow: [Entity: [Int: Int]] = [:]
    let subscription = isJournaled ? run.context.journal().observe { commits.append($0) } : nil
    for _ in 0..<Effort.steps(150) {
      try run.step()
      let isComplete = isJournaled
      for commit in commits.take() { for change in commit { note(change, in: &shadow) } }
      let differences = run.differences(isComplete ? shadow : run.model.values)
      guard differences.isEmpty else {
        Issue.record("seed \(seed): \(differences)\n\(run.program.suffix(20))")
        return
      }
    }
    withExtendedLifetime(subscription) {}
  }

  private func note(_ change: CommittedChange, in shadow: inout [Entity: [Int: Int]]) {
    let new = RequirementRun.values(change.newComponents())
    switch change.kind {
    case .created: shadow[change.entity] = new
    case .destroyed: shadow[change.entity] = nil
    case .removed:
      for kind in RequirementRun.values(change.oldComponents()).keys {
        shadow[change.entity]?[kind] = nil
      }
    default: shadow[change.entity, default: [:]].merge(new) { $1 }
    }
  }
}
