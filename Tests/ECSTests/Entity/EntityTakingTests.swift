import ECS
import ECSTestSupport
import Testing

/// A component that tells whether anything else has what it holds.
private struct Bag: Component, UniqueComponent {
  final class Items: Sendable {}

  private var items = Items()
  var numbers: [Int] = []

  /// Whether a change of the contents would copy them.
  var isShared: Bool {
    mutating get { !isKnownUniquelyReferenced(&items) }
  }
}

private struct Sack: Component, Equatable {
  var numbers: [Int] = []
}

/// Changing a component in place, without a copy of what it holds.
@Suite struct EntityTakingTests {
  let context = Context()
  let entity: Entity

  init() { entity = context.createEntity(with: Sack(numbers: [1]), Health(points: 1)) }

  private func isShared(_ bag: inout Bag) -> Bool { bag.isShared }

  @Test func `An update has the value to itself`() {
    let entity = context.createEntity(with: Bag())
    expectEqual(entity.update(Bag.self, isShared), false)
    expectEqual(context.updateUniqueComponent(Bag.self, isShared), false)
    var areShared: [Bool] = []
    context.group(Bag.matcher).withEach { (_, bag: inout Bag) in areShared.append(bag.isShared) }
    expectEqual(areShared, [false])
    let collector = Collector(group: context.group(Bag.matcher), type: .updated)
    expectEqual(entity.update(Bag.self, isShared), false)
    expectEqual(collector.count, 1)
  }

  @Test func `Observers of the whole and other views leave the value to the closure`() {
    let entity = context.createEntity(with: Bag(), Health(points: 1))
    let calls = Recorder<Int>()
    let subscription = context.group(Bag.matcher).observe(initial: false) { _ in calls.append(1) }
    let view = context.group(Health.matcher).sorted(by: \Health.points).start()
    expectEqual(entity.update(Bag.self, isShared), false)
    expectEqual(calls.count, 1)
    expectEqual(view.count, 2)
    withExtendedLifetime(subscription) {}
  }

  @Test func `A view sees the value before until the closure has returned`() {
    let view = context.group(Health.matcher).filtered { (sack: Sack) in sack.numbers.count < 3 }
      .start()
    let other = context.createEntity(with: Sack(numbers: [1, 2]))
    other.update(Sack.self) { sack in
      sack.numbers += [3, 4]
      // It joins what is viewed, and is looked at.
      other.set(Health(points: 1))
      expectTrue(view.contains(other))
    }
    expectFalse(view.contains(other))
    expectEqual(other.get(Sack.self)?.numbers.count, 4)
  }

  @Test func `Observers that want the old value get it`() {
    let values = Recorder<[Int]>()
    let subscription = context.group(Sack.matcher).observeChanges { change in
      values.append((change.old(Sack.self)?.numbers ?? []) + (change.new(Sack.self)?.numbers ?? []))
    }
    entity.update(Sack.self) { $0.numbers.append(2) }
    expectEqual(values.items, [[1, 1, 2]])
    withExtendedLifetime(subscription) {}
  }

  @Test func `Taking removes and returns`() {
    let collector = Collector(group: context.group(Sack.matcher), type: .removed)
    expectEqual(entity.take(Sack.self), Sack(numbers: [1]))
    expectFalse(entity.has(Sack.self))
    expectNil(entity.take(Sack.self))
    expectEqual(collector.count, 1)
    var bag = context.createEntity(with: Bag()).take(Bag.self)
    let isShared = bag?.isShared
    expectEqual(isShared, false)
  }

  @Test func `Taking a unique component ends a holder that was made for it`() {
    context.setUniqueComponent(Settings(volume: 3))
    expectEqual(context.count, 2)
    expectEqual(context.takeUniqueComponent(Settings.self)?.volume, 3)
    expectNil(context.takeUniqueComponent(Settings.self))
    expectEqual(context.count, 1)
  }

  @Test func `Taking inside an iteration is seen there`() {
    context.group(Health.matcher).withEach { (entity, _: Health) in
      expectEqual(entity.take(Sack.self), Sack(numbers: [1]))
      expectNil(entity.take(Sack.self))
    }
    expectFalse(entity.has(Sack.self))
  }

  @Test func `A closure that adds components moves the value with its row`() {
    entity.update(Sack.self) { sack in
      entity.set(Name("n")).set(Tag()).remove(Health.self)
      context.createEntities(1000, with: Sack(numbers: [7]), Name("o"), Tag())
      sack.numbers.append(2)
      context.compact()
    }
    expectEqual(entity.get(Sack.self)?.numbers, [1, 2])
    expectEqual(entity.get(Name.self)?.text, "n")
    expectEqual(
      context.group(Sack.matcher).filter { $0.get(Sack.self)?.numbers == [7] }.count, 1000)
  }

  @Test func `A closure that removes the component or destroys the entity is heard`() {
    let counter = LifeCounter()
    let (one, other) = (
      context.createEntity(with: Tracked(counter)), context.createEntity(with: Tracked(counter))
    )
    one.update(Tracked.self) { _ in one.remove(Tracked.self) }
    expectTrue(one.isAlive && !one.has(Tracked.self))
    expectEqual(counter.living, 1)
    other.update(Tracked.self) { tracked in
      context.destroyAllEntities()
      tracked = Tracked(counter)
    }
    expectFalse(other.isAlive)
    expectEqual(counter.living, 0)
  }

  @Test func `A closure that removes and sets the component again wins`() {
    let counter = LifeCounter()
    let entity = context.createEntity(with: Tracked(counter), Sack())
    entity.update(Tracked.self) { _ in entity.set(Tracked(counter)) }
    expectEqual(counter.living, 1)
    entity.update(Tracked.self) { tracked in
      entity.remove(Tracked.self)
      entity.set(Tracked(counter))
      tracked = Tracked(counter)
    }
    expectEqual(counter.living, 1)
    entity.update(Sack.self) { sack in
      entity.set(Sack(numbers: [9]))
      sack.numbers = [8]
    }
    expectEqual(entity.get(Sack.self)?.numbers, [8])
    entity.destroy()
    expectEqual(counter.living, 0)
  }

  @Test func `Observers of another component hear of an end inside, too`() {
    let events = Recorder<Event>()
    let subscription = context.group(Health.matcher).record(into: events)
    entity.update(Sack.self) { sack in
      sack.numbers.append(2)
      entity.destroy()
    }
    expectEqual(events.items, [.removed(entity)])
    withExtendedLifetime(subscription) {}
  }

  @Test func `Other entities and components can be used`() {
    let other = context.createEntity(with: Sack(numbers: [5]))
    entity.update(Sack.self) { sack in
      other.update(Sack.self) { $0.numbers += sack.numbers }
      sack.numbers += other.get(Sack.self)?.numbers ?? []
      context.group(Health.matcher).withEach { (_, health: inout Health) in health.points += 1 }
    }
    expectEqual(other.get(Sack.self)?.numbers, [5, 1])
    expectEqual(entity.get(Sack.self)?.numbers, [1, 5, 1])
    expectEqual(entity.get(Health.self)?.points, 2)
  }

  @Test func `A closure that throws leaves the value before`() {
    struct Refusal: Error {}
    #expect(throws: Refusal.self) {
      try entity.update(Sack.self) { sack in
        sack.numbers = []
        throw Refusal()
      }
    }
    expectEqual(entity.get(Sack.self)?.numbers, [1])
    #expect(throws: Refusal.self) {
      try context.group(Sack.matcher).withEach { (_, sack: inout Sack) in
        sack.numbers = []
        throw Refusal()
      }
    }
    expectEqual(entity.get(Sack.self)?.numbers, [1])
  }

  @Test(arguments: 0..<6)
  func `Reading what a closure is changing stops`(way: Int) async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) { [way = way as Int] in
      let context = Context()
      let entity = context.createEntity(with: Sack())
      let group = context.group(Sack.matcher)
      switch way {
      case 0: entity.update(Sack.self) { _ in _ = entity.get(Sack.self) }
      case 1: entity.update(Sack.self) { _ in entity.update(Sack.self) { _ in } }
      case 2: entity.update(Sack.self) { _ in _ = entity.components() }
      case 3: group.withEach { (entity, _: inout Sack) in _ = entity.get(Sack.self) }
      case 4:
        try? entity.update(Sack.self) { _ in
          try Task.checkCancellation()
          _ = entity.get(Sack.self)
        }
      default:
        group.withEach { (entity, _: inout Sack) in
          entity.set(Tag())
          _ = entity.get(Sack.self)
        }
      }
    }
    expectTrue(stopped(result, saying: "Sack was read from the entity", "the closure's parameter"))
  }

  @Test(arguments: 0..<2)
  func `Iterating over a column while a closure changes one of its values stops`(way: Int) async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) { [way = way as Int] in
      let context = Context()
      let entity = context.createEntity(with: Sack())
      entity.update(Sack.self) { _ in
        if way == 0 { context.group(Sack.matcher).withEach { (_, _: Sack) in } }
        if way == 1 { _ = context.index { (sack: Sack) in sack.numbers.count } }
      }
    }
    expectTrue(stopped(result, saying: "needs the Sack of all entities"))
  }

  @Test func `Neighbors may be read while a closure changes a value`() {
    let other = context.createEntity(with: Sack(numbers: [5]))
    context.group(Sack.matcher).withEach { (entity, sack: inout Sack) in
      if entity != other { sack.numbers += other.get(Sack.self)?.numbers ?? [] }
    }
    expectEqual(entity.get(Sack.self)?.numbers, [1, 5])
  }
}
