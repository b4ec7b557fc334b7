import Dispatch
import ECS
import ECSTestSupport
import Testing

/// What is notified of values that an iteration mutates.
@Suite struct IterationNotificationTests {
  struct Refusal: Error {}

  let context = Context()
  let events = Recorder<Event>()
  let group: Group

  init() { group = context.group(Health.matcher) }

  @Test func `Each entity and mutated component notifies once`() {
    let entities = (0..<3).map {
      context.createEntity(with: Health(points: $0), Position(x: 0, y: 0), Tag())
    }
    let changes = Recorder<String>()
    let subscription = context.group(Tag.matcher).record(into: events)
    let subscriptions = [
      group.observeChanges {
        changes.append("health \($0.kind) \(String(describing: $0.component))")
      },
      context.group(Position.matcher).observeChanges { changes.append("position \($0.kind)") },
    ]
    group.withEach { (_, health: inout Health, position: inout Position) in
      health.points += 1
      health.points += 1
      position.x += 1
    }
    expectEqual(
      changes.items,
      (0..<3).flatMap { _ in ["health updated Optional(Health)", "position updated"] })
    expectTrue(events.items.isEmpty, "the tag was not mutated")
    expectTrue(entities.allSatisfy { $0.isAlive })
    withExtendedLifetime((subscription, subscriptions)) {}
  }

  @Test func `A change carries the values before and after`() {
    for number: Int32 in 0..<3 { context.createEntity(with: Health(points: number)) }
    let values = Recorder<[Int32?]>()
    let subscription = group.observeChanges(of: Health.self) { _, old, new in
      values.append([old?.points, new?.points])
    }
    group.withEach { (_, health: inout Health) in health.points += 10 }
    expectEqual(values.items, [[0, 10], [1, 11], [2, 12]])
    withExtendedLifetime(subscription) {}
  }

  @Test func `Observers of an entity hear of it`() {
    let entities = (0..<3).map { context.createEntity(with: Health(points: $0)) }
    let values = Recorder<[Int32?]>()
    let subscription = entities[1].observeChanges(of: Health.self) { _, old, new in
      values.append([old?.points, new?.points])
    }
    group.withEach { (_, health: inout Health) in health.points += 10 }
    group.withChunks { (chunk, health: inout MutableSpan<Health>) in
      for offset in 0..<chunk.count { health[offset].points += 100 }
    }
    expectEqual(values.items, [[1, 11], [11, 111]])
    withExtendedLifetime(subscription) {}
  }

  @Test func `Chunks notify for each entity in them`() {
    let entities = (0..<3).map { context.createEntity(with: Health(points: $0)) }
    let subscription = group.record(into: events)
    let collector = Collector(group: group, type: .updated)
    group.withChunks { (chunk, health: inout MutableSpan<Health>) in
      if chunk.count > 0 { health[0].points += 1 }
    }
    expectEqual(events.take(), entities.map { .updated($0) })
    expectEqual(Array(collector.drain()), entities)
    group.withChunksInParallel { (chunk, health: inout MutableSpan<Health>) in
      for offset in 0..<chunk.count { health[offset].points += 1 }
    }
    expectEqual(events.take(), entities.map { .updated($0) })
    expectEqual(Array(collector.drain()), entities)
    withExtendedLifetime(subscription) {}
  }

  @Test func `Reading notifies nothing`() {
    context.createEntities(3, with: Health(points: 1))
    let subscription = group.record(into: events)
    let collector = Collector(group: group, type: .addedUpdatedOrRemoved)
    group.withEach { (_, _: Health) in }
    group.withChunks { (_, _: Span<Health>) in }
    group.withChunksInParallel { (_, _: Span<Health>) in }
    expectTrue(events.items.isEmpty)
    expectTrue(collector.isEmpty)
    withExtendedLifetime(subscription) {}
  }

  @Test func `A component that is only read beside a mutated one notifies nothing`() {
    context.createEntities(3, with: Health(points: 1), Position(x: 0, y: 0))
    let positions = context.collector(for: Position.matcher, type: .updated)
    group.withEach { (_, health: inout Health, _: Position) in health.points += 1 }
    expectTrue(positions.isEmpty)
  }

  @Test func `Collectors and indexes follow mutated values`() {
    let entities = (0..<5).map { context.createEntity(with: Health(points: $0)) }
    let collector = Collector(group: group, type: .updated)
    let index = context.index { (health: Health) in health.points }
    group.withEach { (_, health: inout Health) in health.points *= 10 }
    expectEqual(Array(collector.drain()), entities)
    expectEqual(index[40].first, entities[4])
    expectTrue(index[4].isEmpty)
    expectEqual(index.keyCount, 5)
  }

  @Test func `Notifications come after the iteration, and queued changes after them`() {
    let entity = context.createEntity(with: Health(points: 1))
    let order = Recorder<String>()
    let subscriptions = [
      group.observeChanges { order.append("health \($0.kind)") },
      context.group(Tag.matcher).observeChanges { order.append("tag \($0.kind)") },
    ]
    group.withEach { (_, health: inout Health) in
      entity.set(Tag())
      health.points += 1
      order.append("body")
    }
    expectEqual(order.items, ["body", "health updated", "tag added"])
    withExtendedLifetime(subscriptions) {}
  }

  @Test func `Notifications of an iteration inside perform wait for its end`() {
    context.createEntity(with: Health(points: 1))
    let subscription = group.record(into: events)
    context.perform {
      group.withEach { (_, health: inout Health) in health.points += 1 }
      expectTrue(events.items.isEmpty)
    }
    expectEqual(events.count, 1)
    withExtendedLifetime(subscription) {}
  }

  @Test func `A closure that throws notifies for what it visited, and loses its own value`() {
    let entities = (0..<4).map { context.createEntity(with: Health(points: $0)) }
    let subscription = group.record(into: events)
    #expect(throws: Refusal.self) {
      try group.withEach { (entity, health: inout Health) in
        health.points += 10
        if entity == entities[2] { throw Refusal() }
      }
    }
    expectEqual(entities.map { $0.get(Health.self)?.points }, [10, 11, 2, 3])
    expectEqual(events.items, [.updated(entities[0]), .updated(entities[1])])
    withExtendedLifetime(subscription) {}
  }

  @Test func `A chunk body that throws notifies for its whole chunk`() {
    let entities = (0..<4).map { context.createEntity(with: Health(points: $0)) }
    let subscription = group.record(into: events)
    #expect(throws: Refusal.self) {
      try group.withChunks { (_, health: inout MutableSpan<Health>) in
        health[1].points = 7
        throw Refusal()
      }
    }
    expectEqual(entities[1].get(Health.self)?.points, 7)
    expectEqual(events.items, entities.map { .updated($0) })
    withExtendedLifetime(subscription) {}
  }

  @Test func `An observer that is added inside hears of values that were mutated`() {
    let entity = context.createEntity(with: Health(points: 1))
    let news = Recorder<Int32?>()
    var subscription: Subscription?
    group.withEach { (_, health: inout Health) in
      subscription = group.observeChanges(of: Health.self) { _, _, new in news.append(new?.points) }
      health.points = 2
    }
    expectEqual(news.items, [2])
    entity.set(Health(points: 3))
    expectEqual(news.items, [2, 3])
    withExtendedLifetime(subscription) {}
  }

  @Test func `An observer that is canceled inside is not called`() {
    context.createEntity(with: Health(points: 1))
    var subscription: Subscription? = group.record(into: events)
    group.withEach { (_, health: inout Health) in
      health.points = 2
      subscription?.cancel()
      subscription = nil
    }
    expectTrue(events.items.isEmpty)
  }

  final class Resource: Sendable {
    let end: @Sendable () -> Void
    init(_ end: @escaping @Sendable () -> Void) { self.end = end }
    deinit { end() }
  }

  struct Owner: Component { var resource: Resource }

  /// A value that notes, when it ends, whether another thread gets the lock meanwhile.
  private func owner(_ ends: Recorder<Bool>) -> Owner {
    Owner(
      resource: Resource { [weak context] in
        // Another thread gets the lock, or waits for this one in vain.
        let counted = DispatchSemaphore(value: 0)
        DispatchQueue(label: "another").async { [context] in
          _ = context?.count
          counted.signal()
        }
        ends.append(counted.wait(timeout: .now() + 5) == .success)
      })
  }

  @Test func `Values that were kept for observers end without the lock`() {
    let ends = Recorder<Bool>()
    let entities = (0..<3).map { _ in context.createEntity(with: owner(ends)) }
    // An observer wants what an entity was, so what all were is kept.
    let subscription = entities[0].observeChanges { _ in }
    let owners = context.group(Owner.matcher)
    owners.withEach { (_, owner: inout Owner) in owner = Owner(resource: Resource {}) }
    expectEqual(ends.items, [true, true, true])
    withExtendedLifetime(subscription) {}
  }

  @Test func `Values that inner iterations kept end without the lock`() {
    let ends = Recorder<Bool>()
    let entities = (0..<3).map { _ in context.createEntity(with: owner(ends)) }
    let owners = context.group(Owner.matcher)
    let subscription = entities[0].observeChanges { _ in }
    // What reacts to all of them is notified when the outer iteration ends, and wants no values.
    let collector = Collector(group: owners, type: .updated)
    context.createEntity(with: Position(x: 0, y: 0))
    context.group(Position.matcher).withEach { (_, _: inout Position) in
      owners.withEach { (_, owner: inout Owner) in owner = Owner(resource: Resource {}) }
    }
    expectEqual(ends.items, [true, true, true])
    expectEqual(collector.drain().count, 3)
    withExtendedLifetime(subscription) {}
  }

  @Test func `Values that wait for an entity that is gone end without the lock`() {
    let ends = Recorder<Bool>()
    let entity = context.createEntity(with: Name("parent"))
    let child = context.createEntity(with: Name("child"))
    child.relate(ChildOf.self, to: entity)
    context.createEntity(with: Position(x: 0, y: 0))
    context.group(Position.matcher).withEach { (_, _: inout Position) in
      // The child goes with its parent, which is only found out at the end.
      entity.destroy()
      child.set(owner(ends))
    }
    expectFalse(child.isAlive)
    expectEqual(ends.items, [true])
  }

  @Test func `A collector may go inside`() {
    context.createEntities(3, with: Health(points: 1))
    var collector: Collector? = Collector(group: group, type: .updated)
    var index: Index<Int32>? = context.index { (health: Health) in health.points }
    group.withEach { (_, health: inout Health) in
      health.points = 2
      collector = nil
      index = nil
    }
    expectTrue(collector == nil && index == nil)
    expectEqual(context.statistics.collectors, 0)
    expectEqual(context.statistics.indexes, 0)
  }
}
