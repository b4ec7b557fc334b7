import ECS
import ECSTestSupport
import Testing

@Suite struct GroupSortingTests {
  final class Owner {}

  let context = Context()
  let owner = Owner()

  func points(_ entities: [Entity]) -> [Int32?] {
    entities.map { $0.get(Health.self)?.points }
  }

  func byPoints(_ left: Entity, _ right: Entity) -> Bool {
    (left.get(Health.self)?.points ?? 0) < (right.get(Health.self)?.points ?? 0)
  }

  @Test func `Sorted is the order of creation`() {
    let entities = (0..<20).map { context.createEntity(with: Health(points: $0)) }
    for number in stride(from: 0, to: 20, by: 3) { entities[number].set(Tag()) }
    entities[5].destroy()
    let last = context.createEntity(with: Health(points: 20))
    let expected = entities.filter { $0.isAlive } + [last]
    expectEqual(context.group(Health.matcher).sorted(), expected)
  }

  @Test func `Sorted follows every change of the group`() {
    let group = context.group(Health.matcher)
    expectEqual(group.sorted(), [])
    let first = context.createEntity(with: Health(points: 1))
    expectEqual(group.sorted(), [first])
    let second = context.createEntity(with: Health(points: 2), Tag())
    expectEqual(group.sorted(), [first, second])
    first.remove(Health.self)
    expectEqual(group.sorted(), [second])
    first.set(Health(points: 3))
    expectEqual(group.sorted(), [first, second])
    second.remove(Tag.self)
    expectEqual(group.sorted(), [first, second])
    first.destroy()
    expectEqual(group.sorted(), [second])
    context.destroyAllEntities()
    context.compact()
    expectEqual(group.sorted(), [])
  }

  @Test func `A caller's order is not sorted again while it holds`() {
    let group = context.group(Health.matcher)
    for number in 0..<1000 { context.createEntity(with: Health(points: Int32(number * 7 % 1000))) }
    var comparisons = 0
    func sorted() -> [Entity] {
      comparisons = 0
      return group.sorted(forObject: owner) {
        comparisons += 1
        return byPoints($0, $1)
      }
    }
    let expected = points(sorted())
    expectEqual(expected, (0..<1000).map { $0 })
    expectGreaterThan(comparisons, 2000)
    expectEqual(points(sorted()), expected)
    expectEqual(comparisons, 999, "each is compared with the next")
    context.createEntity(with: Tag())
    sorted().last?.update(Health.self) { $0.points += 1 }
    expectEqual(points(sorted()), expected.dropLast() + [1000])
    expectEqual(comparisons, 999, "the order is the same")
    context.createEntity(with: Health(points: -1))
    expectEqual(points(sorted()), [-1] + expected.dropLast() + [1000])
    expectGreaterThan(comparisons, 2000)
  }

  @Test func `Orders that share a function are never confused`() {
    let group = context.group(Health.matcher)
    let entities = (1...5).map { context.createEntity(with: Health(points: $0)) }
    func sorted(by order: (Entity, Entity) -> Bool) -> [Entity] {
      group.sorted(forObject: owner, by: order)
    }
    let inside = [2, 3, 1, 4, 0].map { entities[$0] }
    for _ in 0..<3 {
      expectEqual(sorted(by: byPoints), entities)
      expectEqual(sorted { byPoints($1, $0) }, entities.reversed())
      expectEqual(sorted { _, _ in false }, entities)
      expectEqual(
        sorted { (inside.firstIndex(of: $0) ?? 0) < (inside.firstIndex(of: $1) ?? 0) }, inside)
      for shift in 0..<5 {
        let order = (0..<5).map { entities[($0 + shift) % 5] }
        expectEqual(
          sorted { (order.firstIndex(of: $0) ?? 0) < (order.firstIndex(of: $1) ?? 0) }, order)
      }
    }
  }

  @Test func `An order may depend on what the matcher does not mention`() {
    let group = context.group(Health.matcher)
    let entities = (1...3).map {
      context.createEntity(with: Health(points: $0), Position(x: Float($0), y: 0))
    }
    var sign: Float = 1
    func sorted() -> [Entity] {
      group.sorted(forObject: owner) {
        sign * ($0.get(Position.self)?.x ?? 0) < sign * ($1.get(Position.self)?.x ?? 0)
      }
    }
    expectEqual(sorted(), entities)
    entities[0].update(Position.self) { $0.x = 9 }
    expectEqual(sorted(), [entities[1], entities[2], entities[0]])
    sign = -1
    expectEqual(sorted(), [entities[0], entities[2], entities[1]])
  }

  @Test(arguments: 0..<50 as Range<UInt64>)
  func `The result is always what sorting gives`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let group = context.group(Health.matcher)
    var entities: [Entity] = []
    for _ in 0..<200 {
      switch random.below(6) {
      case 0, 1:
        entities.append(context.createEntity(with: Health(points: Int32(random.below(5)))))
      case 2 where !entities.isEmpty: entities.remove(at: random.below(entities.count)).destroy()
      case 3:
        entities.randomElement(using: &random)?.set(Health(points: Int32(random.below(5))))
      default: break
      }
      let divisor = Int32(1 + random.below(4))
      func isBefore(_ left: Entity, _ right: Entity) -> Bool {
        (left.get(Health.self)?.points ?? 0) % divisor
          < (right.get(Health.self)?.points ?? 0) % divisor
      }
      expectEqual(group.sorted(forObject: owner, by: isBefore), entities.sorted(by: isBefore))
    }
  }

  @Test(arguments: 0..<8)
  func `A caller's order follows every way to change a value`(way: Int) {
    let group = context.group(Health.matcher)
    let entities = (1...3).map { context.createEntity(with: Health(points: $0)) }
    func sorted() -> [Entity] { group.sorted(forObject: owner, by: byPoints) }
    expectEqual(sorted(), entities)
    switch way {
    case 0: entities[0].set(Health(points: 9))
    case 1: entities[0].setIfChanged(Health(points: 9))
    case 2: entities[0].update(Health.self) { $0.points = 9 }
    case 3: entities[0].updateIfChanged(Health.self) { $0.points = 9 }
    case 4:
      group.withEach { (entity, health: inout Health) in
        if entity == entities[0] { health.points = 9 }
      }
    case 5:
      group.withChunks { (chunk, health: inout MutableSpan<Health>) in
        for offset in 0..<chunk.count where chunk.entity(at: offset) == entities[0] {
          health[offset].points = 9
        }
      }
    case 6:
      group.withChunksInParallel { (chunk, health: inout MutableSpan<Health>) in
        for offset in 0..<chunk.count where health[offset].points == 1 {
          health[offset].points = 9
        }
      }
    default: entities[0].remove(Health.self).set(Health(points: 9))
    }
    expectEqual(sorted(), [entities[1], entities[2], entities[0]])
  }

  @Test func `A caller's order follows values that observers hear of`() {
    let group = context.group(Health.matcher)
    let subscription = group.observeChanges { _ in }
    let entities = (1...3).map { context.createEntity(with: Health(points: $0)) }
    func sorted() -> [Entity] { group.sorted(forObject: owner, by: byPoints) }
    expectEqual(sorted(), entities)
    entities[0].set(Health(points: 9))
    expectEqual(sorted(), [entities[1], entities[2], entities[0]])
    withExtendedLifetime(subscription) {}
  }

  @Test func `Entities that are equal in the order come in the order of creation`() {
    let entities = (0..<40).map { context.createEntity(with: Health(points: $0 % 4)) }
    for number in stride(from: 0, to: 40, by: 3) { entities[number].set(Tag()) }
    let sorted = context.group(Health.matcher).sorted(forObject: owner, by: byPoints)
    let expected = (0..<4).flatMap { remainder in
      (0..<40).filter { $0 % 4 == remainder }.map { entities[$0] }
    }
    expectEqual(sorted, expected)
  }

  @Test func `Orders in two places are never confused`() {
    let group = context.group(Health.matcher)
    let entities = (1...3).map { context.createEntity(with: Health(points: $0)) }
    for _ in 0..<3 {
      let up = group.sorted(forObject: owner) { byPoints($0, $1) }
      let down = group.sorted(forObject: owner) { byPoints($1, $0) }
      expectEqual(up, entities)
      expectEqual(down, entities.reversed())
    }
  }

  @Test func `Two objects have their own orders`() {
    let group = context.group(Health.matcher)
    let entities = (1...3).map { context.createEntity(with: Health(points: $0)) }
    let (one, other) = (Owner(), Owner())
    func sorted(_ owner: Owner, isAscending: Bool) -> [Entity] {
      group.sorted(forObject: owner) { isAscending ? byPoints($0, $1) : byPoints($1, $0) }
    }
    for _ in 0..<2 {
      expectEqual(sorted(one, isAscending: true), entities)
      expectEqual(sorted(other, isAscending: false), entities.reversed())
    }
  }

  @Test func `An object at the address of one that is gone does not get its order`() {
    let group = context.group(Health.matcher)
    let entities = (1...3).map { context.createEntity(with: Health(points: $0)) }
    for round in 0..<100 {
      // Objects made in turn tend to get the same address.
      let sorted = group.sorted(forObject: Owner()) {
        round.isMultiple(of: 2) ? byPoints($0, $1) : byPoints($1, $0)
      }
      expectEqual(sorted, (round.isMultiple(of: 2) ? entities : entities.reversed()))
    }
  }

  @Test func `An order that throws passes the error on and keeps nothing`() {
    struct Refusal: Error {}
    let group = context.group(Health.matcher)
    for number: Int32 in [2, 1] { context.createEntity(with: Health(points: number)) }
    var isRefusing = true
    func sorted() throws -> [Entity] {
      try group.sorted(forObject: owner) {
        if isRefusing { throw Refusal() }
        return byPoints($0, $1)
      }
    }
    #expect(throws: Refusal.self) { try sorted() }
    isRefusing = false
    #expect(throws: Never.self) {
      let sorted = try sorted()
      expectEqual(points(sorted), [1, 2])
    }
  }

  @Test func `The cache does not keep its object`() {
    let group = context.group(Health.matcher)
    context.createEntity(with: Health(points: 1))
    weak var gone: Owner?
    do {
      let owner = Owner()
      gone = owner
      expectEqual(group.sorted(forObject: owner, by: byPoints).count, 1)
    }
    expectNil(gone)
  }
}
