import ECS
import ECSTestSupport
import Synchronization
import Testing

@Suite struct IndexTests {
  let context = Context()

  @Test func `Entities are found by their key`() {
    let entities = (0..<9).map { context.createEntity(with: Health(points: $0 % 3)) }
    let index = context.index { (health: Health) in health.points }
    for key: Int32 in 0..<3 {
      let expected = entities.filter { $0.get(Health.self)?.points == key }
      expectEqual(Array(index[key]), expected)
      expectEqual(index.count(for: key), 3)
      expectEqual(index.first(for: key), expected.first)
    }
    expectTrue(index[7].isEmpty)
    expectEqual(index.count(for: 7), 0)
    expectNil(index.first(for: 7))
    expectEqual(index.keyCount, 3)
    expectEqual(index.component, Health.cid)
  }

  @Test func `Entities that come later are found`() {
    let index = context.index { (name: Name) in name.text }
    let one = context.createEntity(with: Name("a"))
    let other = context.createEntity().set(Name("a"))
    let bulk = context.createEntities(2, with: Name("b"), Tag())
    expectEqual(Array(index["a"]), [one, other])
    expectEqual(Array(index["b"]), bulk)
  }

  @Test func `An entity moves with its key and goes with its component`() {
    let index = context.index { (health: Health) in health.points }
    let entity = context.createEntity(with: Health(points: 1))
    entity.set(Health(points: 2))
    expectTrue(index[1].isEmpty)
    expectEqual(Array(index[2]), [entity])
    entity.update(Health.self) { $0.points = 3 }
    expectEqual(Array(index[3]), [entity])
    entity.set(Tag())
    expectEqual(Array(index[3]), [entity])
    entity.remove(Health.self)
    expectTrue(index[3].isEmpty)
    entity.set(Health(points: 4))
    entity.destroy()
    expectTrue(index[4].isEmpty)
    expectEqual(index.keyCount, 0)
  }

  @Test func `Results are snapshots`() {
    let index = context.index { (health: Health) in health.points }
    let entities = context.createEntities(3, with: Health(points: 1))
    let result = index[1]
    entities[0].destroy()
    entities[1].set(Health(points: 2))
    context.createEntity(with: Health(points: 1))
    expectEqual(Array(result), entities)
  }

  @Test(arguments: [1, 2, 16, 17, 40])
  func `Results are snapshots inside a section, too`(_ count: Int) {
    let index = context.index { (health: Health) in health.points }
    let entities = context.createEntities(count, with: Health(points: 1))
    context.perform {
      // Once as they were put there, and once more as they are kept since then.
      for _ in 0..<2 {
        let result = index[1]
        expectEqual(Array(result), entities)
        entities[0].set(Health(points: 2))
        expectEqual(Array(result), entities)
        expectEqual(index[1].count, count - 1)
        expectEqual(Array(index[2]), [entities[0]])
        for entity in entities { entity.set(Health(points: 3)) }
        for entity in entities { entity.set(Health(points: 1)) }
        expectTrue(result.contains(entities[0]) && Array(result) == entities)
      }
    }
  }

  @Test(arguments: [1, 2, 16, 17, 40])
  func `A walk over a result may change the index meanwhile`(_ count: Int) {
    let index = context.index { (health: Health) in health.points }
    let entities = context.createEntities(count, with: Health(points: 1))
    var seen: [Entity] = []
    func move(_ entity: Entity) {
      seen.append(entity)
      entity.set(Health(points: 2))
      context.createEntity(with: Health(points: 1))
    }
    context.perform { index[1].forEach(move) }
    expectEqual(seen, entities)
    seen = []
    context.perform { for entity in index[2] { move(entity) } }
    expectEqual(seen, entities)
    seen = []
    index[2].forEach(move)
    expectEqual(seen, entities)
    expectEqual(index[1].count, 3 * count)
  }

  @Test func `A key that no entity has gives an empty set inside a section, too`() {
    let index = context.index { (health: Health) in health.points }
    let entity = context.createEntity(with: Health(points: 1))
    context.perform {
      expectTrue(index[7].isEmpty && index[7].first == nil && !index[7].contains(entity))
      expectEqual(index[7], [])
      entity.set(Health(points: 7))
      expectTrue(Array(index[7]) == [entity] && index[1].isEmpty)
    }
    expectTrue(index[1].isEmpty)
  }

  @Test func `The keys are those that have entities`() {
    let context = Context()
    let index = context.index { (name: Name) in name.text }
    expectTrue(index.keys.isEmpty)
    let entities = ["a", "b", "a", "c"].map { context.createEntity(with: Name($0)) }
    expectEqual(index.keys.sorted(), ["a", "b", "c"])
    entities[0].destroy()
    entities[1].set(Name("d"))
    expectEqual(index.keys.sorted(), ["a", "c", "d"])
    index.pause()
    expectTrue(index.keys.isEmpty)
  }

  @Test func `A key without entities is forgotten`() {
    let index = context.index { (health: Health) in health.points }
    let entity = context.createEntity(with: Health(points: 0))
    for key: Int32 in 1...1_000 {
      entity.set(Health(points: key))
      expectEqual(index.keyCount, 1)
    }
    entity.remove(Health.self)
    expectEqual(index.keyCount, 0)
  }

  @Test func `Removing never asks for the key`() {
    let calls = Recorder<Int32>()
    let index = context.index { (health: Health) in
      calls.append(health.points)
      return health.points
    }
    let entities = (0..<3).map { context.createEntity(with: Health(points: $0)) }
    expectEqual(calls.take(), [0, 1, 2])
    entities[0].remove(Health.self)
    entities[1].destroy()
    entities[2].set(Tag()).remove(Tag.self)
    expectTrue(calls.items.isEmpty)
    expectEqual(index.keyCount, 1)
  }

  @Test func `Pausing empties an index and resuming fills it`() {
    let index = context.index { (health: Health) in health.points }
    let before = context.createEntity(with: Health(points: 1))
    index.pause()
    expectTrue(index.isPaused)
    expectTrue(index[1].isEmpty)
    expectEqual(index.keyCount, 0)
    expectEqual(context.statistics.indexes, 0)
    let during = context.createEntity(with: Health(points: 1))
    before.set(Health(points: 2))
    expectEqual(index.keyCount, 0)
    index.resume()
    index.resume()
    expectFalse(index.isPaused)
    expectEqual(Array(index[1]), [during])
    expectEqual(Array(index[2]), [before])
    expectEqual(context.statistics.indexes, 1)
  }

  @Test func `An index may begin paused`() {
    let entity = context.createEntity(with: Health(points: 1))
    let index = context.index(paused: true) { (health: Health) in health.points }
    expectTrue(index.isPaused)
    expectTrue(index[1].isEmpty)
    index.resume()
    expectEqual(Array(index[1]), [entity])
  }

  @Test func `Several indexes of a component don't interfere`() {
    let points = context.index { (health: Health) in health.points }
    let parity = context.index { (health: Health) in health.points.isMultiple(of: 2) }
    let entities = (0..<4).map { context.createEntity(with: Health(points: $0)) }
    points.pause()
    entities[0].set(Health(points: 1))
    expectEqual(Set(parity[false]), [entities[0], entities[1], entities[3]])
    expectEqual(points.keyCount, 0)
  }

  @Test func `A released index no longer computes keys`() {
    let calls = Recorder<Int32>()
    var index: Index<Int32>? = context.index { (health: Health) in
      calls.append(health.points)
      return health.points
    }
    index = nil
    context.createEntity(with: Health(points: 1))
    expectTrue(calls.items.isEmpty)
    expectEqual(context.statistics.indexes, 0)
    expectNil(index)
  }

  @Test func `An index over a class follows what is set, not what the object became`() {
    final class Counter: Component {
      let value = Atomic<Int>(0)
    }
    let index = context.index { (counter: Counter) in counter.value.load(ordering: .relaxed) }
    let (counter, other) = (Counter(), Counter())
    let entity = context.createEntity(with: counter)
    counter.value.store(7, ordering: .relaxed)
    expectEqual(Array(index[0]), [entity])
    entity.set(counter)
    expectTrue(index[0].isEmpty)
    expectEqual(Array(index[7]), [entity])
    counter.value.store(8, ordering: .relaxed)
    entity.set(other)
    expectTrue(index[7].isEmpty, "its key was remembered")
    other.value.store(9, ordering: .relaxed)
    entity.destroy()
    expectEqual(index.keyCount, 0)
  }

  @Test func `An index over captured state never keeps stale entities`() {
    let offset = Atomic<Int32>(0)
    let shared = Shared(offset)
    let index = context.index { (health: Health) in
      health.points + shared.offset.load(ordering: .relaxed)
    }
    let entities = (0..<4).map { context.createEntity(with: Health(points: $0)) }
    shared.offset.store(100, ordering: .relaxed)
    entities[0].remove(Health.self)
    entities[1].destroy()
    entities[2].set(Health(points: 2))
    expectTrue(index[0].isEmpty && index[1].isEmpty && index[2].isEmpty)
    expectEqual(Array(index[102]), [entities[2]])
    expectEqual(Array(index[3]), [entities[3]])
    expectEqual(index.keyCount, 2)
  }

  /// State that a key builder captures.
  final class Shared: Sendable {
    let offset: Atomic<Int32>
    init(_ offset: consuming Atomic<Int32>) { self.offset = offset }
  }
}
