import ECS
import ECSTestSupport
import Testing

/// Handles that outlive their context.
@Suite struct HandleTests {
  /// Handles of a context that is gone.
  func makeOrphans(_ count: Int) -> [Entity] {
    let context = Context()
    return (0..<count).map {
      context.createEntity(with: Position(x: Float($0), y: 0), Settings(volume: $0))
    }
  }

  @Test func `A handle is dead once its context is gone`() {
    let orphan = makeOrphans(1)[0]
    expectFalse(orphan.isAlive)
    expectNil(orphan.context)
    expectNil(orphan.get(Position.self))
    expectFalse(orphan.has(Position.self))
    expectTrue(orphan.components().isEmpty)
    expectTrue(orphan.description.contains("dead"))
    expectFalse(Position.matcher.matches(orphan))
  }

  @Test func `Writes to entities of a context that is gone do nothing, and count nowhere`() {
    let orphan = makeOrphans(1)[0]
    // Some of these contexts use the storage of the one that is gone.
    let contexts = (0..<64).map { _ in Context() }
    let entities = contexts.map { $0.createEntity(with: Position(x: 5, y: 5)) }
    for _ in 0..<2 {
      orphan.set(Position(x: 1, y: 1)).set(Settings(volume: 1)).remove(Tag.self)
      orphan.update(Position.self) { $0.x += 1 }
      orphan.setIfChanged(Health(points: 1))
      orphan.destroy()
    }
    expectTrue(entities.allSatisfy { $0.get(Position.self) == Position(x: 5, y: 5) })
    expectTrue(contexts.allSatisfy { $0.count == 1 })
    expectTrue(contexts.allSatisfy { $0.statistics.staleWrites == 0 })
    expectTrue(contexts.allSatisfy { !$0.hasUniqueComponent(Settings.self) })
  }

  @Test func `No handle of a context that is gone ever equals one of a later context`() {
    var seen: Set<Entity> = []
    for _ in 0..<200 {
      let context = Context()
      for entity in context.createEntities(20, with: Tag()) {
        expectTrue(seen.insert(entity).inserted)
        expectTrue(entity.isAlive)
      }
      // Handles that were given out inside of an iteration count, too.
      context.group(Tag.matcher).withEach { (entity, _: Tag) in
        if entity == context.entities().first { seen.insert(context.createEntity()) }
      }
      context.destroyAllEntities()
    }
    expectTrue(seen.allSatisfy { !$0.isAlive })
    expectEqual(seen.count, 200 * 21)
  }

  @Test func `An orphan of a slot that was used a million times stays dead in later contexts`() {
    var orphans: [Entity] = []
    do {
      let context = Context()
      orphans.append(context.createEntity(with: Tag()))
      orphans[0].destroy()
      context.perform {
        for _ in 0..<1_000_000 { context.createEntity(with: Tag()).destroy() }
      }
      orphans.append(context.createEntity(with: Tag()))
    }
    let contexts = (0..<64).map { _ in Context() }
    for context in contexts { context.createEntities(4, with: Tag()) }
    expectTrue(orphans.allSatisfy { !$0.isAlive && !$0.has(Tag.self) })
    for orphan in orphans { orphan.destroy() }
    expectTrue(contexts.allSatisfy { $0.count == 4 })
  }

  @Test func `Groups, indexes and collectors that outlive their context are empty and stay so`() {
    let group: Group
    let index: Index<Float>
    let collector: Collector
    do {
      let context = Context()
      group = context.group(Position.matcher)
      index = context.index { (position: Position) in position.x }
      collector = Collector(group: group, type: .added)
      context.createEntities(10, with: Position(x: 1, y: 1))
    }
    let contexts = (0..<64).map { _ in Context() }
    for context in contexts { context.createEntity(with: Position(x: 1, y: 1)) }
    expectTrue(group.isEmpty && group.count == 0 && group.first == nil)
    expectTrue(Array(group).isEmpty && group.sorted().isEmpty)
    expectTrue(index.keyCount == 0 && index[1].isEmpty)
    expectTrue(collector.isEmpty && collector.drain().isEmpty)
    index.pause()
    index.resume()
    collector.resume()
    expectTrue(index[1].isEmpty)
  }
}
