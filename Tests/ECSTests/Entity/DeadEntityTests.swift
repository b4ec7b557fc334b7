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
    expectFalse(dead.isAlive)
    expectNil(dead.context)
    expectNil(dead.get(Position.self))
    expectFalse(dead.has(Position.self))
    expectFalse(dead.has(Position.cid))
    expectTrue(dead.components().isEmpty)
    expectTrue(dead.isEmpty)
    expectFalse(context.group(Position.matcher).contains(dead))
    expectFalse(Position.matcher.matches(dead))
    expectTrue(dead.description.contains("dead"))
  }

  @Test func `Writes to a dead entity do nothing and are counted`() {
    let dead = makeDead()
    expectEqual(context.statistics.staleWrites, 0)
    dead.set(Position(x: 3, y: 4))
    dead.set(Settings(volume: 4))
    dead.setIfChanged(Health(points: 1))
    dead.remove(Position.self)
    dead.remove(Position.cid)
    dead.update(Position.self) { $0.x += 1 }
    dead.updateIfChanged(Position.self) { $0.x += 1 }
    dead.destroy()
    expectEqual(context.statistics.staleWrites, 8)
    expectEqual(context.count, 0)
    expectNil(context.uniqueComponent(Settings.self))
    expectFalse(dead.isAlive)
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
    expectTrue(events.items.isEmpty)
    expectTrue(collector.isEmpty)
    withExtendedLifetime(subscriptions) {}
  }

  @Test func `Updating a dead entity does not call the closure`() {
    let dead = makeDead()
    var calls = 0
    expectNil(dead.update(Position.self) { _ in calls += 1 })
    expectNil(dead.updateIfChanged(Position.self) { _ in calls += 1 })
    expectEqual(calls, 0)
  }

  @Test func `A dead handle never reaches the next entity in its place`() {
    let dead = makeDead()
    let next = context.createEntity(with: Position(x: 5, y: 6))
    expectNotEqual(dead, next)
    dead.set(Position(x: 0, y: 0))
    dead.remove(Position.self)
    dead.destroy()
    expectNil(dead.get(Position.self))
    expectEqual(next.get(Position.self), Position(x: 5, y: 6))
  }

  @Test func `A dead handle stays dead when its slot is used a million times`() {
    let dead = makeDead()
    context.perform {
      for _ in 0..<1_000_000 { context.createEntity(with: Tag()).destroy() }
    }
    let last = context.createEntity(with: Position(x: 5, y: 6))
    expectFalse(dead.isAlive)
    expectNil(dead.get(Position.self))
    dead.destroy()
    expectTrue(last.isAlive)
  }

  @Test func `All handles that a slot ever gave out differ`() {
    var seen: Set<Entity> = []
    for _ in 0..<1_000 {
      let entity = context.createEntity()
      expectTrue(seen.insert(entity).inserted)
      entity.destroy()
    }
    expectTrue(seen.allSatisfy { !$0.isAlive })
  }

  @Test func `Destroying twice destroys once`() {
    let events = Recorder<Event>()
    let entity = context.createEntity(with: Tag())
    let subscription = context.group(Tag.matcher).record(into: events)
    entity.destroy()
    entity.destroy()
    expectEqual(events.items, [.removed(entity)])
    withExtendedLifetime(subscription) {}
  }
}
