import ECS
import ECSTestSupport
import Testing

/// Components end exactly once, and as soon as nothing holds them.
@Suite struct LifetimeTests {
  let counter = LifeCounter()

  @Test func `Adding keeps one instance`() {
    let context = Context()
    let entity = context.createEntity().set(Tracked(counter))
    expectEqual(counter.beginnings, 1)
    expectEqual(counter.living, 1)
    withExtendedLifetime(entity) {}
  }

  @Test func `Replacing ends the instance before`() {
    let context = Context()
    let entity = context.createEntity(with: Tracked(counter))
    for _ in 0..<10 { entity.set(Tracked(counter)) }
    expectEqual(counter.beginnings, 11)
    expectEqual(counter.living, 1)
    entity.update(Tracked.self) { $0 = Tracked(counter) }
    expectEqual(counter.living, 1)
  }

  @Test func `Setting the same instance again keeps it`() {
    let context = Context()
    let tracked = Tracked(counter)
    let entity = context.createEntity(with: tracked)
    for _ in 0..<10 { entity.set(tracked) }
    context.createEntity(with: tracked).destroy()
    expectEqual(counter.endings, 0)
    withExtendedLifetime(tracked) {}
  }

  @Test func `Removing ends the instance`() {
    let context = Context()
    let entity = context.createEntity(with: Tracked(counter), Tag())
    entity.remove(Tracked.self)
    expectEqual(counter.living, 0)
    expectTrue(entity.has(Tag.self))
  }

  @Test func `Moving between combinations of components keeps all instances`() {
    let context = Context()
    let entities = (0..<50).map { _ in context.createEntity(with: Tracked(counter)) }
    for entity in entities { entity.set(Name("n")) }
    for entity in entities.prefix(20) { entity.set(OtherTracked(counter)) }
    for entity in entities { entity.remove(Name.self) }
    expectEqual(counter.endings, 0)
    expectEqual(counter.living, 70)
    expectTrue(entities.allSatisfy { $0.has(Tracked.self) })
  }

  @Test func `Destroying ends the instances of the entity alone`() {
    let context = Context()
    let entities = (0..<20).map { _ in
      context.createEntity(with: Tracked(counter), OtherTracked(counter))
    }
    for (number, entity) in entities.enumerated() where number.isMultiple(of: 2) {
      entity.destroy()
      expectEqual(counter.endings, number + 2)
    }
    expectEqual(counter.living, 20)
  }

  @Test func `Destroying all ends all`() {
    let context = Context()
    context.createEntities(100, with: Tracked(counter), Tag())
    expectEqual(counter.beginnings, 1, "bulk creation copies the value")
    for _ in 0..<100 { context.createEntity(with: OtherTracked(counter)) }
    expectEqual(counter.living, 101)
    context.destroyAllEntities()
    expectEqual(counter.living, 0)
  }

  @Test func `The end of the context ends all`() {
    var context: Context? = Context()
    for number in 0..<100 {
      let entity = context?.createEntity(with: Tracked(counter))
      if number.isMultiple(of: 2) { entity?.set(OtherTracked(counter)) }
    }
    expectEqual(counter.living, 150)
    context = nil
    expectEqual(counter.living, 0)
    expectEqual(counter.endings, 150)
    expectNil(context)
  }

  @Test func `A write to a dead entity ends the value at once`() {
    let context = Context()
    let entity = context.createEntity()
    entity.destroy()
    entity.set(Tracked(counter))
    entity.setIfChanged(Health(points: 1))
    expectEqual(counter.beginnings, 1)
    expectEqual(counter.living, 0)
  }

  @Test func `Growing and shrinking storage keeps all instances`() {
    let context = Context()
    let entities = (0..<1_000).map { context.createEntity(with: Tracked(counter, number: $0)) }
    for entity in entities.dropFirst(10) { entity.destroy() }
    context.compact()
    expectEqual(counter.living, 10)
    expectEqual(entities.prefix(10).map { $0.get(Tracked.self)?.number }, Array(0..<10))
  }

  @Test func `Queued changes end what they replace, once`() {
    let context = Context()
    let entities = (0..<10).map { _ in context.createEntity(with: Tracked(counter), Tag()) }
    context.group(Tag.matcher).withEach { (entity, _: Tag) in
      entity.set(Tracked(counter))
      entity.set(Tracked(counter))
      entity.remove(OtherTracked.self)
      context.createEntity(with: OtherTracked(counter))
    }
    expectEqual(counter.living, 20)
    context.group(Tag.matcher).withEach { (entity, _: Tag) in entity.destroy() }
    expectEqual(counter.living, 10)
    expectTrue(entities.allSatisfy { !$0.isAlive })
    context.destroyAllEntities()
    expectEqual(counter.living, 0)
    expectEqual(counter.beginnings, 40)
  }

  @Test func `Queued values are dropped when they come too late`() {
    let context = Context()
    let entity = context.createEntity(with: Tag())
    context.group(Tag.matcher).withEach { (_, _: Tag) in
      entity.destroy()
      entity.set(Tracked(counter))
    }
    expectEqual(counter.beginnings, 1)
    expectEqual(counter.living, 0)
    expectEqual(context.statistics.staleWrites, 1)
  }

  @Test func `Iteration that mutates ends what it replaces`() {
    let context = Context()
    for _ in 0..<20 { context.createEntity(with: Tracked(counter)) }
    let group = context.group(Tracked.matcher)
    group.withEach { (_, tracked: inout Tracked) in tracked = Tracked(counter) }
    expectEqual(counter.living, 20)
    group.withChunks { (chunk, tracked: inout MutableSpan<Tracked>) in
      for offset in 0..<chunk.count { tracked[offset] = Tracked(counter) }
    }
    expectEqual(counter.living, 20)
    group.withChunksInParallel { [counter] (chunk, tracked: inout MutableSpan<Tracked>) in
      for offset in 0..<chunk.count { tracked[offset] = Tracked(counter) }
    }
    expectEqual(counter.living, 20)
    expectEqual(counter.beginnings, 80)
  }

  @Test func `Observers don't keep values after delivery`() {
    let context = Context()
    let seen = Recorder<Int>()
    let subscription = context.group(Tracked.matcher).observeChanges { change in
      seen.append(change.old(Tracked.self)?.number ?? change.new(Tracked.self)?.number ?? -1)
    }
    let entity = context.createEntity(with: Tracked(counter, number: 1))
    entity.set(Tracked(counter, number: 2))
    expectEqual(counter.living, 1)
    entity.remove(Tracked.self)
    expectEqual(counter.living, 0)
    expectEqual(seen.items, [1, 1, 2])
    withExtendedLifetime(subscription) {}
  }

  @Test func `Unique components end when they are replaced and removed`() {
    struct UniqueTracked: UniqueComponent { let instance: TrackedInstance }
    let context = Context()
    context.setUniqueComponent(UniqueTracked(instance: TrackedInstance(counter)))
    context.setUniqueComponent(UniqueTracked(instance: TrackedInstance(counter)))
    expectEqual(counter.living, 1)
    context.createEntity().set(UniqueTracked(instance: TrackedInstance(counter)))
    expectEqual(counter.living, 1)
    context.withUnique(UniqueTracked(instance: TrackedInstance(counter))) {
      expectEqual(counter.living, 2)
    }
    expectEqual(counter.living, 1)
    context.removeUniqueComponent(UniqueTracked.self)
    expectEqual(counter.living, 0)
    expectEqual(counter.beginnings, 4)
  }

  @Test func `Keys of an index end with their bucket`() {
    struct Key: Hashable, Sendable {
      let number: Int
      let instance: TrackedInstance
      static func == (left: Key, right: Key) -> Bool { left.number == right.number }
      func hash(into hasher: inout Hasher) { hasher.combine(number) }
    }
    let context = Context()
    let index = context.index { [counter] (health: Health) in
      Key(number: Int(health.points), instance: TrackedInstance(counter))
    }
    let entities = (0..<10).map { context.createEntity(with: Health(points: $0 % 2)) }
    expectEqual(counter.living, 2)
    for entity in entities { entity.set(Health(points: 7)) }
    expectEqual(counter.living, 1)
    context.destroyAllEntities()
    expectEqual(counter.living, 0)
    expectEqual(index.keyCount, 0)
  }
}

/// The end of a component's value is user code: it may call the context.
@Suite struct LifetimeCallbackTests {
  let counter = LifeCounter()
  let context = Context()

  /// A component whose end counts an entity's health down.
  func tracked(_ entity: Entity) -> Tracked {
    Tracked(counter) { entity.update(Health.self) { $0.points -= 1 } }
  }

  @Test func `The end of a value may change its context`() {
    let health = context.createEntity(with: Health(points: 10))
    let entity = context.createEntity(with: tracked(health))
    entity.set(tracked(health))
    expectEqual(health.get(Health.self)?.points, 9)
    entity.remove(Tracked.self)
    expectEqual(health.get(Health.self)?.points, 8)
    context.createEntity(with: tracked(health)).destroy()
    expectEqual(health.get(Health.self)?.points, 7)
    context.perform { context.createEntity(with: tracked(health)).destroy() }
    expectEqual(health.get(Health.self)?.points, 6)
    context.createEntity(with: tracked(health), Tag())
    context.group(Tag.matcher).withEach { (entity, _: Tag) in entity.remove(Tracked.self) }
    expectEqual(health.get(Health.self)?.points, 5)
  }

  @Test func `The end of a value may destroy and create entities while all are destroyed`() {
    let victim = context.createEntity(with: Tag())
    let created = Recorder<Entity>()
    for _ in 0..<5 {
      let context = context
      context.createEntity(
        with: Tracked(counter) {
          victim.destroy()
          created.append(context.createEntity(with: Tag()))
        })
    }
    context.destroyAllEntities()
    expectEqual(created.count, 5)
    expectTrue(created.items.allSatisfy { $0.isAlive })
    expectEqual(context.count, 5)
    expectEqual(counter.living, 0)
  }

  @Test func `A value that ends late in a chain may end others`() {
    var next: Entity?
    for _ in 0..<1_000 {
      let following = next
      next = context.createEntity(with: Tracked(counter) { following?.destroy() })
    }
    next?.destroy()
    expectEqual(context.count, 0)
    expectEqual(counter.living, 0)
  }

  @Test func `The end of a value may create many entities while reserved ones still wait`() {
    let created = Recorder<Entity>()
    let context = context
    let entity = context.createEntity(
      with: Tracked(counter) {
        for entity in context.createEntities(60, with: Name("made at the end")) {
          created.append(entity)
        }
      })
    var reserved: [Entity] = []
    context.group(Tracked.matcher).withEach { (_, _: Tracked) in
      entity.set(Tracked(counter))
      for number: Int32 in 0..<50 {
        reserved.append(context.createEntity(with: Health(points: number)))
      }
    }
    expectEqual(created.count, 60)
    expectTrue(created.items.allSatisfy { $0.get(Name.self)?.text == "made at the end" })
    expectEqual(reserved.map { $0.get(Health.self)?.points }, Array(0..<50))
    expectEqual(Set(reserved + created.items).count, 110)
    expectEqual(context.count, 111)
  }

  @Test func `The end of a value sees the change that ended it`() {
    let seen = Recorder<String>()
    let group = context.group(Tracked.matcher)
    let entity = context.createEntity()
    entity.set(
      Tracked(counter) { seen.append("\(entity.has(Tracked.self)) \(group.contains(entity))") })
    entity.remove(Tracked.self)
    entity.set(Tracked(counter) { seen.append("\(entity.isAlive) \(group.count)") })
    entity.destroy()
    expectEqual(seen.items, ["false false", "false 0"])
  }

  @Test func `The end of a value with the context finds dead entities`() {
    let alive = Recorder<Bool>()
    var context: Context? = Context()
    if let made = context {
      let other = made.createEntity(with: Tag())
      made.createEntity(
        with: Tracked(counter) {
          alive.append(other.isAlive)
          other.set(Health(points: 1))
          other.destroy()
        })
    }
    context = nil
    expectEqual(alive.items, [false])
    expectEqual(counter.living, 0)
    expectNil(context)
  }

  @Test func `The end of a value with the context may make another context`() {
    let counts = Recorder<Int>()
    var context: Context? = Context()
    for _ in 0..<3 {
      context?.createEntity(
        with: Tracked(counter) {
          let other = Context()
          other.createEntities(10, with: Tag())
          counts.append(other.count)
        })
    }
    context = nil
    expectEqual(counts.items, [10, 10, 10])
    expectNil(context)
  }
}
