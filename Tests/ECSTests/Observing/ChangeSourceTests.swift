import Dispatch
import ECS
import ECSTestSupport
import Testing

private final class Owner: Sendable {
  let seen = Recorder<String>()
}

@Suite(.noHangs) struct ChangeSourceTests {
  let context = Context()

  @Test func `An observer of an entity runs once for each outermost change`() {
    let entity = context.createEntity(with: Position(x: 0, y: 0))
    let runs = Recorder<Entity>()
    let subscription = entity.observe(initial: false) { runs.append($0) }
    context.perform {
      entity.set(Position(x: 1, y: 1)).set(Velocity(dx: 1, dy: 0))
      entity.remove(Position.self)
      return
    }
    expectEqual(runs.items, [entity])
    entity.set(Health(points: 1))
    expectEqual(runs.count, 2)
    withExtendedLifetime(subscription) {}
  }

  @Test func `An initial observer runs at once`() {
    let entity = context.createEntity()
    let runs = Recorder<Entity>()
    let subscription = entity.observe(initial: true) { runs.append($0) }
    expectEqual(runs.items, [entity])
    subscription.cancel()
    entity.set(Health(points: 1))
    expectEqual(runs.count, 1)
    expectFalse(subscription.isActive)
  }

  @Test func `Equal values and absent components notify nothing`() {
    let entity = context.createEntity(with: Health(points: 1))
    let runs = Recorder<Entity>()
    let subscription = entity.observe(initial: false) { runs.append($0) }
    entity.setIfChanged(Health(points: 1))
    entity.updateIfChanged(Health.self) { $0.points = 1 }
    entity.remove(Position.self)
    expectEqual(runs.count, 0)
    withExtendedLifetime(subscription) {}
  }

  @Test func `An observer runs a last time when its entity is destroyed`() {
    let entity = context.createEntity(with: Health(points: 1))
    let alive = Recorder<Bool>()
    let subscription = entity.observe(initial: false) { alive.append($0.isAlive) }
    entity.destroy()
    expectEqual(alive.items, [false])
    expectFalse(subscription.isActive)
    expectEqual(context.statistics.observers, 0)
  }

  @Test func `An observer of a group runs once when entities come, change and go`() {
    let group = context.group(Matcher(all: [Position.cid], none: [Health.cid]))
    let counts = Recorder<Int>()
    let subscription = group.observe(initial: false) { counts.append($0.count) }
    context.perform { for _ in 0..<3 { _ = context.createEntity(with: Position(x: 0, y: 0)) } }
    group.first?.set(Position(x: 1, y: 0))
    group.first?.set(Velocity(dx: 1, dy: 0))
    group.first?.set(Health(points: 1))
    _ = context.createEntity(with: Velocity(dx: 1, dy: 0))
    expectEqual(counts.items, [3, 3, 2])
    withExtendedLifetime(subscription) {}
  }

  @Test func `An observer of a group runs once after an iteration that mutates`() {
    context.createEntities(5, with: Position(x: 0, y: 0))
    let group = context.group(Position.matcher)
    let runs = Recorder<Int>()
    let subscription = group.observe(initial: false) { runs.append($0.count) }
    group.withEach { (_: Entity, position: inout Position) in position.x += 1 }
    expectEqual(runs.items, [5])
    withExtendedLifetime(subscription) {}
  }

  @Test func `Observers of sources run behind observers of single changes`() {
    let entity = context.createEntity()
    let order = Recorder<String>()
    let whole = entity.observe(initial: false) { _ in order.append("whole") }
    let single = entity.observeChanges { change in order.append("\(change.kind)") }
    entity.set(Health(points: 1))
    expectEqual(order.items, ["added", "whole"])
    withExtendedLifetime((whole, single)) {}
  }

  @Test func `A change made before an observation in the same section is not reported`() {
    let entity = context.createEntity()
    let runs = Recorder<Int>()
    var subscriptions: [Subscription] = []
    subscriptions.append(entity.observe(initial: false) { _ in runs.append(1) })
    context.perform {
      entity.set(Health(points: 1))
      subscriptions.append(entity.observe(initial: false) { _ in runs.append(2) })
    }
    expectEqual(runs.items, [1])
  }

  @Test func `A dead entity and a group of a context that is gone can be observed in vain`() {
    let dead = context.createEntity()
    dead.destroy()
    let runs = Recorder<Int>()
    let subscription = dead.observe(initial: true) { _ in runs.append(1) }
    expectEqual(runs.count, 1)
    expectFalse(subscription.isActive)
    var gone: Context? = Context()
    let group = gone?.group(Position.matcher)
    gone = nil
    let other = Context()
    let token = group?.observe(initial: false) { _ in runs.append(2) }
    _ = other.createEntity(with: Position(x: 0, y: 0))
    expectEqual(runs.count, 1)
    expectEqual(token?.isActive, false)
  }

  // MARK: Owners

  @Test func `An observation of an owner goes when its owner goes`() {
    let entity = context.createEntity()
    let runs = Recorder<Int>()
    var owner: Owner? = Owner()
    if let owner { entity.observe(by: owner) { _, _ in runs.append(1) } }
    expectEqual(runs.count, 1)
    weak let observed = owner
    owner = nil
    expectNil(observed)
    entity.set(Health(points: 1))
    expectEqual(runs.count, 1)
    expectEqual(entity.observerCount, 0)
  }

  @Test func `The block of an owner that is gone is released`() {
    final class Token: Sendable {}
    let entity = context.createEntity()
    weak var released: Token?
    do {
      let (owner, token) = (Owner(), Token())
      released = token
      entity.observe(by: owner) { _, _ in _ = token }
    }
    entity.set(Health(points: 1))
    expectNil(released)
  }

  @Test func `A named observation replaces the one before it and runs at once`() {
    let entity = context.createEntity()
    let owner = Owner()
    entity.observe(by: owner, name: "title") { owner, _ in owner.seen.append("first") }
    entity.observe(by: owner, name: "title") { owner, _ in owner.seen.append("second") }
    entity.set(Health(points: 1))
    expectEqual(owner.seen.items, ["first", "second", "second"])
    expectEqual(entity.observerCount, 1)
    expectEqual(context.observerNames(of: owner), ["title"])
  }

  @Test func `A named observation of another target drops the earlier one`() {
    let entities = context.createEntities(2, with: Health(points: 1))
    let cell = Owner()
    for (number, entity) in entities.enumerated() {
      entity.observe(by: cell, name: "cell") { cell, _ in cell.seen.append("\(number)") }
    }
    entities[0].set(Health(points: 2))
    entities[1].set(Health(points: 2))
    expectEqual(cell.seen.items, ["0", "1", "1"])
    expectEqual(context.observerCount(of: cell), 1)
  }

  @Test func `Observations are removed by owner and name`() {
    let entity = context.createEntity()
    let (one, other) = (Owner(), Owner())
    for name in ["a", "b"] {
      entity.observe(by: one, name: name, initial: false) { $0.seen.append("\(name)\($1.isAlive)") }
    }
    entity.observe(by: other, initial: false) { owner, _ in owner.seen.append("other") }
    expectEqual(context.statistics.observers, 3)
    context.stopObserving(by: one, name: "a")
    entity.set(Health(points: 1))
    expectEqual(one.seen.items, ["btrue"])
    entity.stopObserving(by: one)
    entity.set(Health(points: 2))
    expectEqual(one.seen.count, 1)
    expectEqual(other.seen.count, 2)
    expectEqual(context.observerCount(of: one), 0)
    expectEqual(context.statistics.observers, 1)
  }

  @Test func `The token of an owner's observation cancels it, and may be dropped`() {
    let entity = context.createEntity()
    let owner = Owner()
    let token = entity.observe(by: owner, initial: false) { owner, _ in owner.seen.append("a") }
    entity.observe(by: owner, initial: false) { owner, _ in owner.seen.append("b") }
    entity.set(Health(points: 1))
    token.cancel()
    entity.set(Health(points: 2))
    expectEqual(owner.seen.items, ["a", "b", "b"])
  }

  // MARK: Queues

  @Test func `An observer on a queue runs there, once for each outermost change`() {
    let key = DispatchSpecificKey<Bool>()
    let queue = DispatchQueue(label: "observer")
    queue.setSpecific(key: key, value: true)
    let entity = context.createEntity()
    let places = Recorder<Bool>()
    let subscription = entity.observe(initial: true, on: queue) { _ in
      places.append(DispatchQueue.getSpecific(key: key) == true)
    }
    for points in 0..<3 { entity.set(Health(points: Int32(points))).set(Position(x: 0, y: 0)) }
    queue.sync {}
    expectEqual(places.items, [Bool](repeating: true, count: 7))
    withExtendedLifetime(subscription) {}
  }

  @Test func `Cancelling an observer on a queue stops what waits there`() {
    let queue = DispatchQueue(label: "observer")
    let entity = context.createEntity()
    let runs = Recorder<Int>()
    let subscription = entity.observe(initial: false, on: queue) { _ in runs.append(1) }
    queue.suspend()
    entity.set(Health(points: 1))
    subscription.cancel()
    queue.resume()
    queue.sync {}
    expectEqual(runs.count, 0)
  }

  @Test
  func `Cancelling an observer on a queue stops what waits there, though its source has gone`() {
    let queue = DispatchQueue(label: "observer")
    let entity = context.createEntity()
    let runs = Recorder<Bool>()
    let subscriptions = [false, true].map { isKept in
      entity.observe(initial: false, on: queue) { _ in runs.append(isKept) }
    }
    queue.suspend()
    entity.set(Health(points: 1))
    entity.destroy()
    subscriptions[0].cancel()
    queue.resume()
    queue.sync {}
    expectEqual(runs.items, [true, true])
    withExtendedLifetime(subscriptions) {}
  }

  @Test func `An observer that is canceled on its queue does not run again`() {
    let queue = DispatchQueue(label: "observer")
    let entity = context.createEntity()
    let (runs, tokens) = (Recorder<Int>(), Recorder<Subscription>())
    tokens.append(
      entity.observe(initial: false, on: queue) { _ in
        runs.append(1)
        // By itself, which does not wait for itself.
        for token in tokens.take() { token.cancel() }
      })
    queue.suspend()
    for points in 0..<10 { entity.set(Health(points: Int32(points))) }
    queue.resume()
    queue.sync {}
    expectEqual(runs.count, 1)
    expectEqual(entity.observerCount, 0)
  }

  @Test func `Queues deliver in the order of the changes`() {
    let queue = DispatchQueue(label: "observer")
    let view = context.group(Health.matcher).sorted(by: \Health.points)
    let contents = Recorder<[Entity]>()
    let wrong = Tally()
    let subscription = view.observe(initial: true, on: queue) { change in
      // Differences apply one after the other, or not at all.
      var entities = contents.take().first ?? []
      if !change.difference.apply(to: &entities) { wrong.add() }
      contents.append(entities)
    }
    let context = context
    Threads.run(4) { thread in
      var random = SplitMix64(seed: UInt64(thread))
      for _ in 0..<2000 {
        let entity = context.createEntity(with: Health(points: Int32(random.below(1000))))
        if random.oneIn(2) { entity.destroy() }
      }
    }
    queue.sync {}
    expectEqual(wrong.value, 0)
    expectEqual(contents.items.first, Array(view))
    withExtendedLifetime(subscription) {}
  }

  @MainActor @Test func `An observer on the main actor runs there`() async {
    let entity = context.createEntity()
    let owner = Owner()
    var points: [Int32?] = []
    await withCheckedContinuation { done in
      entity.observeOnMainActor(by: owner) { _, entity in
        points.append(entity.get(Health.self)?.points)
        if points.count == 2 { done.resume() }
      }
      expectEqual(points, [nil])
      entity.set(Health(points: 7))
      expectEqual(points.count, 1)
    }
    expectEqual(points, [nil, 7])
    entity.stopObserving(by: owner)
  }
}
