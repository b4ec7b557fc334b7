import ECS
import ECSTestSupport
import Testing

/// What observers of groups, entities and contexts are notified of.
@Suite(.noHangs) struct ObservationTests {
  let context = Context()
  let events = Recorder<Event>()

  @Test func `A group's observer hears of entities that come, change and go`() {
    let subscription = context.group(Health.matcher).record(into: events)
    let entity = context.createEntity(with: Health(points: 1))
    entity.set(Health(points: 2))
    entity.set(Tag())
    entity.remove(Health.self)
    entity.set(Health(points: 3))
    entity.destroy()
    expectEqual(
      events.items,
      [.added(entity), .updated(entity), .removed(entity), .added(entity), .removed(entity)])
    withExtendedLifetime(subscription) {}
  }

  static let kinds: [(ChangeKinds, [Change.Kind])] = [
    (.added, [.added, .added]), (.updated, [.updated]), (.removed, [.removed, .removed]),
    (.addedOrUpdated, [.added, .updated, .added]),
    (.addedUpdatedOrRemoved, [.added, .updated, .removed, .added, .removed]), ([], []),
  ]

  @Test(arguments: kinds)
  func `An observer hears of the kinds that it asked for`(
    kinds: ChangeKinds, expected: [Change.Kind]
  ) {
    let subscription = context.group(Health.matcher).record(kinds, into: events)
    let entity = context.createEntity(with: Health(points: 1))
    entity.set(Health(points: 2)).remove(Health.self).set(Health(points: 3)).destroy()
    expectEqual(events.items.map(\.kind), expected)
    withExtendedLifetime(subscription) {}
  }

  @Test func `Changes carry the component and its values`() {
    let changes = Recorder<Change>()
    let entity = context.createEntity()
    let subscription = context.group(Health.matcher).observeChanges { changes.append($0) }
    entity.set(Health(points: 1)).set(Health(points: 2)).remove(Health.self)
    let items = changes.items
    expectEqual(items.map(\.component), [Health.cid, Health.cid, Health.cid])
    expectEqual(items.map { $0.old(Health.self)?.points }, [nil, 1, 2])
    expectEqual(items.map { $0.new(Health.self)?.points }, [1, 2, nil])
    expectTrue(items.allSatisfy { $0.old(Tag.self) == nil && $0.new(Tag.self) == nil })
    withExtendedLifetime(subscription) {}
  }

  @Test func `Creation is one change with all values`() {
    let changes = Recorder<Change>()
    let subscription = context.group(Health.matcher).observeChanges { changes.append($0) }
    context.createEntity(with: Health(points: 1), Name("n"), Tag())
    let items = changes.items
    expectEqual(items.map(\.kind), [.added])
    expectNil(items.first?.component)
    expectEqual(items.first?.new(Health.self)?.points, 1)
    expectEqual(items.first?.new(Name.self)?.text, "n")
    withExtendedLifetime(subscription) {}
  }

  @Test func `Removed carries the last values of an entity that was destroyed`() {
    let changes = Recorder<Change>()
    let entity = context.createEntity(with: Health(points: 1), Name("n"))
    let subscription = context.group(Health.matcher).observeChanges { changes.append($0) }
    entity.destroy()
    let items = changes.items
    expectEqual(items.map(\.kind), [.removed])
    expectNil(items.first?.component)
    expectEqual(items.first?.old(Health.self)?.points, 1)
    expectEqual(items.first?.old(Name.self)?.text, "n")
    expectEqual(items.first?.entity.isAlive, false)
    withExtendedLifetime(subscription) {}
  }

  @Test func `Bulk creation reports each entity in the order of the result`() {
    let subscription = context.group(Health.matcher).record(into: events)
    let created = context.createEntities(5, with: Health(points: 1), Tag())
    expectEqual(events.items, created.map { .added($0) })
    withExtendedLifetime(subscription) {}
  }

  @Test func `Excluded components make entities leave and come back`() {
    let changes = Recorder<Change>()
    let entity = context.createEntity(with: Health(points: 1))
    let group = context.group(Matcher(all: [Health.cid], none: [Name.cid]))
    let subscription = group.observeChanges { changes.append($0) }
    entity.set(Name("1")).set(Name("2")).remove(Name.self)
    let items = changes.items
    expectEqual(items.map(\.kind), [.removed, .added])
    expectEqual(items.map(\.component), [Name.cid, Name.cid])
    expectEqual(items.map { $0.new(Name.self)?.text }, ["1", nil])
    expectEqual(items.map { $0.old(Name.self)?.text }, [nil, "2"])
    withExtendedLifetime(subscription) {}
  }

  @Test func `With any, components come and go as updates while one is left`() {
    let entity = context.createEntity(with: Health(points: 1))
    let group = context.group(Matcher(any: [Health.cid, Name.cid]))
    let subscription = group.record(into: events)
    entity.set(Name("n"))
    entity.remove(Health.self)
    entity.set(Tag())
    entity.remove(Name.self)
    expectEqual(events.items, [.updated(entity), .updated(entity), .removed(entity)])
    withExtendedLifetime(subscription) {}
  }

  @Test func `A typed observer gets the entity and both values`() {
    let values = Recorder<String>()
    let entity = context.createEntity()
    let subscription = context.group(Health.matcher).observeChanges(
      of: Health.self, .addedOrUpdated
    ) {
      changed, old, new in
      expectEqual(changed, entity)
      values.append("\(old?.points ?? -1) \(new?.points ?? -1)")
    }
    entity.set(Health(points: 1)).set(Health(points: 2)).remove(Health.self)
    expectEqual(values.items, ["-1 1", "1 2"])
    withExtendedLifetime(subscription) {}
  }

  @Test func `An entity's observer hears of its components and its end`() {
    let entity = context.createEntity()
    let other = context.createEntity()
    let changes = Recorder<Change>()
    let subscription = entity.observeChanges { changes.append($0) }
    entity.set(Health(points: 1)).set(Health(points: 2)).set(Tag()).remove(Health.self)
    other.set(Health(points: 9))
    other.destroy()
    entity.set(Name("n"))
    entity.destroy()
    let items = changes.items
    expectEqual(items.map(\.kind), [.added, .updated, .added, .removed, .added, .destroyed])
    expectEqual(
      items.map(\.component), [Health.cid, Health.cid, Tag.cid, Health.cid, Name.cid, nil])
    expectEqual(items.map { $0.old(Health.self)?.points }, [nil, 1, nil, 2, nil, nil])
    expectEqual(items.last?.old(Name.self)?.text, "n")
    expectNotNil(items.last?.old(Tag.self))
    withExtendedLifetime(subscription) {}
  }

  @Test func `A typed observer of an entity hears of its component and the end`() {
    let entity = context.createEntity(with: Health(points: 1), Tag())
    let values = Recorder<[Int32?]>()
    let subscription = entity.observeChanges(of: Health.self) { _, old, new in
      values.append([old?.points, new?.points])
    }
    entity.set(Name("n"))
    entity.set(Health(points: 2))
    entity.remove(Tag.self)
    entity.destroy()
    expectEqual(values.items, [[1, 2], [2, nil]])
    withExtendedLifetime(subscription) {}
  }

  @Test func `An entity's observer can ask for the end alone`() {
    let entity = context.createEntity(with: Tag())
    let subscription = entity.record(.removed, into: events)
    entity.set(Health(points: 1))
    entity.set(Health(points: 2))
    entity.remove(Tag.self)
    entity.destroy()
    expectEqual(events.items, [.removed(entity), .destroyed(entity)])
    withExtendedLifetime(subscription) {}
  }

  @Test func `The next entity in the place of an observed one is not observed`() {
    let entity = context.createEntity(with: Tag())
    let subscription = entity.record(into: events)
    entity.destroy()
    expectEqual(events.take(), [.destroyed(entity)])
    let next = context.createEntity(with: Tag())
    next.set(Health(points: 1))
    next.destroy()
    expectTrue(events.items.isEmpty)
    withExtendedLifetime(subscription) {}
  }

  @Test func `Observing a dead entity does nothing`() {
    let entity = context.createEntity(with: Tag())
    entity.destroy()
    let subscription = entity.record(into: events)
    context.createEntity(with: Tag()).set(Health(points: 1)).destroy()
    subscription.cancel()
    expectTrue(events.items.isEmpty)
  }

  @Test func `A context's observer hears of entities that are made and destroyed`() {
    let told = Recorder<String>()
    let subscription = context.observeEvents { event in
      switch event {
      case .created(let entity): told.append("created \(entity.components().count)")
      case .destroyed(let entity, let components):
        told.append("destroyed \(entity.isAlive) \(components.map(\.cid.name).sorted())")
      case .createdGroup(let group): told.append("group \(group.matcher)")
      case .createdIndex(let component): told.append("index \(component)")
      }
    }
    let entity = context.createEntity(with: Health(points: 1), Name("n"))
    entity.remove(Name.self)
    entity.destroy()
    _ = context.group(Tag.matcher)
    _ = context.group(Tag.matcher)
    _ = context.index { (health: Health) in health.points }
    context.createEntity().destroy()
    expectEqual(
      told.items,
      [
        "created 2", "destroyed false [\"Health\"]", "group all(Tag)", "index Health",
        "created 0", "destroyed false []",
      ])
    withExtendedLifetime(subscription) {}
  }

  @Test func `A context's observer hears no more once it is canceled`() {
    let told = Recorder<Int>()
    let subscription = context.observeEvents { _ in told.append(1) }
    let other = context.observeEvents { _ in told.append(2) }
    subscription.cancel()
    context.createEntity(with: Tag())
    _ = context.group(Tag.matcher)
    expectEqual(told.items, [2, 2])
    other.cancel()
    context.destroyAllEntities()
    expectEqual(told.items, [2, 2])
  }
}
