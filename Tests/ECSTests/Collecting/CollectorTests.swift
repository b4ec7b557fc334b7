import Dispatch
import ECS
import ECSTestSupport
import Testing

@Suite struct CollectorTests {
  let context = Context()
  let group: Group

  init() { group = context.group(Health.matcher) }

  func make(_ count: Int = 1) -> [Entity] {
    (0..<count).map { context.createEntity(with: Health(points: Int32($0))) }
  }

  @Test(arguments: [
    (ChangeKinds.added, [0]), (.updated, [1]), (.removed, [2, 3]), (.addedOrUpdated, [1, 0]),
    (.addedUpdatedOrRemoved, [1, 2, 3, 0]),
  ])
  func `A collector gathers the kinds that it asked for`(kinds: ChangeKinds, expected: [Int]) {
    let entities = [context.createEntity()] + make(3)
    let collector = Collector(group: group, type: kinds)
    expectEqual(collector.type, kinds)
    expectTrue(collector.group === group)
    entities[1].set(Health(points: 9))
    entities[2].remove(Health.self)
    entities[3].destroy()
    entities[0].set(Health(points: 1))
    expectEqual(Array(collector.drain()), expected.map { entities[$0] })
  }

  @Test func `Nothing is collected that happened before`() {
    _ = make(3)
    let collector = Collector(group: group, type: .addedUpdatedOrRemoved)
    expectTrue(collector.isEmpty)
    expectEqual(collector.count, 0)
    expectTrue(collector.drain().isEmpty)
    expectNil(collector.popFirst())
  }

  @Test func `Each entity is collected once, in the order of its first change`() {
    let entities = make(3)
    let collector = Collector(group: group, type: .updated)
    for number in [2, 0, 2, 1, 0, 2] { entities[number].set(Health(points: 9)) }
    expectEqual(collector.count, 3)
    expectEqual(Array(collector.drain()), [entities[2], entities[0], entities[1]])
  }

  @Test func `Draining empties the collector, and later changes are collected again`() {
    let entities = make(2)
    let collector = Collector(group: group, type: .updated)
    entities[1].set(Health(points: 1))
    entities[0].set(Health(points: 1))
    expectEqual(collector.drain().count, 2)
    expectTrue(collector.isEmpty)
    expectTrue(collector.drain().isEmpty)
    entities[0].set(Health(points: 2))
    expectEqual(Array(collector.drain()), [entities[0]])
  }

  @Test func `Reading a collector does not drain it`() {
    let entities = make(2)
    let collector = Collector(group: group, type: .updated)
    entities[1].set(Health(points: 1))
    for _ in 0..<3 {
      expectEqual(collector.count, 1)
      expectFalse(collector.isEmpty)
      expectTrue(collector.contains(entities[1]))
      expectFalse(collector.contains(entities[0]))
    }
    expectEqual(collector.drain().count, 1)
  }

  @Test func `Draining one collector does not affect another`() {
    let (one, other) = (
      Collector(group: group, type: .added), Collector(group: group, type: .added)
    )
    let entities = make(3)
    expectEqual(Array(one.drain()), entities)
    expectEqual(Array(other.drain()), entities)
  }

  @Test func `Dead entities are drained, and left out of matching ones`() {
    let collector = Collector(group: group, type: .addedUpdatedOrRemoved)
    func change() -> [Entity] {
      let entities = make(3)
      entities[0].destroy()
      entities[1].remove(Health.self)
      return entities
    }
    var entities = change()
    expectEqual(Array(collector.drain()), entities)
    entities = change()
    expectEqual(Array(collector.drainMatching()), [entities[2]])
    expectTrue(collector.isEmpty, "the others are taken out as well")
  }

  @Test func `Entities can be taken out one by one`() {
    let collector = Collector(group: group, type: .addedOrUpdated)
    let entities = make(3)
    expectEqual(collector.popFirst(), entities[0])
    expectEqual(collector.count, 2)
    entities[0].set(Health(points: 1))
    entities[1].set(Health(points: 1))
    expectEqual(collector.popFirst(), entities[1])
    expectEqual(collector.popFirst(), entities[2])
    expectEqual(collector.popFirst(), entities[0])
    expectNil(collector.popFirst())
  }

  @Test func `Taking out one by one keeps up with what arrives`() {
    let collector = Collector(group: group, type: .addedOrUpdated)
    var expected: [Entity] = []
    var taken: [Entity] = []
    for round in 0..<300 {
      expected += make(3)
      taken += (0..<(round.isMultiple(of: 7) ? 12 : 2)).compactMap { _ in collector.popFirst() }
      expectEqual(collector.count, expected.count - taken.count)
    }
    taken += collector.drain()
    expectEqual(taken, expected)
  }

  @Test func `Draining into an array replaces its content`() {
    let collector = Collector(group: group, type: .added)
    var storage = [context.createEntity()]
    let entities = make(3)
    collector.drain(into: &storage)
    expectEqual(storage, entities)
    collector.drain(into: &storage)
    expectTrue(storage.isEmpty)
  }

  @Test func `Pausing drops what was collected and what happens meanwhile`() {
    let collector = Collector(group: group, type: .addedOrUpdated)
    _ = make(1)
    collector.pause()
    expectTrue(collector.isEmpty)
    let during = make(1)
    expectTrue(collector.isEmpty)
    collector.resume()
    expectTrue(collector.isEmpty)
    during[0].set(Health(points: 1))
    expectEqual(Array(collector.drain()), during)
  }

  @Test func `Drain and pause takes everything and pauses`() {
    let collector = Collector(group: group, type: .added)
    let entities = make(2)
    expectEqual(Array(collector.drainAndPause()), entities)
    expectTrue(collector.isPaused)
    _ = make(1)
    expectTrue(collector.isEmpty)
  }

  @Test func `A collector may begin paused`() {
    let collector = context.collector(for: Health.matcher, type: .added, paused: true)
    expectTrue(collector.isPaused)
    _ = make(1)
    expectTrue(collector.isEmpty)
    collector.resume()
    expectEqual(Array(collector.drain()), [])
    let entities = make(1)
    expectEqual(Array(collector.drain()), entities)
  }

  @Test func `Pausing one collector does not pause another`() {
    let (one, other) = (
      Collector(group: group, type: .added), Collector(group: group, type: .added)
    )
    one.pause()
    _ = make(2)
    expectTrue(one.isEmpty)
    expectEqual(other.count, 2)
  }

  @Test func `Entities that share a slot one after the other are distinguished`() {
    let collector = Collector(group: group, type: .addedUpdatedOrRemoved)
    var entities: [Entity] = []
    for _ in 0..<5 {
      let entity = context.createEntity(with: Health(points: 1))
      entities.append(entity)
      entity.destroy()
    }
    expectEqual(collector.count, 5)
    for entity in entities { expectTrue(collector.contains(entity)) }
    expectEqual(Array(collector.drain()), entities)
    for entity in entities { expectFalse(collector.contains(entity)) }
  }

  @Test func `A collector keeps nothing alive`() {
    let counter = LifeCounter()
    let collector = context.collector(for: Tracked.matcher, type: .addedUpdatedOrRemoved)
    context.createEntity(with: Tracked(counter)).destroy()
    expectEqual(counter.living, 0)
    expectEqual(collector.count, 1)
  }

  @Test func `A released collector collects no more and is not counted`() {
    var collector: Collector? = Collector(group: group, type: .added)
    let other = Collector(group: group, type: .added)
    expectEqual(context.statistics.collectors, 2)
    collector = nil
    expectEqual(context.statistics.collectors, 1)
    let entities = make(1)
    expectEqual(Array(other.drain()), entities)
    expectNil(collector)
  }

  @Test func `The matcher's short form watches the same group`() {
    let collector = context.collector(for: Health.matcher)
    expectTrue(collector.group === group)
    expectEqual(collector.type, .added)
  }

  @Test func `An entity that is gone is not put in, so that each is there once`() {
    let context = Context()
    let collector = Collector(group: context.group(Health.matcher), type: .addedOrUpdated)
    let gone = context.createEntity(with: Health(points: 1))
    let work = collector.drain()
    gone.destroy()
    let next = context.createEntity(with: Health(points: 2))
    collector.collect(work)
    next.set(Health(points: 3))
    expectEqual(Array(collector.drain()), [next])
  }

  @Test func `entities that are put in are behind others, and wake tasks that wait`() {
    let context = Context()
    let collector = context.collector(for: Position.matcher, type: .updated)
    let entities = (0..<3).map { context.createEntity(with: Position(x: Float($0), y: 0)) }
    let taken = Tally()
    let loop = ReactiveLoop(
      ctx: context, queue: .init(label: "collecting"),
      systems: [Taking(collector, taken)])
    collector.collect([entities[1]])
    loop.runUntilSettled()
    expectEqual(taken.value, 1)
    loop.cancel()
    entities[2].set(Position(x: 5, y: 5))
    collector.collect([entities[0], entities[2], Context().createEntity()])
    expectEqual(Array(collector.drain()), [entities[2], entities[0]])
    collector.ignoring { collector.collect([entities[0]]) }
    collector.pause()
    collector.collect([entities[0]])
    collector.resume()
    expectTrue(collector.isEmpty)
  }
}

private final class Taking: ReactiveSystem {
  let collector: Collector
  private let taken: Tally
  init(_ collector: Collector, _ taken: Tally) { (self.collector, self.taken) = (collector, taken) }
  func execute(entities: EntitySet) { taken.add(entities.count) }
}
