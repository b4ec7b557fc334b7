import ECS
import ECSTestSupport
import Testing

/// What is left when a context is gone, and contexts that go in the middle of something.
@Suite(.noHangs) struct ContextEndTests {
  @Test func `Handles are dead when their context is gone`() {
    var context: Context? = Context()
    let entities = context?.createEntities(10, with: Position(x: 1, y: 2), Tag()) ?? []
    context = nil
    expectEqual(entities.count, 10)
    for entity in entities {
      expectFalse(entity.isAlive)
      expectNil(entity.get(Position.self))
      expectFalse(entity.has(Tag.self))
      expectNil(entity.context)
      expectTrue(entity.components().isEmpty)
      entity.set(Health(points: 1)).remove(Tag.self)
      entity.update(Position.self) { $0.x = 0 }
      entity.destroy()
      expectFalse(entity.isAlive)
      expectTrue(entity.description.contains("dead"))
    }
    expectNil(context)
  }

  @Test func `Handles of a context that is gone never reach later ones`() {
    var old: [Entity] = []
    for round in 0..<200 {
      let context = Context()
      let entities = context.createEntities(20, with: Health(points: Int32(round)))
      expectTrue(Set(old).isDisjoint(with: entities))
      for entity in old {
        entity.set(Health(points: -1))
        entity.destroy()
      }
      expectTrue(old.allSatisfy { !$0.isAlive && $0.get(Health.self) == nil })
      expectTrue(entities.allSatisfy { $0.get(Health.self)?.points == Int32(round) })
      expectEqual(context.count, 20)
      expectEqual(context.statistics.staleWrites, 0, "they are no writes to this context")
      old = Array(entities.prefix(5)) + old.prefix(40)
    }
  }

  @Test func `Groups that outlive their context are empty`() {
    var context: Context? = Context()
    guard let group = context?.group(Tag.matcher) else { return }
    let entities = context?.createEntities(3, with: Tag()) ?? []
    let owner = TrackedInstance(LifeCounter())
    expectEqual(group.sorted(), entities)
    expectEqual(group.sorted(forObject: owner) { _, _ in false }, entities)
    context = nil
    expectEqual(group.count, 0)
    expectTrue(group.isEmpty)
    expectNil(group.first)
    expectTrue(Array(group).isEmpty)
    expectTrue(group.sorted().isEmpty)
    expectTrue(group.sorted(forObject: owner) { _, _ in false }.isEmpty)
    expectTrue(entities.allSatisfy { !group.contains($0) })
    var visits = 0
    group.withEach { (_, _: Tag) in visits += 1 }
    group.withChunks { (_, _: Span<Tag>) in visits += 1 }
    group.withChunksInParallel { (_, _: Span<Tag>) in }
    expectEqual(visits, 0)
    expectTrue(group.description.contains("Tag"))
  }

  @Test func `Sorted results do not outlive the context in the group's cache`() {
    var context: Context? = Context()
    guard let group = context?.group(Tag.matcher) else { return }
    let entity = context?.createEntity(with: Tag())
    let owner = TrackedInstance(LifeCounter())
    func sorted() -> [Entity] { group.sorted(forObject: owner) { _, _ in false } }
    expectEqual(group.sorted(), [entity])
    expectEqual(sorted(), [entity])
    context = nil
    expectTrue(group.sorted().isEmpty)
    expectTrue(sorted().isEmpty)
  }

  @Test func `Collectors that outlive their context are empty`() {
    var context: Context? = Context()
    guard let collector = context?.collector(for: Tag.matcher) else { return }
    context?.createEntities(3, with: Tag())
    expectEqual(collector.count, 3)
    context = nil
    expectTrue(collector.isEmpty)
    expectTrue(collector.drain().isEmpty)
    expectNil(collector.popFirst())
    let other = Context()
    other.createEntities(3, with: Tag())
    _ = other.group(Tag.matcher)
    expectTrue(collector.isEmpty, "the context that comes after is none of its business")
  }

  @Test func `Indexes that outlive their context are empty for good`() {
    var context: Context? = Context()
    guard let index = context?.index(key: { (health: Health) in health.points }),
      let several = context?.index(keys: { (health: Health) in [health.points] })
    else { return }
    context?.createEntities(3, with: Health(points: 1))
    expectEqual(index.count(for: 1), 3)
    let snapshot = index[1]
    context = nil
    let other = Context()
    other.createEntities(3, with: Health(points: 1))
    for index in [index, several] {
      expectTrue(index[1].isEmpty)
      expectEqual(index.keyCount, 0)
      index.pause()
      index.resume()
      expectEqual(index.keyCount, 0)
    }
    expectEqual(snapshot.count, 3)
    expectTrue(snapshot.allSatisfy { !$0.isAlive })
  }

  @Test func `Subscriptions may end after their context, even if its storage is reused`() {
    let events = Recorder<Event>()
    for _ in 0..<20 {
      var context: Context? = Context()
      let entity = context?.createEntity(with: Tag())
      let subscriptions = [
        context?.group(Tag.matcher).record(into: events), entity?.record(into: events),
        context?.observeEvents { _ in },
      ]
      context = nil
      let other = Context()
      let told = Recorder<Event>()
      let subscription = other.group(Tag.matcher).record(into: told)
      let observed = other.createEntity(with: Tag())
      let own = observed.record(into: told)
      for subscription in subscriptions { subscription?.cancel() }
      observed.set(Tag())
      expectEqual(told.items, [.added(observed), .updated(observed), .updated(observed)])
      withExtendedLifetime((subscription, own)) {}
    }
    expectTrue(events.items.isEmpty, "a context ends silently")
  }

  @Test func `Observers and collectors of a gone context may be made, and hear nothing`() {
    let events = Recorder<Event>()
    var context: Context? = Context()
    guard let group = context?.group(Tag.matcher) else { return }
    let entity = context?.createEntity(with: Tag())
    context = nil
    let subscriptions = [group.record(into: events), entity?.record(into: events)]
    let collector = Collector(group: group, type: .addedUpdatedOrRemoved)
    let other = Context()
    other.createEntity(with: Tag()).destroy()
    expectTrue(events.items.isEmpty)
    expectTrue(collector.isEmpty)
    withExtendedLifetime(subscriptions) {}
  }

  @Test func `A context that is observed and indexed does not keep itself alive`() {
    weak var gone: Context?
    let events = Recorder<Event>()
    do {
      let context = Context()
      gone = context
      let subscription = context.group(Tag.matcher).record(into: events)
      let index = context.index { (health: Health) in health.points }
      let entity = context.createEntity(with: Tag(), Health(points: 1))
      let other = entity.record(into: events)
      withExtendedLifetime((subscription, index, other)) {}
    }
    expectNil(gone)
  }

  @Test func `The closures of observers go with the context`() {
    let counter = LifeCounter()
    var context: Context? = Context()
    let captured = [TrackedInstance(counter), TrackedInstance(counter), TrackedInstance(counter)]
    weak let group = context?.group(Tag.matcher)
    var subscriptions = [
      group?.observeChanges { [instance = captured[0]] _ in withExtendedLifetime(instance) {} },
      context?.observeEvents { [instance = captured[1]] _ in withExtendedLifetime(instance) {} },
      context?.createEntity().observeChanges { [instance = captured[2]] _ in
        withExtendedLifetime(instance) {}
      },
    ]
    context = nil
    subscriptions = []
    expectNil(group)
    expectTrue(subscriptions.isEmpty)
    withExtendedLifetime(captured) {}
  }
}

@Suite(.noHangs) struct ContextEndInsideTests {
  let counter = LifeCounter()

  @Test func `A context may go inside perform`() {
    var context: Context? = Context()
    let entity = context?.createEntity(with: Tracked(counter))
    let core = context?.group(Tag.matcher)
    weak let gone = context
    func perform(_ context: Context, _ body: () -> Void) { context.perform(body) }
    if let inner = context.take() {
      perform(inner) { context = nil }
    }
    expectNil(gone)
    expectEqual(entity?.isAlive, false)
    expectEqual(counter.living, 0)
    expectEqual(core?.isEmpty, true)
  }

  @Test func `A context may go inside an iteration`() {
    let holder = Recorder<Context>()
    let group: Group
    let entities: [Entity]
    do {
      let context = Context()
      group = context.group(Tag.matcher)
      entities = context.createEntities(3, with: Tag(), Tracked(counter))
      holder.append(context)
    }
    var visits = 0
    group.withEach { (entity, tag: inout Tag) in
      _ = holder.take()
      visits += 1
      entity.set(Health(points: 1))
      expectTrue(entity.isAlive, "the section is still going on")
    }
    expectEqual(visits, 3)
    expectTrue(entities.allSatisfy { !$0.isAlive })
    expectTrue(group.isEmpty)
    expectEqual(counter.living, 0)
  }

  @Test func `A context may go inside a chunk iteration`() {
    let holder = Recorder<Context>()
    let group: Group
    do {
      let context = Context()
      group = context.group(Name.matcher)
      context.createEntities(3, with: Name("n"), Tracked(counter))
      holder.append(context)
    }
    group.withChunks { (chunk, names: inout MutableSpan<Name>) in
      _ = holder.take()
      for offset in 0..<chunk.count { names[offset].text += " still here" }
    }
    expectTrue(group.isEmpty)
    expectEqual(counter.living, 0)
  }

  @Test func `A context may go inside an observer`() {
    let holder = Recorder<Context>()
    let entity: Entity
    let subscriptions: [Subscription]
    do {
      let context = Context()
      holder.append(context)
      let group = context.group(Tag.matcher)
      subscriptions = [
        group.observeChanges { _ in _ = holder.take() }, group.observeChanges { _ in },
        context.observeEvents { _ in },
      ]
      entity = context.createEntity(with: Tracked(counter))
    }
    entity.set(Tag())
    expectEqual(holder.count, 0)
    expectFalse(entity.isAlive)
    expectEqual(counter.living, 0)
    withExtendedLifetime(subscriptions) {}
  }

  @Test func `A context may go with a value that it holds itself`() {
    struct Owner: Component { let context: Recorder<Context> }
    let entity: Entity
    let holder = Recorder<Context>()
    do {
      let context = Context()
      entity = context.createEntity(with: Owner(context: holder), Tracked(counter))
      holder.append(context)
    }
    expectTrue(entity.isAlive)
    _ = holder.take()
    expectFalse(entity.isAlive)
    expectEqual(counter.living, 0)
  }

  @Test func `A context may go with the value that owns it`() {
    final class Owner: Component {
      let context: Context
      init(_ context: Context) { self.context = context }
    }
    let entity: Entity
    weak var gone: Context?
    do {
      let context = Context()
      gone = context
      entity = context.createEntity(with: Owner(context), Tag())
    }
    expectNotNil(gone, "the context and its value own each other")
    entity.destroy()
    expectNil(gone)
    expectFalse(entity.isAlive)
  }

  @Test func `Contexts that come and go don't interfere`() {
    let lasting = Context()
    let entity = lasting.createEntity(with: Health(points: 1))
    for round in 0..<100 {
      let context = Context(name: "\(round)")
      context.createEntities(50, with: Health(points: 2))
      context.setUniqueComponent(Settings(volume: round))
      expectEqual(context.statistics.entities, 51)
      expectEqual(context.statistics.groups, 0)
      expectEqual(context.uniqueComponent(Settings.self)?.volume, round)
    }
    expectEqual(entity.get(Health.self)?.points, 1)
    expectEqual(lasting.count, 1)
  }

  @Test func `A group whose context is gone is not observed`() {
    var context: Context? = Context()
    let group = context?.group(Tag.matcher)
    context = nil
    let other = Context()
    let changes = Recorder<Int>()
    let subscription = group?.observeChanges { _ in changes.append(1) }
    other.createEntity(with: Tag()).destroy()
    expectTrue(changes.items.isEmpty)
    expectNil(context)
    subscription?.cancel()
  }

  // What is left behind in a process of its own, the leak check of the address sanitizer sees.
  @Test func `Groups that were observed go with their context`() async {
    await #expect(processExitsWith: .success) {
      var kept: [Subscription] = []
      for _ in 0..<10 {
        let context = Context()
        let group = context.group(Tag.matcher)
        let cancelled = group.observeChanges { _ in }
        kept.append(group.observeChanges { _ in })
        context.createEntity(with: Tag()).destroy()
        cancelled.cancel()
      }
      kept.removeAll()
    }
  }
}
