import Dispatch
import ECS
import ECSTestSupport
import Testing

private final class Owner: Sendable {
  let seen = Recorder<String>()
}

/// Observers of single changes that have owners, names and places to run.
@Suite(.noHangs) struct SingleChangeOptionTests {
  let context = Context()
  let entity: Entity
  let group: Group

  init() {
    entity = context.createEntity(with: Health(points: 0))
    group = context.group(Health.matcher)
  }

  // MARK: Owners

  @Test func `Observations of single changes go when their owner goes`() {
    let counter = LifeCounter()
    var owner: Owner? = Owner()
    if let owner {
      let captured = TrackedInstance(counter)
      entity.observeChanges(by: owner) { owner, change in
        withExtendedLifetime(captured) { owner.seen.append("entity \(change.kind)") }
      }
      group.observeChanges(of: Health.self, by: owner) { owner, _, _, new in
        owner.seen.append("group \(new?.points ?? -1)")
      }
      context.observeEvents(by: owner) { owner, _ in owner.seen.append("context") }
    }
    entity.set(Health(points: 1))
    _ = context.createEntity()
    expectEqual(owner?.seen.items, ["entity updated", "group 1", "context"])
    weak let observed = owner
    owner = nil
    expectNil(observed)
    expectTrue(entity.observerCount == 0 && group.observerCount == 0)
    entity.set(Health(points: 2))
    expectEqual(counter.living, 0)
    expectEqual(context.statistics.observers, 0)
  }

  @Test func `The token of an owner's observation ends it early, and may be dropped`() {
    let owner = Owner()
    let token = entity.observeChanges(.updated, by: owner) { owner, _ in owner.seen.append("a") }
    entity.observeChanges(.updated, by: owner) { owner, _ in owner.seen.append("b") }
    entity.set(Health(points: 1))
    token.cancel()
    expectFalse(token.isActive)
    entity.set(Health(points: 2))
    expectEqual(owner.seen.items, ["a", "b", "b"])
  }

  @Test func `A name stands for one observation of its owner, of whatever kind`() {
    let owner = Owner()
    entity.observe(by: owner, name: "n", initial: false) { owner, _ in owner.seen.append("whole") }
    group.observeChanges(by: owner, name: "n") { owner, _ in owner.seen.append("change") }
    entity.set(Health(points: 1))
    expectEqual(owner.seen.take(), ["change"])
    context.observeEvents(by: owner, name: "n") { owner, _ in owner.seen.append("event") }
    entity.set(Health(points: 2)).destroy()
    expectEqual(owner.seen.items, ["event"])
    expectEqual(context.observerNames(of: owner), ["n"])
    expectEqual(context.statistics.observers, 1)
  }

  @Test func `A source ends the observations of an owner, of the whole and of single changes`() {
    let owner = Owner()
    entity.observe(by: owner) { _, _ in }
    entity.observeChanges(by: owner) { _, _ in }
    entity.observeChanges(by: owner, name: "kept") { _, _ in }
    group.observeChanges(by: owner) { _, _ in }
    expectEqual(context.observerCount(of: owner), 4)
    entity.stopObserving(by: owner, name: "kept")
    expectEqual(entity.observerCount, 2)
    entity.stopObserving(by: owner)
    expectEqual(entity.observerCount, 0)
    expectEqual(context.observerCount(of: owner), 1)
  }

  @Test func `A source has the names of its observers`() {
    let owner = Owner()
    entity.observe(by: owner, name: "c") { _, _ in }
    let tokens = [
      entity.observeChanges(name: "a") { _ in }, entity.observeChanges { _ in },
      entity.observeChanges(of: Health.self, name: "b") { _, _, _ in },
      entity.observe(name: "d") { _ in },
    ]
    expectEqual(entity.observerNames, ["a", "b", "c", "d"])
    withExtendedLifetime((owner, tokens)) {}
  }

  @Test func `Reports of runaways name observers of single changes`() {
    context.maximumObserverRounds = 10
    let reports = Recorder<RunawayReport>()
    let owner = Owner()
    let token = context.observeRunaways { reports.append($0) }
    group.observeChanges(.updated, by: owner, name: "greedy") { _, change in
      change.entity.update(Health.self) { $0.points += 1 }
    }
    entity.set(Health(points: 1))
    expectEqual(reports.items.map(\.observers), [[entity.description, "greedy"]])
    expectTrue("\(reports.items[0])".contains("greedy"))
    withExtendedLifetime(token) {}
  }

  // MARK: Queues

  private static func queue() -> (DispatchQueue, isHere: @Sendable () -> Bool) {
    let key = DispatchSpecificKey<Bool>()
    let queue = DispatchQueue(label: "observer")
    queue.setSpecific(key: key, value: true)
    return (queue, { DispatchQueue.getSpecific(key: key) == true })
  }

  @Test func `On a queue, changes come in order, each with its values, and entities as they are`() {
    let (queue, isHere) = Self.queue()
    let told = Recorder<String>()
    let (entity, context) = (entity, context)
    let tokens = [
      group.observeChanges(on: queue) { change in
        context.assertIsNotInSection()
        let (old, new) = (change.old(Health.self)?.points, change.new(Health.self)?.points)
        told.append(
          "\(change.kind) \(old ?? -1) \(new ?? -1), now \(change.entity.isAlive) \(isHere())")
      },
      entity.observeChanges(of: Health.self, on: queue) { entity, old, new in
        told.append("\(old?.points ?? -1) \(new?.points ?? -1), now \(entity.isAlive) \(isHere())")
      },
    ]
    queue.suspend()
    entity.set(Health(points: 1)).set(Tag()).set(Health(points: 2)).destroy()
    expectTrue(told.items.isEmpty)
    queue.resume()
    queue.sync {}
    expectEqual(
      told.items,
      [
        "0 1, now false true", "updated 0 1, now false true",
        "1 2, now false true", "updated 1 2, now false true",
        "2 -1, now false true", "removed 2 -1, now false true",
      ])
    withExtendedLifetime(tokens) {}
  }

  @Test func `A change that is void by the time of delivery is not sent to a queue`() {
    let (queue, _) = Self.queue()
    let told = Recorder<Change.Kind>()
    let token = group.observeChanges(on: queue) { told.append($0.kind) }
    context.perform {
      _ = context.createEntity(with: Health(points: 1))
      context.createEntity(with: Health(points: 2)).destroy()
    }
    queue.sync {}
    expectEqual(told.items, [.added, .removed])
    withExtendedLifetime(token) {}
  }

  @Test func `Cancelling stops what waits on a queue, though the entity has gone`() {
    let (queue, _) = Self.queue()
    let runs = Recorder<Int>()
    let tokens = (0..<3).map { number in
      entity.observeChanges(on: queue) { _ in runs.append(number) }
    }
    queue.suspend()
    entity.set(Health(points: 1))
    tokens[0].cancel()
    entity.destroy()
    tokens[1].cancel()
    queue.resume()
    queue.sync {}
    expectEqual(runs.items, [2, 2], "What nobody cancelled still arrives.")
    withExtendedLifetime(tokens) {}
  }

  @Test func `An owner that is gone is no longer called on a queue`() {
    let (queue, _) = Self.queue()
    let runs = Recorder<Int>()
    var owner: Owner? = Owner()
    if let owner {
      group.observeChanges(by: owner, on: queue) { _, _ in runs.append(1) }
      group.observeChanges(of: Health.self, by: owner, on: queue) { _, _, _, _ in runs.append(2) }
    }
    queue.suspend()
    entity.set(Health(points: 1))
    owner = nil
    queue.resume()
    queue.sync {}
    expectTrue(runs.items.isEmpty)
    expectNil(owner)
  }

  @Test func `Events of a context are delivered on queues, too`() {
    let (queue, isHere) = Self.queue()
    let told = Recorder<String>()
    let token = context.observeEvents(name: "log", on: queue) { event in
      switch event {
      case .created: told.append("created \(isHere())")
      case .destroyed(_, let components): told.append("destroyed \(components.count) \(isHere())")
      case .createdGroup: told.append("group \(isHere())")
      case .createdIndex: told.append("index \(isHere())")
      }
    }
    context.createEntity(with: Tag(), Health(points: 1)).destroy()
    _ = context.group(Tag.matcher)
    queue.sync {}
    expectEqual(told.items, ["created true", "destroyed 2 true", "group true"])
    token.cancel()
    _ = context.createEntity()
    queue.sync {}
    expectEqual(told.count, 3)
  }

  // MARK: The main actor

  @MainActor @Test func `Observers of single changes on the main actor run there`() async {
    let owner = Owner()
    let (entity, group, context) = (entity, group, context)
    var told: [String] = []
    await withCheckedContinuation { done in
      entity.observeChangesOnMainActor(.updated, by: owner) { _, change in
        told.append("\(change.kind) \(change.new(Health.self)?.points ?? -1)")
      }
      group.observeChangesOnMainActor(of: Health.self, .updated, by: owner) { _, _, old, new in
        told.append("\(old?.points ?? -1) \(new?.points ?? -1)")
      }
      context.observeEventsOnMainActor(by: owner) { _, _ in
        told.append("event")
        done.resume()
      }
      DispatchQueue.global().async {
        entity.set(Health(points: 5))
        _ = context.createEntity()
      }
      expectTrue(told.isEmpty)
    }
    expectEqual(told, ["updated 5", "0 5", "event"])
    context.stopObserving(by: owner)
    expectEqual(context.statistics.observers, 0)
  }

  // MARK: Order

  @Test func `Single changes come before the whole, in place and on one queue`() {
    let (queue, _) = Self.queue()
    let (inPlace, onQueue) = (Recorder<String>(), Recorder<String>())
    let tokens = [
      entity.observe(initial: false) { _ in inPlace.append("whole") },
      entity.observe(initial: false, on: queue) { _ in onQueue.append("whole") },
      group.observeChanges { inPlace.append("group \($0.kind)") },
      entity.observeChanges { inPlace.append("entity \($0.kind)") },
      group.observeChanges(on: queue) { onQueue.append("group \($0.kind)") },
      entity.observeChanges(on: queue) { onQueue.append("entity \($0.kind)") },
    ]
    context.perform {
      entity.set(Health(points: 1))
      entity.set(Health(points: 2))
    }
    queue.sync {}
    let expected = ["entity updated", "group updated", "entity updated", "group updated", "whole"]
    expectEqual(inPlace.items, expected)
    expectEqual(onQueue.items, expected)
    withExtendedLifetime(tokens) {}
  }

  @Test func `An observer that one of the other kind cancels is not called`() {
    let runs = Recorder<String>()
    let tokens = Recorder<Subscription>()
    tokens.append(entity.observe(initial: false) { _ in runs.append("whole") })
    let single = entity.observeChanges { _ in
      runs.append("single")
      for token in tokens.take() { token.cancel() }
    }
    entity.set(Health(points: 1))
    expectEqual(runs.items, ["single"])
    expectEqual(entity.observerCount, 1)
    withExtendedLifetime(single) {}
  }

  // MARK: What is delivered

  @Test func `Observing a whole runs at once unless it is asked not to`() {
    let runs = Recorder<Int>()
    let tokens = [
      entity.observe { _ in runs.append(1) },
      entity.observe(initial: false) { _ in runs.append(2) },
    ]
    expectEqual(runs.items, [1])
    withExtendedLifetime(tokens) {}
  }

  @Test func `For one component, a group reports other changes without values, an entity doesn't`()
  {
    let both = context.group(Matcher(all: [Health.cid, Tag.cid]))
    let (queue, _) = Self.queue()
    let told = Recorder<String>()
    @Sendable func note(_ name: String, _ old: Health?, _ new: Health?) {
      told.append("\(name) \(old?.points ?? -1) \(new?.points ?? -1)")
    }
    let tokens = [
      both.observeChanges(of: Health.self) { _, old, new in note("group", old, new) },
      entity.observeChanges(of: Health.self) { _, old, new in note("entity", old, new) },
      both.observeChanges(of: Health.self, on: queue) { _, old, new in note("group", old, new) },
      entity.observeChanges(of: Health.self, on: queue) { _, old, new in note("entity", old, new) },
    ]
    queue.suspend()
    entity.set(Tag()).set(Health(points: 3))
    let expected = ["group -1 -1", "entity 0 3", "group 0 3"]
    expectEqual(told.take(), expected)
    queue.resume()
    queue.sync {}
    expectEqual(told.items, expected)
    withExtendedLifetime(tokens) {}
  }

  // MARK: Sources of one's own

  private struct Player: SingleChangeSource {
    let changeSignal: ChangeSignal
  }

  @Test func `A type can be a source of single changes by passing on the signal of another`() async
  {
    let player = Player(changeSignal: entity.changeSignal)
    let told = Recorder<Change.Kind>()
    let token = player.observeChanges { told.append($0.kind) }
    let changes = player.changes()
    entity.set(Health(points: 1)).destroy()
    expectEqual(told.items, [.updated, .destroyed])
    var heard: [Change.Kind] = []
    for await change in changes { heard.append(change.kind) }
    expectEqual(heard, [.updated, .destroyed])
    withExtendedLifetime(token) {}
  }

  @Test func `A signal without single changes is a mistake that stops with a message`() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let view = Context().group(Health.matcher).sorted(by: \Health.points)
      _ = Player(changeSignal: view.changeSignal).observeChanges { _ in }
    }
    expectTrue(stopped(result, saying: "have no single changes", "entity or a group"))
  }
}
