import ECS
import ECSTestSupport
import Testing

private struct Number: Component, Equatable { var value: Int }
private struct Text: Component, Equatable { var value: String }
private struct Mark: Component, Equatable {}
private struct Aims: EntityReferencing, Equatable {
  var targets: [Entity]
  mutating func mapEntities(_ map: (Entity) -> Entity) { targets = targets.map(map) }
}

private enum Inside: Hierarchy { static let deleteRule = DeleteRule.cascade }
private enum Likes: Relation { typealias Value = Aims }
private enum Owns: OneToOneRelation {}
private enum Knows: Relation { static let copyRule = CopyRule.keepAmongCopies }

/// The naive reference: each entity has values and lists of links.
private struct CloneModel {
  struct Record: Equatable {
    var number: Int?
    var text: String?
    var mark = false
    var aims: [Entity]?
    var targets: [Kind: [Entity]] = [:]

    /// The entities that the values of links by `likes` refer to, by target.
    var regards: [Entity: [Entity]] = [:]
  }

  enum Kind: CaseIterable {
    case inside, likes, owns, knows
    var isToOne: Bool { self == .inside || self == .owns }
  }

  var records: [Entity: Record] = [:]
  var sources: [Kind: [Entity: [Entity]]] = [:]
  var order: [Entity] = []

  mutating func relate(
    _ kind: Kind, _ source: Entity, _ target: Entity, _ regard: [Entity]
  ) {
    if kind == .likes { records[source]?.regards[target] = regard }
    guard records[source]?.targets[kind, default: []].contains(target) == false else { return }
    if kind.isToOne {
      for old in records[source]?.targets[kind] ?? [] { unrelate(kind, source, old) }
    }
    if kind == .owns {
      for old in sources[kind]?[target] ?? [] { unrelate(kind, old, target) }
    }
    records[source]?.targets[kind, default: []].append(target)
    sources[kind, default: [:]][target, default: []].append(source)
  }

  mutating func unrelate(_ kind: Kind, _ source: Entity, _ target: Entity) {
    records[source]?.targets[kind]?.removeAll { $0 == target }
    if kind == .likes { records[source]?.regards[target] = nil }
    sources[kind]?[target]?.removeAll { $0 == source }
  }

  mutating func destroy(_ entity: Entity) {
    guard records[entity] != nil else { return }
    let children = sources[.inside]?[entity] ?? []
    for kind in Kind.allCases {
      for target in records[entity]?.targets[kind] ?? [] { unrelate(kind, entity, target) }
      for source in sources[kind]?[entity] ?? [] { unrelate(kind, source, entity) }
    }
    records[entity] = nil
    order.removeAll { $0 == entity }
    for child in children { destroy(child) }
  }

  /// The entities with all that is inside of them, each followed by its own.
  func all(_ roots: [Entity], deep: Bool) -> [Entity] {
    var all: [Entity] = []
    func add(_ entity: Entity) {
      if all.contains(entity) { return }
      all.append(entity)
      if deep { for child in sources[.inside]?[entity] ?? [] { add(child) } }
    }
    roots.forEach(add)
    return all
  }

  /// Takes over what was copied, from this or another model.
  mutating func add(
    _ originals: [Entity], of model: CloneModel, as copies: [Entity], isElsewhere: Bool,
    _ change: (inout Record) -> Void
  ) {
    let map = Dictionary(uniqueKeysWithValues: zip(originals, copies))
    for (original, copy) in zip(originals, copies) {
      var record = model.records[original] ?? Record()
      (record.targets, record.regards) = ([:], [:])
      change(&record)
      record.aims = record.aims?.map { map[$0] ?? $0 }
      records[copy] = record
      order.append(copy)
    }
    for kind in Kind.allCases {
      for original in originals {
        for target in model.records[original]?.targets[kind] ?? [] {
          guard let copy = map[original] else { continue }
          let regard = (model.records[original]?.regards[target] ?? []).map { map[$0] ?? $0 }
          if let other = map[target] {
            relate(kind, copy, other, regard)
          } else if !isElsewhere, kind == .inside || kind == .likes {
            relate(kind, copy, target, regard)
          }
        }
      }
      for original in originals {
        let inner = (model.sources[kind]?[original] ?? []).compactMap { map[$0] }
        guard let copy = map[original], !inner.isEmpty else { continue }
        sources[kind]?[copy] = inner
      }
    }
  }
}

private struct CloneRun {
  typealias Kind = CloneModel.Kind
  struct Refused: Error {}

  let contexts = [Context(), Context()]
  var models = [CloneModel(), CloneModel()]
  var known: [[Entity]] = [[], []]
  var random: SplitMix64
  var program: [String] = []

  init(seed: UInt64) { random = SplitMix64(seed: seed) }

  mutating func any(_ side: Int) -> Entity { known[side][random.below(known[side].count)] }

  mutating func step() throws {
    let side = random.below(2)
    if known[side].count < 2 || random.oneIn(8) {
      let entity = contexts[side].createEntity()
      known[side].append(entity)
      models[side].records[entity] = CloneModel.Record()
      models[side].order.append(entity)
      return
    }
    let (one, other, value) = (any(side), any(side), random.below(100))
    let choice = random.below(20)
    program.append("\(side) \(choice) \(one) \(other) \(value)")
    switch choice {
    case 0, 1:
      one.set(Number(value: value))
      models[side].records[one]?.number = value
    case 2:
      one.set(Text(value: "a text with the number \(value)"))
      models[side].records[one]?.text = "a text with the number \(value)"
    case 3:
      if value < 50 { one.set(Mark()) } else { one.remove(Mark.self) }
      models[side].records[one]?.mark = value < 50
    case 4:
      one.set(Aims(targets: [other, one]))
      models[side].records[one]?.aims = [other, one]
    case 5...9: relate(side, one, other, value)
    case 10: if value < 40 { destroy(one, side) }
    case 11: reverse(one, side)
    default: try clone(side, [one, other], choice, value)
    }
  }

  private mutating func destroy(_ entity: Entity, _ side: Int) {
    entity.destroy()
    models[side].destroy(entity)
  }

  private mutating func reverse(_ entity: Entity, _ side: Int) {
    entity.sources(Inside.self).reverse()
    entity.sources(Likes.self).reverse()
    models[side].sources[.inside]?[entity]?.reverse()
    models[side].sources[.likes]?[entity]?.reverse()
  }

  private mutating func relate(_ side: Int, _ one: Entity, _ other: Entity, _ value: Int) {
    guard one.isAlive, other.isAlive else { return }
    let kind = Kind.allCases[value % 4]
    switch kind {
    case .inside:
      do { try one.setParent(other, in: Inside.self) } catch { return }
    case .likes: one.relate(Likes.self, to: other, Aims(targets: [one, other]))
    case .owns: one.relate(Owns.self, to: other)
    case .knows: one.relate(Knows.self, to: other)
    }
    models[side].relate(kind, one, other, [one, other])
  }

  private mutating func clone(
    _ side: Int, _ roots: [Entity], _ choice: Int, _ value: Int
  ) throws {
    guard models[0].order.count + models[1].order.count < 150 else { return }
    let target = value < 30 ? 1 - side : side
    let isThrownAway = choice == 19
    let isChanged = value % 3 == 0
    let (context, other) = (contexts[side], contexts[target])
    let deep: Bool = choice > 14
    func make() throws(CopyError) -> Clones {
      func change(_ copy: borrowing NewEntity) {
        if let number = copy.get(Number.self)?.value {
          copy.set(Number(value: number + 1))
          copy.remove(Mark.self)
        } else {
          copy.set(Text(value: "changed"))
        }
      }
      return switch (deep, isChanged) {
      case (true, true):
        try context.clone(roots, into: other, deep: Inside.self, changing: change)
      case (true, false): try context.clone(roots, into: other, deep: Inside.self)
      case (false, true): try context.clone(roots, into: other, changing: change)
      case (false, false): try context.clone(roots, into: other)
      }
    }
    guard roots.allSatisfy(\.isAlive) else {
      #expect(throws: CopyError.self) { try make() }
      return
    }
    if choice == 13, target == side {
      let source = models[side]
      let copy = try roots[0].clone()
      models[side].add([roots[0]], of: source, as: [copy], isElsewhere: false) { _ in }
      known[side].append(copy)
      return
    }
    let originals = models[side].all(roots, deep: deep)
    if isThrownAway {
      try? other.transaction {
        try #require(make().all().count == originals.count)
        throw Refused()
      }
      return
    }
    let copies = try make()
    try #require(copies.all().count == originals.count)
    try #require(copies.map { $0 } == roots.map { copies.clone(of: $0) })
    let source = models[side]
    models[target].add(
      originals, of: source, as: copies.all(), isElsewhere: target != side
    ) { record in
      guard isChanged else { return }
      if let number = record.number {
        record.number = number + 1
        record.mark = false
      } else {
        record.text = "changed"
      }
    }
    known[target] += copies.all()
  }

  func differences() -> [String] {
    var differences: [String] = []
    for (context, model) in zip(contexts, models) {
      if Array(context.entities()) != model.order { differences.append("entities") }
      let numbers = Set(context.group(Number.matcher))
      let expected = model.records.filter { $0.value.number != nil }.keys
      if numbers != Set(expected) { differences.append("group") }
      for entity in model.order {
        var seen = CloneModel.Record(
          number: entity.get(Number.self)?.value, text: entity.get(Text.self)?.value,
          mark: entity.has(Mark.self), aims: entity.get(Aims.self)?.targets)
        seen.targets = [
          .inside: Array(entity.targets(Inside.self)), .likes: Array(entity.targets(Likes.self)),
          .owns: Array(entity.targets(Owns.self)), .knows: Array(entity.targets(Knows.self)),
        ]
        for link in entity.targets(Likes.self).links() {
          seen.regards[link.target] = link.value.targets
        }
        var record = model.records[entity] ?? CloneModel.Record()
        for kind in Kind.allCases { record.targets[kind, default: []] += [] }
        if seen != record { differences.append("\(entity): \(seen) and not \(record)") }
        let sources: [Kind: [Entity]] = [
          .inside: Array(entity.sources(Inside.self)), .likes: Array(entity.sources(Likes.self)),
          .owns: Array(entity.sources(Owns.self)), .knows: Array(entity.sources(Knows.self)),
        ]
        for kind in Kind.allCases where sources[kind] != model.sources[kind]?[entity] ?? [] {
          differences.append("sources of \(entity), \(kind)")
        }
      }
    }
    return differences
  }
}

@Suite struct CloneModelTests {
  @Test(arguments: Effort.seeds(2 * Effort.modelSeeds))
  func `copies are what a naive copy would be`(seed: UInt64) throws {
    var run = CloneRun(seed: seed)
    for _ in 0..<120 {
      try run.step()
      let differences = run.differences()
      guard differences.isEmpty else {
        Issue.record("seed \(seed): \(differences)\n\(run.program.suffix(30))")
        return
      }
    }
  }
}
