import ECS
import ECSTestSupport
import Testing

@Suite struct EntityUpdateTests {
  let context = Context()
  let events = Recorder<Event>()

  struct Refusal: Error {}

  @Test func `Setting an equal value fires`() {
    let entity = context.createEntity(with: Health(points: 1))
    let subscription = context.group(Health.matcher).record(into: events)
    entity.set(Health(points: 1))
    expectEqual(events.items, [.updated(entity)])
    withExtendedLifetime(subscription) {}
  }

  @Test func `Setting if changed is silent about an equal value`() {
    let entity = context.createEntity(with: Health(points: 1))
    let subscription = context.group(Health.matcher).record(into: events)
    entity.setIfChanged(Health(points: 1))
    expectTrue(events.items.isEmpty)
    entity.setIfChanged(Health(points: 2))
    expectEqual(events.items, [.updated(entity)])
    expectEqual(entity.get(Health.self)?.points, 2)
    withExtendedLifetime(subscription) {}
  }

  @Test func `Setting if changed adds what is absent`() {
    let subscription = context.group(Health.matcher).record(into: events)
    let entity = context.createEntity().setIfChanged(Health(points: 1))
    expectEqual(events.items, [.added(entity)])
    expectEqual(entity.get(Health.self)?.points, 1)
    withExtendedLifetime(subscription) {}
  }

  @Test func `An update changes the value in place and fires once`() {
    let entity = context.createEntity(with: Health(points: 1))
    let subscription = context.group(Health.matcher).record(into: events)
    let before = entity.update(Health.self) { health in
      defer {
        health.points += 1
        health.points *= 10
      }
      return health.points
    }
    expectEqual(before, 1)
    expectEqual(entity.get(Health.self)?.points, 20)
    expectEqual(events.items, [.updated(entity)])
    withExtendedLifetime(subscription) {}
  }

  @Test func `An update of an absent component does not call the closure`() {
    let entity = context.createEntity(with: Tag())
    var calls = 0
    let result: Void? = entity.update(Health.self) { _ in calls += 1 }
    expectNil(result)
    expectEqual(calls, 0)
    expectFalse(entity.has(Health.self))
    expectEqual(context.statistics.staleWrites, 0)
  }

  @Test func `An update that throws leaves the value as it was and fires nothing`() {
    let entity = context.createEntity(with: Name("before"))
    let collector = context.collector(for: Name.matcher, type: .addedUpdatedOrRemoved)
    let subscription = context.group(Name.matcher).record(into: events)
    #expect(throws: Refusal.self) {
      try entity.update(Name.self) { name in
        name.text = "after"
        throw Refusal()
      }
    }
    expectEqual(entity.get(Name.self)?.text, "before")
    expectTrue(events.items.isEmpty)
    expectTrue(collector.isEmpty)
    withExtendedLifetime(subscription) {}
  }

  @Test func `An update passes typed errors on`() {
    let entity = context.createEntity(with: Tag())
    do throws(Refusal) {
      try entity.update(Tag.self) { (_: inout Tag) throws(Refusal) in throw Refusal() }
      Issue.record("the closure's error was lost")
    } catch {
      expectTrue(entity.has(Tag.self))
    }
  }

  @Test func `An update that destroys its entity is dropped`() {
    let entity = context.createEntity(with: Health(points: 1))
    let subscription = context.group(Health.matcher).record(into: events)
    entity.update(Health.self) { health in
      health.points = 2
      entity.destroy()
    }
    expectFalse(entity.isAlive)
    expectEqual(events.items, [.removed(entity)])
    expectEqual(context.count, 0)
    withExtendedLifetime(subscription) {}
  }

  @Test func `An update that removes its component is dropped`() {
    let entity = context.createEntity(with: Health(points: 1), Tag())
    entity.update(Health.self) { health in
      health.points = 2
      entity.remove(Health.self)
    }
    expectFalse(entity.has(Health.self))
    expectTrue(entity.has(Tag.self))
  }

  @Test func `An update may move its entity to another combination of components`() {
    let entity = context.createEntity(with: Health(points: 1))
    entity.update(Health.self) { health in
      entity.set(Tag()).set(Position(x: 1, y: 2))
      health.points = 2
    }
    expectEqual(entity.get(Health.self)?.points, 2)
    expectEqual(entity.get(Position.self), Position(x: 1, y: 2))
  }

  @Test func `An update if changed is silent about an equal value`() {
    let entity = context.createEntity(with: Health(points: 1))
    let subscription = context.group(Health.matcher).record(into: events)
    expectEqual(entity.updateIfChanged(Health.self) { _ in 7 }, 7)
    expectTrue(events.items.isEmpty)
    entity.updateIfChanged(Health.self) { $0.points = 2 }
    expectEqual(events.items, [.updated(entity)])
    expectEqual(entity.get(Health.self)?.points, 2)
    withExtendedLifetime(subscription) {}
  }

  @Test func `An observer of an update sees both values`() {
    let entity = context.createEntity(with: Health(points: 1))
    let values = Recorder<[Int32?]>()
    let subscription = context.group(Health.matcher).observeChanges(of: Health.self) {
      _, old, new in
      values.append([old?.points, new?.points])
    }
    entity.update(Health.self) { $0.points = 5 }
    entity.set(Health(points: 6))
    expectEqual(values.items, [[1, 5], [5, 6]])
    withExtendedLifetime(subscription) {}
  }
}
