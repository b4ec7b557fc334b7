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
    #expect(!orphan.isAlive)
    #expect(orphan.context == nil)
    #expect(orphan.get(Position.self) == nil)
    #expect(!orphan.has(Position.self))
    #expect(orphan.components().isEmpty)
    #expect(orphan.description.contains("dead"))
    #expect(!Position.matcher.matches(orphan))
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
    #expect(entities.allSatisfy { $0.get(Position.self) == Position(x: 5, y: 5) })
    #expect(contexts.allSatisfy { $0.count == 1 })
    #expect(contexts.allSatisfy { $0.statistics.staleWrites == 0 })
    #expect(contexts.allSatisfy { !$0.hasUniqueComponent(Settings.self) })
  }

  @Test func `No handle of a context that is gone ever equals one of a later context`() {
    var seen: Set<Entity> = []
    for _ in 0..<200 {
      let context = Context()
      for entity in context.createEntities(20, with: Tag()) {
        #expect(seen.insert(entity).inserted)
        #expect(entity.isAlive)
      }
      // Handles that were given out inside of an iteration count, too.
      context.group(Tag.matcher).withEach { (entity, _: Tag) in
        if entity == context.entities().first { seen.insert(context.createEntity()) }
      }
      context.destroyAllEntities()
    }
    #expect(seen.allSatisfy { !$0.isAlive })
    #expect(seen.count == 200 * 21)
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
    #expect(orphans.allSatisfy { !$0.isAlive && !$0.has(Tag.self) })
    for orphan in orphans { orphan.destroy() }
    #expect(contexts.allSatisfy { $0.count == 4 })
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
    #expect(group.isEmpty && group.count == 0 && group.first == nil)
    #expect(Array(group).isEmpty && group.sorted().isEmpty)
    #expect(index.keyCount == 0 && index[1].isEmpty)
    #expect(collector.isEmpty && collector.drain().isEmpty)
    index.pause()
    index.resume()
    collector.resume()
    #expect(index[1].isEmpty)
  }
}
