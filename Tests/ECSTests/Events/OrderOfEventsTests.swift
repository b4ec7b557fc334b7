import ECS
import ECSTestSupport
import Testing

/// The order in which changes are delivered, and what observers see meanwhile.
@Suite struct OrderOfEventsTests {
  struct Refusal: Error {}

  let context = Context()
  let order = Recorder<String>()

  @Test func `Changes are delivered when the outermost perform ends`() {
    let events = Recorder<Event>()
    let subscription = context.group(Health.matcher).record(into: events)
    var entity = context.createEntity()
    context.perform {
      context.perform { entity = context.createEntity(with: Health(points: 1)) }
      expectTrue(events.items.isEmpty)
      entity.set(Health(points: 2))
      expectTrue(events.items.isEmpty)
    }
    expectEqual(events.items, [.added(entity), .updated(entity)])
    withExtendedLifetime(subscription) {}
  }

  @Test func `Changes are delivered although the perform throws`() {
    let events = Recorder<Event>()
    let subscription = context.group(Tag.matcher).record(into: events)
    #expect(throws: Refusal.self) {
      try context.perform {
        context.createEntity(with: Tag())
        throw Refusal()
      }
    }
    expectEqual(events.count, 1)
    expectEqual(context.count, 1)
    withExtendedLifetime(subscription) {}
  }

  @Test func `The order is that of mutations, then of groups, then of subscriptions`() {
    let (tags, health) = (context.group(Tag.matcher), context.group(Health.matcher))
    let both = context.group(Matcher(any: [Tag.cid, Health.cid]))
    let subscriptions = [
      both.observeChanges { [order] _ in order.append("both 1") },
      health.observeChanges { [order] _ in order.append("health 1") },
      tags.observeChanges { [order] _ in order.append("tags 1") },
      both.observeChanges { [order] _ in order.append("both 2") },
      tags.observeChanges { [order] _ in order.append("tags 2") },
    ]
    context.perform {
      let entity = context.createEntity(with: Health(points: 1))
      entity.set(Tag())
    }
    expectEqual(
      order.items,
      ["health 1", "both 1", "both 2", "tags 1", "tags 2", "both 1", "both 2"])
    withExtendedLifetime(subscriptions) {}
  }

  @Test func `Observers of the entity come first and those of the context last`() {
    let entity = context.createEntity(with: Tag())
    let subscriptions = [
      context.observeEvents { [order] _ in order.append("context") },
      context.group(Tag.matcher).observeChanges { [order] _ in order.append("group") },
      entity.observeChanges { [order] _ in order.append("entity") },
    ]
    _ = order.take()
    entity.destroy()
    expectEqual(order.items, ["entity", "group", "context"])
    withExtendedLifetime(subscriptions) {}
  }

  @Test func `Changes that observers make queue behind`() {
    let (tags, health) = (context.group(Tag.matcher), context.group(Health.matcher))
    let subscriptions = [
      tags.observeChanges(.added) { [order] change in
        order.append("tag begin")
        change.entity.set(Health(points: 1))
        order.append("tag end")
      },
      tags.observeChanges(.added) { [order] _ in order.append("tag second") },
      health.observeChanges { [order] change in
        order.append("health \(change.kind)")
        if change.kind == .added { change.entity.set(Health(points: 2)) }
      },
    ]
    context.perform {
      context.createEntity(with: Tag())
      context.createEntity(with: Tag())
    }
    let one = ["tag begin", "tag end", "tag second"]
    expectEqual(
      order.items,
      one + one + ["health added", "health added", "health updated", "health updated"])
    withExtendedLifetime(subscriptions) {}
  }

  @Test func `A perform inside an observer does not deliver early`() {
    let context = context
    let (tags, health) = (context.group(Tag.matcher), context.group(Health.matcher))
    let subscriptions = [
      tags.observeChanges(.added) { [order] change in
        context.perform { _ = change.entity.set(Health(points: 1)) }
        order.append("tag")
      },
      health.observeChanges { [order] _ in order.append("health") },
    ]
    context.createEntity(with: Tag())
    expectEqual(order.items, ["tag", "health"])
    withExtendedLifetime(subscriptions) {}
  }

  @Test func `An observer sees the complete change`() {
    let context = context
    let early = context.group(Health.matcher)
    let late = context.group(Matcher(all: [Health.cid, Settings.cid]))
    let collector = Collector(group: late, type: .added)
    let index = context.index { (health: Health) in health.points }
    let subscription = early.observeChanges { [order] change in
      order.append("\(late.contains(change.entity)) \(late.count)")
      order.append("\(collector.contains(change.entity))")
      order.append("\(index[7].contains(change.entity))")
      order.append("\(context.uniqueEntity(Settings.self) == change.entity)")
    }
    context.createEntity(with: Health(points: 7), Settings(volume: 1))
    expectEqual(order.items, ["true 1", "true", "true", "true"])
    withExtendedLifetime(subscription) {}
  }

  @Test func `Added and updated are skipped for an entity that is dead by then`() {
    let events = Recorder<Event>()
    let subscription = context.group(Health.matcher).record(into: events)
    var entity = context.createEntity()
    context.perform {
      entity = context.createEntity(with: Health(points: 1))
      entity.set(Health(points: 2))
      entity.destroy()
    }
    expectEqual(events.items, [.removed(entity)])
    withExtendedLifetime(subscription) {}
  }

  @Test func `Added and updated are skipped for an entity that matches no longer`() {
    let events = Recorder<Event>()
    let values = Recorder<Int32?>()
    let group = context.group(Health.matcher)
    let subscriptions = [
      group.record(into: events),
      group.observeChanges(.removed) { values.append($0.old(Health.self)?.points) },
    ]
    let entity = context.createEntity()
    context.perform {
      _ = entity.set(Health(points: 1)).set(Health(points: 2)).remove(Health.self)
    }
    expectEqual(events.items, [.removed(entity)])
    expectEqual(values.items, [2])
    withExtendedLifetime(subscriptions) {}
  }

  @Test func `An entity that left and came back is reported in full`() {
    let events = Recorder<Event>()
    let entity = context.createEntity(with: Health(points: 1))
    let subscription = context.group(Health.matcher).record(into: events)
    context.perform { _ = entity.remove(Health.self).set(Health(points: 2)) }
    expectEqual(events.items, [.removed(entity), .added(entity)])
    withExtendedLifetime(subscription) {}
  }

  @Test func `Updates of several writes carry the values of each`() {
    let values = Recorder<[Int32?]>()
    let entity = context.createEntity(with: Health(points: 0))
    let subscription = context.group(Health.matcher).observeChanges(of: Health.self) {
      _, old, new in
      values.append([old?.points, new?.points])
    }
    context.perform {
      _ = entity.set(Health(points: 1)).set(Health(points: 2)).set(Health(points: 3))
    }
    expectEqual(values.items, [[0, 1], [1, 2], [2, 3]])
    withExtendedLifetime(subscription) {}
  }

  @Test func `An observer that destroys the entity keeps the others from hearing of added`() {
    let events = Recorder<Event>()
    let group = context.group(Tag.matcher)
    let subscriptions = [
      group.observeChanges(.added) { $0.entity.destroy() }, group.record(into: events),
    ]
    let entity = context.createEntity(with: Tag())
    expectEqual(events.items, [.removed(entity)])
    expectFalse(entity.isAlive)
    withExtendedLifetime(subscriptions) {}
  }

  @Test func `Each of many changes is looked at anew when its turn comes`() {
    let told = Recorder<Entity>()
    let late = Recorder<Entity>()
    let tokens = Recorder<Subscription>()
    let group = context.group(Health.matcher)
    let entities = context.createEntities(6, with: Health(points: 0))
    tokens.append(
      group.observeChanges(.updated) { change in
        told.append(change.entity)
        switch change.entity {
        case entities[0]: entities[1].destroy()
        case entities[2]: entities[3].remove(Health.self)
        case entities[4]:
          tokens.append(group.observeChanges(.updated) { late.append($0.entity) })
          tokens.items.first?.cancel()
        default: break
        }
      })
    context.perform {
      for entity in entities { entity.set(Health(points: 1)) }
    }
    expectEqual(told.items, [entities[0], entities[2], entities[4]])
    expectEqual(late.items, [])
    entities[5].set(Health(points: 2))
    expectEqual(told.items.count, 3)
    expectEqual(late.items, [entities[5]])
  }

  @Test func `An entity's observer doesn't hear of a component that is gone by then`() {
    let events = Recorder<Event>()
    let entity = context.createEntity()
    let subscription = entity.record(into: events)
    context.perform {
      _ = entity.set(Health(points: 1)).set(Tag()).remove(Health.self)
    }
    expectEqual(events.items, [.added(entity), .removed(entity)])
    withExtendedLifetime(subscription) {}
  }

  @Test func `A long chain of changes by observers does not need a deep stack`() {
    context.maximumObserverRounds = 100_000
    let subscription = context.group(Health.matcher).observeChanges(
      of: Health.self, .addedOrUpdated
    ) {
      entity, _, new in
      if let new, new.points < 50_000 { entity.set(Health(points: new.points + 1)) }
    }
    let entity = context.createEntity(with: Health(points: 0))
    expectEqual(entity.get(Health.self)?.points, 50_000)
    withExtendedLifetime(subscription) {}
  }

  @Test func `A perform returns what its body returns and passes typed errors on`() {
    expectEqual(context.perform { 7 }, 7)
    do throws(Refusal) {
      try context.perform { () throws(Refusal) in throw Refusal() }
      Issue.record("the body's error was lost")
    } catch {
      expectEqual(context.count, 0)
    }
  }
}
