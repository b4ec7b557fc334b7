import Dispatch
import ECS
import ECSTestSupport
import Testing

/// Changes that wait until the outermost change ends, with their values.
@Suite struct QueuedChangeTests {
  let context = Context()

  /// A component whose values have to lie at multiples of more than any allocator promises.
  struct Wide: Component, Equatable {
    var lanes: SIMD16<Float>

    init(_ value: Float) { lanes = SIMD16(repeating: value) }
  }

  @Test func `Thousands of changes of one section all come, in order, with their values`() {
    let (number, wrong) = (Recorder<Int32>(), Tally())
    let entity = context.createEntity(with: Health(points: 0))
    let subscription = entity.observeChanges(of: Health.self) { _, old, new in
      guard let old, let new, new.points == old.points + 1 else { return wrong.add() }
      number.append(new.points)
    }
    for round: Int32 in 0..<3 {
      context.perform {
        for points in 1...5000 { entity.set(Health(points: round * 5000 + Int32(points))) }
      }
    }
    expectEqual(number.items, Array(1...15_000))
    expectEqual(wrong.value, 0)
    withExtendedLifetime(subscription) {}
  }

  @Test func `Values that observers received end after the context is released`() {
    let (other, calls) = (DispatchQueue(label: "other"), Tally())
    let atEnd: @Sendable () -> Void = { [weak context] in
      guard let context else { return }
      let done = DispatchSemaphore(value: 0)
      other.async {
        _ = context.count
        done.signal()
      }
      if done.wait(timeout: .now() + 5) == .success { calls.add() }
    }
    func tracked() -> Tracked { Tracked(LifeCounter(), atEnd: atEnd) }
    let group = context.group(Tracked.matcher)
    let entity = context.createEntity(with: tracked())
    let tokens = [
      group.observeChanges(of: Tracked.self) { _, _, _ in }, group.observeChanges { _ in },
      entity.observeChanges { _ in },
      context.observeEvents { _ in },
    ]
    entity.update(Tracked.self) { $0 = tracked() }
    expectEqual(calls.value, 1)
    entity.set(tracked())
    expectEqual(calls.value, 2)
    entity.remove(Tracked.self)
    expectEqual(calls.value, 3)
    entity.set(tracked())
    expectNotNil(entity.take(Tracked.self))
    expectEqual(calls.value, 4)
    entity.set(tracked())
    entity.destroy()
    expectEqual(calls.value, 5)
    withExtendedLifetime(tokens) {}
  }

  @Test func `Changes that are kept keep their values, however many come after them`() {
    let kept = Recorder<Change>()
    let group = context.group(Name.matcher)
    let subscriptions = [
      group.observeChanges { kept.append($0) }, group.observeChanges { kept.append($0) },
    ]
    let entity = context.createEntity(with: Name("0"))
    for number in 1...300 { entity.set(Name("\(number)")) }
    entity.destroy()
    let items = kept.items
    expectEqual(items.count, 604)
    expectEqual(items.map { $0.new(Name.self)?.text }, numbers(0...300) + [nil, nil])
    expectEqual(items.map { $0.old(Name.self)?.text }, [nil, nil] + numbers(0...300))
    withExtendedLifetime(subscriptions) {}
  }

  /// Each number twice, since there are two observers.
  private func numbers(_ range: ClosedRange<Int>) -> [String?] {
    range.flatMap { ["\($0)", "\($0)"] }
  }

  @Test func `Copies of values end after delivery, or with the change that is kept`() {
    let counter = LifeCounter()
    let kept = Recorder<Change>()
    let group = context.group(Tracked.matcher)
    let typed = group.observeChanges(of: Tracked.self) { _, _, _ in }
    let entity = context.createEntity(with: Tracked(counter), OtherTracked(counter))
    expectEqual(counter.living, 2)
    context.perform { for _ in 0..<1000 { entity.set(Tracked(counter)) } }
    expectEqual(counter.living, 2)
    let keeping = group.observeChanges { kept.append($0) }
    entity.set(Tracked(counter)).remove(Tracked.self).set(Tracked(counter))
    entity.destroy()
    expectEqual(kept.count, 4)
    expectEqual(counter.living, 4, "The three values of Tracked, and the other one.")
    _ = kept.take()
    expectEqual(counter.living, 0)
    withExtendedLifetime((typed, keeping)) {}
  }

  @Test func `Values that wait end with a context that goes before delivery`() {
    let counter = LifeCounter()
    let last = Recorder<Context>()
    let told = Tally()
    do {
      let context = Context()
      let group = context.group(Tracked.matcher)
      let token = Recorder<Subscription>()
      token.append(group.observeChanges { _ in told.add() })
      let entity = context.createEntity(with: Tracked(counter), Health(points: 1))
      last.append(context)
      _ = consume context
      entity.update(Health.self) { _ in
        for _ in 0..<100 { entity.set(Tracked(counter)) }
        _ = last.take()
      }
      expectFalse(entity.isAlive)
      withExtendedLifetime(token) {}
    }
    expectEqual(counter.living, 0)
    expectEqual(told.value, 1, "Of the creation only.")
  }

  @Test func `Values of any alignment are reported`() {
    let told = Recorder<[Wide?]>()
    let kept = Recorder<Change>()
    let group = context.group(Wide.matcher)
    let subscriptions = [
      group.observeChanges(of: Wide.self) { _, old, new in told.append([old, new]) },
      group.observeChanges { kept.append($0) },
    ]
    let entity = context.createEntity(with: Tag(), Wide(1), Health(points: 1))
    entity.set(Wide(2))
    group.withEach { (_, wide: inout Wide) in wide.lanes += 1 }
    entity.remove(Wide.self).set(Wide(4))
    entity.destroy()
    let expected = [
      [nil, Wide(1)], [Wide(1), Wide(2)], [Wide(2), Wide(3)], [Wide(3), nil], [nil, Wide(4)],
      [Wide(4), nil],
    ]
    expectEqual(told.items, expected)
    expectEqual(kept.items.map { [$0.old(Wide.self), $0.new(Wide.self)] }, expected)
    expectEqual(kept.items.first?.new(Health.self), Health(points: 1))
    expectEqual(kept.items.last?.old(Tag.self), Tag())
    withExtendedLifetime(subscriptions) {}
  }

  @Test func `An observer that asks for other kinds than those before it hears of them`() {
    let told = Recorder<String>()
    let group = context.group(Health.matcher)
    let entity = context.createEntity(with: Health(points: 1))
    var subscriptions = [group.observeChanges(.updated) { _ in told.append("updated") }]
    for _ in 0..<2 { entity.set(Health(points: 2)).remove(Health.self).set(Health(points: 3)) }
    expectEqual(told.take(), ["updated", "updated"])
    subscriptions.append(group.observeChanges([.added, .removed]) { told.append("\($0.kind)") })
    entity.set(Health(points: 4)).remove(Health.self).set(Health(points: 5))
    context.createEntity(with: Health(points: 6)).destroy()
    expectEqual(told.items, ["updated", "removed", "added", "added", "removed"])
    withExtendedLifetime(subscriptions) {}
  }

  @Test func `A change has its values without their types, its context, and its origin`() {
    let kept = Recorder<Change>()
    let subscription = context.group(Health.matcher).observeChanges { kept.append($0) }
    let entity = context.createEntity(with: Health(points: 1), Tag())
    entity.set(Health(points: 2))
    context.group(Health.matcher).withEach { (_, health: inout Health) in health.points = 3 }
    entity.destroy()
    let items = kept.items
    func names(_ components: [any Component]) -> [String] { components.map { "\($0)" }.sorted() }
    expectEqual(items.map { $0.newComponents().count }, [2, 1, 1, 0])
    expectEqual(items.map { $0.oldComponents().count }, [0, 1, 1, 2])
    expectEqual(names(items[1].oldComponents()), ["Health(points: 1)"])
    expectEqual(names(items[1].newComponents()), ["Health(points: 2)"])
    expectEqual(names(items[3].oldComponents()), ["Health(points: 3)", "Tag()"])
    expectEqual(items.map(\.isByIteration), [false, false, true, false])
    expectTrue(items.allSatisfy { $0.context === context })
    withExtendedLifetime(subscription) {}
  }

  @Test func `Values that end after delivery may change the context`() {
    let counter = LifeCounter()
    let (entity, other) = (context.createEntity(), context.createEntity())
    let events = Recorder<Event>()
    let subscriptions = [
      context.group(Tracked.matcher).record(into: events),
      context.group(Health.matcher).record(into: events),
    ]
    context.perform {
      entity.set(Tracked(counter) { other.set(Health(points: 1)) })
      entity.remove(Tracked.self)
    }
    expectEqual(events.items, [.removed(entity), .added(other)])
    expectEqual(counter.living, 0)
    withExtendedLifetime(subscriptions) {}
  }
}
