import ECS
import ECSTestSupport
import Testing

@Suite struct DeadEntityTests {
  let context = Context()

  func makeDead() -> Entity {
    let entity = context.createEntity(with: Position(x: 1, y: 2), Settings(volume: 3))
    entity.destroy()
    return entity
  }

  @Test func `A dead entity reads nothing`() {
    let dead = makeDead()
    #expect(!dead.isAlive)
    #expect(dead.context == nil)
    #expect(dead.get(Position.self) == nil)
    #expect(!dead.has(Position.self))
    #expect(!dead.has(Position.cid))
    #expect(dead.components().isEmpty)
    #expect(dead.isEmpty)
    #expect(!context.group(Position.matcher).contains(dead))
    #expect(!Position.matcher.matches(dead))
    #expect(dead.description.contains("dead"))
  }

  @Test func `Writes to a dead entity do nothing and are counted`() {
    let dead = makeDead()
    #expect(context.statistics.staleWrites == 0)
    dead.set(Position(x: 3, y: 4))
    dead.set(Settings(volume: 4))
    dead.setIfChanged(Health(points: 1))
    dead.remove(Position.self)
    dead.remove(Position.cid)
    dead.update(Position.self) { $0.x += 1 }
    dead.updateIfChanged(Position.self) { $0.x += 1 }
    dead.destroy()
    #expect(context.statistics.staleWrites == 8)
    #expect(context.count == 0)
    #expect(context.uniqueComponent(Settings.self) == nil)
    #expect(!dead.isAlive)
  }

  @Test func `Writes to a dead entity notify nothing`() {
    let dead = makeDead()
    let events = Recorder<Event>()
    let collector = context.collector(for: Position.matcher, type: .addedUpdatedOrRemoved)
    let subscriptions = [
      context.group(Position.matcher).record(into: events), dead.record(into: events),
    ]
    dead.set(Position(x: 0, y: 0))
    dead.remove(Position.self)
    dead.destroy()
    #expect(events.items.isEmpty)
    #expect(collector.isEmpty)
    withExtendedLifetime(subscriptions) {}
  }

  @Test func `Updating a dead entity does not call the closure`() {
    let dead = makeDead()
    var calls = 0
    #expect(dead.update(Position.self) { _ in calls += 1 } == nil)
    #expect(dead.updateIfChanged(Position.self) { _ in calls += 1 } == nil)
    #expect(calls == 0)
  }

  @Test func `A dead handle never reaches the next entity in its place`() {
    let dead = makeDead()
    let next = context.createEntity(with: Position(x: 5, y: 6))
    #expect(dead != next)
    dead.set(Position(x: 0, y: 0))
    dead.remove(Position.self)
    dead.destroy()
    #expect(dead.get(Position.self) == nil)
    #expect(next.get(Position.self) == Position(x: 5, y: 6))
  }

  @Test func `A dead handle stays dead when its slot is used a million times`() {
    let dead = makeDead()
    context.perform {
      for _ in 0..<1_000_000 { context.createEntity(with: Tag()).destroy() }
    }
    let last = context.createEntity(with: Position(x: 5, y: 6))
    #expect(!dead.isAlive)
    #expect(dead.get(Position.self) == nil)
    dead.destroy()
    #expect(last.isAlive)
  }

  @Test func `All handles that a slot ever gave out differ`() {
    var seen: Set<Entity> = []
    for _ in 0..<1_000 {
      let entity = context.createEntity()
      #expect(seen.insert(entity).inserted)
      entity.destroy()
    }
    #expect(seen.allSatisfy { !$0.isAlive })
  }

  @Test func `Destroying twice destroys once`() {
    let events = Recorder<Event>()
    let entity = context.createEntity(with: Tag())
    let subscription = context.group(Tag.matcher).record(into: events)
    entity.destroy()
    entity.destroy()
    #expect(events.items == [.removed(entity)])
    withExtendedLifetime(subscription) {}
  }
}
