import ECS
import ECSTestSupport
import Testing

@Suite(.noHangs) struct EntitySetTests {
  let context = Context()

  @Test func `An empty set has nothing`() {
    let set = EntitySet()
    expectTrue(set.isEmpty)
    expectEqual(set.count, 0)
    expectNil(set.first)
    expectFalse(set.contains(context.createEntity()))
  }

  @Test func `A set keeps the order and drops repetitions`() {
    let entities = context.createEntities(4, with: Tag())
    let repeated = [entities[2], entities[0], entities[2], entities[3], entities[0]]
    let expected = [entities[2], entities[0], entities[3]]
    expectEqual(Array(EntitySet(repeated)), expected)
    expectEqual(Array(EntitySet(repeated.lazy.map { $0 })), expected)
    expectEqual(Array(EntitySet(AnySequence(repeated))), expected)
  }

  @Test(arguments: [1, 2, 128, 129, 1_000], [false, true])
  func `Membership and positions are known in small and large sets`(count: Int, isDrained: Bool) {
    let collector = Collector(group: context.group(Tag.matcher), type: .added)
    let entities = context.createEntities(count, with: Tag())
    let stranger = context.createEntity()
    let set = isDrained ? collector.drain() : EntitySet(entities)
    expectEqual(set.count, count)
    for (position, entity) in entities.enumerated() {
      expectTrue(set.contains(entity))
      expectEqual(set.firstIndex(of: entity), position)
      expectEqual(set[position], entity)
    }
    expectFalse(set.contains(stranger))
    expectNil(set.firstIndex(of: stranger))
    expectFalse(set.contains(Context().createEntity(with: Tag())))
    entities[0].destroy()
    expectFalse(set.contains(context.createEntity(with: Tag())))
  }

  @Test(arguments: [-1, 3])
  func `A position outside of what was drained stops`(position: Int) async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) { [position = position as Int] in
      let context = Context()
      let collector = Collector(group: context.group(Tag.matcher), type: .added)
      context.createEntities(3, with: Tag())
      _ = collector.drain()[position]
    }
    expectTrue(
      stopped(result, saying: "Position \(position) is outside a set of 3 entities"))
  }

  @Test func `A set converts to an array and to a standard set`() {
    let entities = context.createEntities(30, with: Tag())
    let set = EntitySet(entities)
    expectEqual(Array(set), entities)
    expectEqual(Set(set), Set(entities))
    expectEqual(set.reversed(), entities.reversed())
    expectEqual(Array(set[10..<12]), Array(entities[10..<12]))
  }

  @Test func `Sets are equal if they have the same entities in the same order`() {
    let entities = context.createEntities(3, with: Tag())
    let set: EntitySet = [entities[0], entities[1], entities[2]]
    expectEqual(set, EntitySet(entities))
    expectEqual(set.hashValue, EntitySet(entities).hashValue)
    expectNotEqual(set, EntitySet(entities.reversed()))
    expectNotEqual(set, EntitySet(entities.dropLast()))
  }

  @Test func `A set does not change when entities do`() {
    let entities = context.createEntities(3, with: Tag())
    let set = context.entities()
    entities[1].destroy()
    context.createEntity(with: Tag())
    expectEqual(Array(set), entities)
    expectTrue(set.contains(entities[1]))
  }

  @Test func `Membership may be asked on many threads at once`() async {
    let entities = context.createEntities(1_000, with: Tag())
    let set = EntitySet(entities)
    await withTaskGroup(of: Bool.self) { tasks in
      for _ in 0..<8 {
        tasks.addTask { entities.allSatisfy { set.contains($0) } }
      }
      for await found in tasks { expectTrue(found) }
    }
  }

  @Test func `A description lists the entities`() {
    let entity = context.createEntity(with: Tag())
    expectEqual(EntitySet([entity]).description, "[\(entity)]")
  }
}
