import ECS
import ECSTestSupport
import Testing

private struct Node: Component {}

/// Random programs over relations, beside the naive reference.
private struct RelationRun {
  typealias Kind = RelationModel.Kind

  /// One side of an entity's relation.
  struct Side: Hashable {
    let kind: Kind
    let entity: Entity
    let isTargets: Bool
  }

  let context = Context()
  var model = RelationModel()
  var random: SplitMix64
  var known: [Entity] = []
  var subscriptions: [Subscription] = []
  let told = Recorder<Side>()
  let toldEntities = Recorder<Entity>()
  var program: [String] = []

  init(seed: UInt64) { random = SplitMix64(seed: seed) }

  mutating func create() {
    let entity = context.createEntity(with: Node())
    model.alive.append(entity)
    known.append(entity)
    let (told, toldEntities) = (told, toldEntities)
    subscriptions.append(entity.observe(initial: false) { toldEntities.append($0) })
    for kind in Kind.allCases {
      kind.open { relation in
        observe(relation, entity, Side(kind: kind, entity: entity, isTargets: true))
        observe(relation, entity, Side(kind: kind, entity: entity, isTargets: false))
      }
    }
    func observe<R: Relation>(_ relation: R.Type, _ entity: Entity, _ side: Side) {
      let related = side.isTargets ? entity.targets(relation) : entity.sources(relation)
      subscriptions.append(related.observe(initial: false) { _ in told.append(side) })
    }
  }

  mutating func step() {
    if known.count < 3 || random.oneIn(12) { return create() }
    let kind = Kind.allCases[random.below(Kind.allCases.count)]
    let (one, other) = (known[random.below(known.count)], known[random.below(known.count)])
    let (choice, value) = (random.below(26), random.below(3))
    program.append("\(choice) \(kind) \(one) \(other) \(value)")
    let weight = kind.hasValues ? LinkWeight(number: value) : nil
    switch choice {
    case 0..<9:
      kind.open { relate($0, one, other, weight) }
      model.relate(kind, one, other, value)
    case 9..<14:
      kind.open { unrelate($0, one, other, fromSource: choice < 11) }
      model.unrelate(kind, one, other)
    case 14:
      kind.open { removeAll($0, one) }
      for target in model.targets(kind, of: one) { model.unrelate(kind, one, target) }
    case 15:
      one.destroy()
      model.destroy(one)
    case 16, 17:
      let isDenied = model.alive.contains(one) && model.isDenied(one)
      var wasDenied = false
      do throws(DestructionDenied) { try one.destroyIfAllowed() } catch { wasDenied = true }
      expectEqual(wasDenied, isDenied)
      if !isDenied { model.destroy(one) }
    case 18..<22:
      let (position, isTargets) = (random.below(5), random.oneIn(2))
      let way = random.below(5)
      program.append("way \(way) to \(position)")
      kind.open { order($0, one, other, isTargets, way, position, weight) }
      model.order(kind, one, other, isTargets, way, position, value)
    case 22, 23:
      context.perform {
        kind.open { relate($0, one, other, weight) }
        kind.open { relate($0, other, one, weight) }
      }
      model.relate(kind, one, other, value)
      model.relate(kind, other, one, value)
    default: changeWeight(one, other, value)
    }
  }

  private mutating func changeWeight(_ one: Entity, _ other: Entity, _ value: Int) {
    one.update(Weighted.self, to: other) { $0.number += value }
    let link = RelationModel.Link(kind: .weighted, source: one, target: other)
    if let old = model.values[link] { model.relate(.weighted, one, other, old + value) }
  }

  private func order<R: Relation>(
    _ relation: R.Type, _ one: Entity, _ other: Entity, _ isTargets: Bool, _ way: Int,
    _ position: Int, _ weight: LinkWeight?
  ) {
    let related = isTargets ? one.targets(relation) : one.sources(relation)
    let all = Array(related)
    let anchor = all.isEmpty ? one : all[position % all.count]
    func insert() {
      relate(relation, isTargets ? one : other, isTargets ? other : one, weight)
    }
    switch way {
    case 0:
      context.perform {
        insert()
        related.move(other, to: position)
      }
    case 1:
      context.perform {
        insert()
        related.move(other, before: anchor)
      }
    case 2: related.move(other, before: anchor)
    case 3: related.reverse()
    default: related.sort { $0.handleIndex > $1.handleIndex }
    }
  }

  private func relate<R: Relation>(
    _ relation: R.Type, _ one: Entity, _ other: Entity, _ weight: LinkWeight?
  ) {
    one.relate(relation, to: other, anyValue: weight)
  }

  private func unrelate<R: Relation>(
    _ relation: R.Type, _ one: Entity, _ other: Entity, fromSource: Bool
  ) {
    if fromSource {
      one.unrelate(relation, from: other)
    } else {
      other.sources(relation).remove(one)
    }
  }

  private func removeAll<R: Relation>(_ relation: R.Type, _ one: Entity) {
    one.targets(relation).removeAll()
  }

  /// Whether everything that can be seen is as in the model, and what was notified is what had to
  /// be.
  func agrees(before: RelationModel) -> Bool {
    var expected: Set<Side> = []
    for entity in known {
      guard entity.isAlive == model.alive.contains(entity) else { return false }
      for kind in Kind.allCases {
        let (targets, sources) = (model.targets(kind, of: entity), model.sources(kind, of: entity))
        guard kind.open({ Array(self.related($0, entity, true)) }) == targets,
          kind.open({ Array(self.related($0, entity, false)) }) == sources
        else { return false }
        guard !kind.hasValues || hasValues(kind, entity, targets) else { return false }
        let ended = before.alive.contains(entity) && !entity.isAlive
        if ended || before.targets(kind, of: entity) != targets {
          expected.insert(Side(kind: kind, entity: entity, isTargets: true))
        }
        if ended || before.sources(kind, of: entity) != sources {
          expected.insert(Side(kind: kind, entity: entity, isTargets: false))
        }
      }
    }
    for link in model.replaced {
      expected.insert(Side(kind: link.kind, entity: link.source, isTargets: true))
      expected.insert(Side(kind: link.kind, entity: link.target, isTargets: false))
    }
    let (sides, entities) = (told.take(), toldEntities.take())
    return sides.count == expected.count && Set(sides) == expected
      && entities.count == Set(entities).count && Set(entities) == Set(expected.map(\.entity))
  }

  /// Whether the links of an entity have the values of the model, seen from both ends.
  private func hasValues(_ kind: Kind, _ entity: Entity, _ targets: [Entity]) -> Bool {
    let expected = targets.map {
      model.values[RelationModel.Link(kind: kind, source: entity, target: $0)]
    }
    func values<R: Relation>(_ relation: R.Type) -> [[Int?]] where R.Value == LinkWeight {
      [
        targets.map { entity.value(of: relation, to: $0)?.number },
        targets.map { $0.sources(relation).value(of: entity)?.number },
        entity.targets(relation).links().map(\.value.number),
        targets.map { $0.sources(relation).links().first { $0.source == entity }?.value.number },
        context.valuedLinks(relation).filter { $0.source == entity }.map(\.value.number),
      ]
    }
    let found = kind == .weighted ? values(Weighted.self) : values(WeightedOne.self)
    return found.allSatisfy { $0 == expected }
  }

  private func related<R: Relation>(
    _ relation: R.Type, _ entity: Entity, _ isTargets: Bool
  ) -> EntitySet {
    (isTargets ? entity.targets(relation) : entity.sources(relation)).entities()
  }
}

extension Entity {
  /// Something to sort by.
  fileprivate var handleIndex: Int { creationNumber.map(Int.init) ?? 0 }
}

extension RelationModel {
  /// What the program does, with arrays.
  fileprivate mutating func order(
    _ kind: Kind, _ one: Entity, _ other: Entity, _ isTargets: Bool, _ way: Int, _ position: Int,
    _ value: Int
  ) {
    let all = isTargets ? targets(kind, of: one) : sources(kind, of: one)
    let anchor = all.isEmpty ? one : all[position % all.count]
    if way < 2 { relate(kind, isTargets ? one : other, isTargets ? other : one, value) }
    reorder(kind, one, ofTargets: isTargets) { list in
      switch way {
      case 3: list.reverse()
      case 4: list.sort { $0.handleIndex > $1.handleIndex }
      default:
        guard let place = list.firstIndex(of: other), way == 0 || other != anchor else { return }
        list.remove(at: place)
        let next = way == 0 ? min(position, list.count) : list.firstIndex(of: anchor) ?? list.count
        list.insert(other, at: next)
      }
    }
  }
}

@Suite(.longRunning) struct RelationModelTests {
  @Test(arguments: Effort.seeds(min(40, 2 * Effort.modelSeeds)))
  func `Relations agree with the reference after every step`(seed: UInt64) {
    var run = RelationRun(seed: seed)
    for _ in 0..<Effort.steps(400) {
      let before = run.model
      run.model.replaced = []
      run.step()
      guard run.agrees(before: before) else {
        Issue.record("seed \(seed) after \(run.program.count) steps: \(run.program.suffix(5))")
        return
      }
    }
  }
}
