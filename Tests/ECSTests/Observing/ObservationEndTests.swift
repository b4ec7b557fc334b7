import Dispatch
import ECS
import ECSTestSupport
import Testing

/// How observations end, and what goes with them.
@Suite(.noHangs) struct ObservationEndTests {
  let context = Context()

  @Test func `Ending an observer of a context that is gone does not deafen the next one`() {
    struct Told: Component {}
    let (next, token) = (Recorder<Context>(), Recorder<Subscription>())
    let told = Recorder<Int>()
    var first: Context? = Context()
    if let subscription = first?.observeEvents({ _ in }) { token.append(subscription) }
    // While the first context goes, its storage may be taken over by another one.
    _ = first?.createEntity(
      with: Tracked(LifeCounter()) {
        let context = Context()
        next.append(context)
        token.append(context.observeEvents { _ in told.append(1) })
        token.items.first?.cancel()
      })
    first = nil
    next.items.first?.createEntity(with: Told())
    expectEqual(told.count, 1)
    withExtendedLifetime((first, token)) {}
  }

  @Test func `Tokens of all kinds are inactive when the context is gone`() {
    var context: Context? = Context()
    let entity = context?.createEntity(with: Health(points: 1))
    let group = context?.group(Health.matcher)
    let tokens = [
      context?.observeEvents { _ in }, context?.observeRunaways { _ in },
      entity?.observeChanges { _ in },
      entity?.observe(initial: false) { _ in }, group?.observeChanges { _ in },
      group?.observe(initial: false) { _ in }, group?.observeAfterwards {},
    ]
    expectEqual(tokens.map { $0?.isActive }, [Bool?](repeating: true, count: 7))
    expectEqual(context?.statistics.observers, 7)
    context = nil
    expectEqual(tokens.map { $0?.isActive }, [Bool?](repeating: false, count: 7))
  }

  @Test func `Sequences and observations end with a context that goes within a section`() async {
    let counter = LifeCounter()
    var context: Context? = Context()
    guard let entity = context?.createEntity(with: Health(points: 1)) else { return }
    let group = context?.group(Health.matcher)
    let tokens: [Subscription?]
    do {
      let captured = TrackedInstance(counter)
      tokens = [
        group?.observeChanges { _ in withExtendedLifetime(captured) {} },
        entity.observeChanges { _ in withExtendedLifetime(captured) {} },
        context?.observeEvents { _ in withExtendedLifetime(captured) {} },
      ]
    }
    let (changes, single) = (entity.observations, entity.changes())
    let last = Recorder<Context>()
    context.map(last.append)
    context = nil
    entity.update(Health.self) { _ in _ = last.take() }
    expectFalse(entity.isAlive)
    expectEqual(counter.living, 0)
    expectFalse(tokens.contains { $0?.isActive == true })
    for await _ in changes {}
    for await _ in single {}
    withExtendedLifetime(context) {}
  }

  @Test func `Asking for the number of observers cancels none`() {
    final class Owner: Sendable {}
    let counter = LifeCounter()
    let entity = context.createEntity(with: Health(points: 1))
    do {
      let captured = TrackedInstance(counter)
      entity.observe(by: Owner()) { _, _ in withExtendedLifetime(captured) {} }
    }
    expectEqual(entity.observerCount, 0)
    expectEqual(context.observerCount(of: Owner()), 0)
    expectEqual(counter.living, 1)
    expectEqual(context.statistics.observers, 1)
    // Anything that is delivered, begins or ends.
    let token = context.group(Tag.matcher).observeChanges { _ in }
    expectEqual(counter.living, 0)
    expectEqual(context.statistics.observers, 1)
    withExtendedLifetime(token) {}
  }

  @Test(arguments: [1, 5, 100])
  func
    `What an owner's observer captured goes soon after the owner, though its source never changes`(
      count: Int
    )
  {
    final class Owner: Sendable {}
    let counter = LifeCounter()
    let (quiet, busy) = (context.createEntity(with: Health(points: 1)), context.createEntity())
    let token = busy.observeChanges { _ in }
    var owners = (0..<count).map { _ in Owner() }
    for owner in owners {
      let captured = TrackedInstance(counter)
      quiet.observe(by: owner) { _, _ in withExtendedLifetime(captured) {} }
    }
    expectEqual(counter.living, count)
    owners = []
    for _ in 0..<(count / 8 + 1) { busy.set(Tag()) }
    expectEqual(counter.living, 0)
    expectEqual(quiet.observerCount, 0)
    withExtendedLifetime((owners, token)) {}
  }

  @Test func `What a canceled observer owned is released outside the critical section`() {
    let (context, other) = (Context(), DispatchQueue(label: "other"))
    let entity = context.createEntity(with: Health(points: 1))
    let group = context.group(Health.matcher)
    let calls = Tally()
    // Another thread can have the lock while it ends.
    let atEnd: @Sendable () -> Void = { [weak context] in
      guard let context else { return }
      let done = DispatchSemaphore(value: 0)
      other.async {
        _ = context.count
        done.signal()
      }
      if done.wait(timeout: .now() + 5) == .success { calls.add() }
    }
    func capture() -> TrackedInstance { TrackedInstance(LifeCounter(), atEnd: atEnd) }
    func observe(_ captured: TrackedInstance) -> [Subscription] {
      [
        entity.observeChanges { _ in withExtendedLifetime(captured) {} },
        entity.observe(initial: false) { _ in withExtendedLifetime(captured) {} },
      ]
    }
    var tokens = observe(capture())
    entity.destroy()
    expectEqual(calls.value, 1)
    tokens = [
      group.observeChanges { [captured = capture()] _ in withExtendedLifetime(captured) {} },
      context.observeEvents { [captured = capture()] _ in withExtendedLifetime(captured) {} },
      context.observeRunaways { [captured = capture()] _ in withExtendedLifetime(captured) {} },
    ]
    context.perform { tokens = [] }
    expectEqual(calls.value, 4)
    withExtendedLifetime(tokens) {}
  }

  @Test(arguments: [false, true])
  func `All observers of an entity hear that one of them destroyed it`(isInTransaction: Bool) {
    struct Refused: Error {}
    let context = context
    let entity = context.createEntity(with: Health(points: 0))
    let told = (0..<3).map { _ in Recorder<Bool>() }
    let links = Recorder<Bool>()
    var subscriptions: [Subscription] = []
    for (number, recorder) in told.enumerated() {
      subscriptions.append(
        entity.observe(initial: false) { entity in
          recorder.append(entity.isAlive)
          guard number == 1, recorder.count == 1 else { return }
          if isInTransaction {
            _ = try? context.transaction {
              entity.destroy()
              throw Refused()
            }
          }
          entity.destroy()
        })
    }
    subscriptions.append(
      entity.sources(TaggedWith.self).observe(initial: false) { links.append($0.entity.isAlive) })
    entity.set(Health(points: 1))
    expectEqual(told.map(\.items), [[true, false], [true, false], [false]])
    expectEqual(links.items, [false])
    expectFalse(subscriptions.contains { $0.isActive })
    expectEqual(context.statistics.observers, 0)
  }

  @Test func `Observers of what is related to an entity hear that one of them destroyed it`() {
    let entity = context.createEntity()
    let tagged = context.createEntity().relate(TaggedWith.self, to: entity)
    let (sources, views) = (Recorder<Int>(), Recorder<Int>())
    let related = entity.sources(TaggedWith.self)
    let subscriptions = [
      related.observe(initial: false) { sources.append($0.count) },
      related.observe(initial: false) { $0.entity.destroy() },
    ]
    let view = tagged.targets(TaggedWith.self).view()
    let observations = [
      view.observe(initial: false) { views.append($0.view.count) },
      view.observe(initial: false) { _ in tagged.destroy() },
    ]
    context.createEntity().relate(TaggedWith.self, to: entity)
    expectEqual(sources.items, [2, 0])
    expectEqual(views.items, [0, 0])
    expectFalse((subscriptions + observations).contains { $0.isActive })
  }
}
