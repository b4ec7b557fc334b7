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
    #expect(context.group(Health.matcher).sorted() == expected)
  }

  @Test func `Sorted follows every change of the group`() {
    let group = context.group(Health.matcher)
    #expect(group.sorted() == [])
    let first = context.createEntity(with: Health(points: 1))
    #expect(group.sorted() == [first])
    let second = context.createEntity(with: Health(points: 2), Tag())
    #expect(group.sorted() == [first, second])
    first.remove(Health.self)
    #expect(group.sorted() == [second])
    first.set(Health(points: 3))
    #expect(group.sorted() == [first, second])
    second.remove(Tag.self)
    #expect(group.sorted() == [first, second])
    first.destroy()
    #expect(group.sorted() == [second])
    context.destroyAllEntities()
    context.compact()
    #expect(group.sorted() == [])
  }

  @Test func `A caller's order is kept until something changes`() {
    let group = context.group(Health.matcher)
    for number: Int32 in [3, 1, 2] { context.createEntity(with: Health(points: number)) }
    var comparisons = 0
    func sorted() -> [Entity] {
      group.sorted(forObject: owner) {
        comparisons += 1
        return byPoints($0, $1)
      }
    }
    #expect(points(sorted()) == [1, 2, 3])
    let first = comparisons
    #expect(first > 0)
    #expect(points(sorted()) == [1, 2, 3])
    #expect(comparisons == first)
    context.createEntity(with: Tag())
    #expect(points(sorted()) == [1, 2, 3])
    #expect(comparisons == first, "the change had nothing to do with the group")
    context.createEntity(with: Health(points: 0))
    #expect(points(sorted()) == [0, 1, 2, 3])
    #expect(comparisons > first)
  }

  @Test(arguments: 0..<8)
  func `A caller's order follows every way to change a value`(way: Int) {
    let group = context.group(Health.matcher)
    let entities = (1...3).map { context.createEntity(with: Health(points: $0)) }
    func sorted() -> [Entity] { group.sorted(forObject: owner, by: byPoints) }
    #expect(sorted() == entities)
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
    #expect(sorted() == [entities[1], entities[2], entities[0]])
  }

  @Test func `A caller's order follows values that observers hear of`() {
    let group = context.group(Health.matcher)
    let subscription = group.observe { _ in }
    let entities = (1...3).map { context.createEntity(with: Health(points: $0)) }
    func sorted() -> [Entity] { group.sorted(forObject: owner, by: byPoints) }
    #expect(sorted() == entities)
    entities[0].set(Health(points: 9))
    #expect(sorted() == [entities[1], entities[2], entities[0]])
    withExtendedLifetime(subscription) {}
  }

  @Test func `Entities that are equal in the order come in the order of creation`() {
    let entities = (0..<40).map { context.createEntity(with: Health(points: $0 % 4)) }
    for number in stride(from: 0, to: 40, by: 3) { entities[number].set(Tag()) }
    let sorted = context.group(Health.matcher).sorted(forObject: owner, by: byPoints)
    let expected = (0..<4).flatMap { remainder in
      (0..<40).filter { $0 % 4 == remainder }.map { entities[$0] }
    }
    #expect(sorted == expected)
  }

  @Test func `Two orders at two places are never confused`() {
    let group = context.group(Health.matcher)
    let entities = (1...3).map { context.createEntity(with: Health(points: $0)) }
    for _ in 0..<3 {
      let up = group.sorted(forObject: owner) { byPoints($0, $1) }
      let down = group.sorted(forObject: owner) { byPoints($1, $0) }
      #expect(up == entities)
      #expect(down == entities.reversed())
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
      #expect(sorted(one, isAscending: true) == entities)
      #expect(sorted(other, isAscending: false) == entities.reversed())
    }
  }

  @Test func `An object in the place of one that is gone does not get its order`() {
    let group = context.group(Health.matcher)
    let entities = (1...3).map { context.createEntity(with: Health(points: $0)) }
    for round in 0..<100 {
      // Objects made in turn tend to get the same address.
      let sorted = group.sorted(forObject: Owner()) {
        round.isMultiple(of: 2) ? byPoints($0, $1) : byPoints($1, $0)
      }
      #expect(sorted == (round.isMultiple(of: 2) ? entities : entities.reversed()))
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
      #expect(points(sorted) == [1, 2])
    }
  }

  @Test func `The cache does not keep its object`() {
    let group = context.group(Health.matcher)
    context.createEntity(with: Health(points: 1))
    weak var gone: Owner?
    do {
      let owner = Owner()
      gone = owner
      #expect(group.sorted(forObject: owner, by: byPoints).count == 1)
    }
    #expect(gone == nil)
  }
}
