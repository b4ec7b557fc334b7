import ECS
import ECSTestSupport
import Testing

private struct Crown: UniqueComponent, Equatable { var number: Int }
private struct Seal: UniqueComponent, Equatable { var numbers: [Int] }
private struct Mark: Component {}
private enum Follows: Relation { static let deleteRule = DeleteRule.cascade }
private enum Knows: Relation {}

/// The naive reference: which entities live, which holds what, and which go together.
private struct UniqueModel {
  struct Holder: Equatable {
    var entity: Int
    var number: Int
    var isOurs: Bool
  }

  struct Link: Hashable {
    var source: Int
    var target: Int
  }

  var count = 0
  var alive: Set<Int> = []
  var marked: Set<Int> = []
  var holders: [Holder?] = [nil, nil]
  var follows: Set<Link> = []
  var knows: Set<Link> = []
  var staleWrites = 0

  mutating func create(_ values: [Int: Int]) -> Int {
    let evicted = values.keys.compactMap { holders[$0] }
    for kind in values.keys { holders[kind] = nil }
    for holder in evicted
    where holder.isOurs && alive.contains(holder.entity) && isEmpty(holder.entity) {
      destroy(holder.entity)
    }
    let entity = count
    count += 1
    alive.insert(entity)
    for (kind, number) in values {
      holders[kind] = Holder(entity: entity, number: number, isOurs: false)
    }
    return entity
  }

  mutating func destroy(_ entity: Int) {
    guard alive.remove(entity) != nil else {
      staleWrites += 1
      return
    }
    marked.remove(entity)
    for kind in holders.indices where holders[kind]?.entity == entity { holders[kind] = nil }
    let followers = follows.filter { $0.target == entity }.map(\.source)
    follows = follows.filter { $0.source != entity && $0.target != entity }
    knows = knows.filter { $0.source != entity && $0.target != entity }
    for follower in followers where alive.contains(follower) { destroy(follower) }
  }

  func isEmpty(_ entity: Int) -> Bool {
    !marked.contains(entity) && !holders.contains { $0?.entity == entity }
  }

  mutating func evict(_ kind: Int) {
    guard let holder = holders[kind] else { return }
    holders[kind] = nil
    if holder.isOurs && isEmpty(holder.entity) { destroy(holder.entity) }
  }

  mutating func set(_ kind: Int, _ number: Int, on entity: Int) {
    guard alive.contains(entity) else {
      staleWrites += 1
      return
    }
    if holders[kind]?.entity == entity {
      holders[kind]?.number = number
      return
    }
    evict(kind)
    guard alive.contains(entity) else {
      staleWrites += 1
      return
    }
    holders[kind] = Holder(entity: entity, number: number, isOurs: false)
  }

  mutating func setUnique(_ kind: Int, _ number: Int) {
    if holders[kind] == nil {
      _ = create([kind: number])
      holders[kind]?.isOurs = true
    }
    holders[kind]?.number = number
  }

  mutating func restore(_ kind: Int, _ earlier: Holder?) {
    guard let earlier else { return evict(kind) }
    guard alive.contains(earlier.entity) else { return setUnique(kind, earlier.number) }
    if holders[kind]?.entity != earlier.entity { evict(kind) }
    guard alive.contains(earlier.entity) else { return setUnique(kind, earlier.number) }
    let isOurs = holders[kind]?.isOurs ?? false
    set(kind, earlier.number, on: earlier.entity)
    holders[kind]?.isOurs = isOurs || earlier.isOurs
  }
}

/// Random programs of unique components, evictions, destructions and what follows from them.
private struct UniqueRun {
  let context = Context()
  var model = UniqueModel()
  var random: SplitMix64
  var entities: [Entity] = []
  var program: [String] = []

  init(seed: UInt64) { random = SplitMix64(seed: seed) }

  /// Learns of holders that the context has made.
  mutating func know() {
    for holder in [context.uniqueEntity(Crown.self), context.uniqueEntity(Seal.self)] {
      if let holder, !entities.contains(holder) { entities.append(holder) }
    }
  }

  func setUnique(_ kind: Int, _ number: Int) {
    if kind == 0 {
      context.setUniqueComponent(Crown(number: number))
    } else {
      context.setUniqueComponent(Seal(numbers: [number]))
    }
  }

  mutating func create() {
    let number = random.below(100)
    let choice = random.below(4)
    program.append("create \(choice) number \(number): #\(entities.count)")
    switch choice {
    case 0:
      entities.append(context.createEntity())
      _ = model.create([:])
    case 1:
      entities.append(context.createEntity(with: Crown(number: number)))
      _ = model.create([0: number])
    case 2:
      entities.append(context.createEntity(with: Seal(numbers: [number]), Mark()))
      model.marked.insert(model.create([1: number]))
    default:
      entities += context.createEntities(
        1, with: Seal(numbers: [number]), Crown(number: number))
      _ = model.create([0: number, 1: number])
    }
  }

  mutating func step(depth: Int = 0) {
    if entities.count < 4 || random.oneIn(10) { return create() }
    let young = max(0, entities.count - 12)
    func some(_ random: inout SplitMix64) -> Int {
      young + random.below(entities.count - young)
    }
    let (one, other) = (some(&random), some(&random))
    let (kind, number) = (random.below(2), random.below(100))
    let choice = random.below(24)
    program.append("\(depth): \(choice) kind \(kind) number \(number) #\(one) #\(other)")
    switch choice {
    case 0..<5:
      if kind == 0 {
        entities[one].set(Crown(number: number))
      } else {
        entities[one].set(Seal(numbers: [number]))
      }
      model.set(kind, number, on: one)
    case 5..<9:
      setUnique(kind, number)
      model.setUnique(kind, number)
      know()
    case 9, 10:
      kind == 0
        ? context.removeUniqueComponent(Crown.self) : context.removeUniqueComponent(Seal.self)
      model.evict(kind)
    case 11:
      if kind == 0 { entities[one].remove(Crown.self) } else { entities[one].remove(Seal.self) }
      if !model.alive.contains(one) { model.staleWrites += 1 }
      if model.holders[kind]?.entity == one { model.holders[kind] = nil }
    case 12, 13:
      entities[one].destroy()
      model.destroy(one)
    case 14..<20:
      let areAlive = model.alive.contains(one) && model.alive.contains(other)
      if !areAlive { model.staleWrites += 1 }
      let link = UniqueModel.Link(source: one, target: other)
      if choice < 18 {
        entities[one].relate(Follows.self, to: entities[other])
        if areAlive { model.follows.insert(link) }
      } else {
        entities[one].relate(Knows.self, to: entities[other])
        if areAlive { model.knows.insert(link) }
      }
    case 20 where model.alive.contains(one):
      entities[one].set(Mark())
      model.marked.insert(one)
    case 21 where model.alive.contains(one):
      entities[one].remove(Mark.self)
      model.marked.remove(one)
    case 22,
      23 where depth < 3:
      override(kind, number, depth)
    default: break
    }
  }

  private mutating func override(_ kind: Int, _ number: Int, _ depth: Int) {
    let earlier = model.holders[kind]
    model.setUnique(kind, number)
    let steps = random.below(5)
    if kind == 0 {
      context.withUnique(Crown(number: number)) { run(steps, depth) }
    } else {
      context.withUnique(Seal(numbers: [number])) { run(steps, depth) }
    }
    model.restore(kind, earlier)
    know()
  }

  private mutating func run(_ steps: Int, _ depth: Int) {
    know()
    for _ in 0..<steps { step(depth: depth + 1) }
  }

  func difference() -> String? {
    guard entities.count == model.count else { return "entities: \(entities.count)" }
    for (number, entity) in entities.enumerated() {
      guard entity.isAlive == model.alive.contains(number) else { return "#\(number) lives or not" }
    }
    let crown = context.uniqueEntity(Crown.self)
    let seal = context.uniqueEntity(Seal.self)
    guard crown == model.holders[0].map({ entities[$0.entity] }),
      seal == model.holders[1].map({ entities[$0.entity] }),
      context.uniqueComponent(Crown.self) == model.holders[0].map({ Crown(number: $0.number) }),
      context.uniqueComponent(Seal.self)
        == model.holders[1].map({ Seal(numbers: [$0.number]) }),
      context.group(Crown.matcher).count == (crown == nil ? 0 : 1),
      context.group(Seal.matcher).first == seal
    else { return "held by \(String(describing: crown)), \(String(describing: seal))" }
    guard context.statistics.staleWrites == model.staleWrites else {
      return "stale writes: \(context.statistics.staleWrites) instead of \(model.staleWrites)"
    }
    return nil
  }
}

@Suite(.longRunning) struct UniqueRelationModelTests {
  @Test func `Unique components and delete rules agree with the reference in random programs`() {
    for seed in Effort.seeds() {
      var run = UniqueRun(seed: seed)
      for _ in 0..<150 {
        run.step()
        guard let difference = run.difference() else { continue }
        let listing = run.program.suffix(30).joined(separator: "\n")
        Issue.record("Seed \(seed): \(difference)\n\(listing)")
        return
      }
    }
  }
}
