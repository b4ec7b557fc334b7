import ECS
import ECSTestSupport
import Testing

/// When what a token stands for ends, and what is delivered until then.
@Suite(.noHangs) struct SubscriptionTests {
  let context = Context()
  let events = Recorder<Event>()

  @Test func `A subscription ends when it is canceled`() {
    let subscription = context.group(Tag.matcher).record(into: events)
    expectTrue(subscription.isActive)
    subscription.cancel()
    expectFalse(subscription.isActive)
    subscription.cancel()
    context.createEntity(with: Tag())
    expectTrue(events.items.isEmpty)
  }

  @Test func `A subscription ends when it is released`() {
    var subscription: Subscription? = context.group(Tag.matcher).record(into: events)
    context.createEntity(with: Tag())
    expectEqual(events.count, 1)
    subscription = nil
    context.createEntity(with: Tag())
    expectEqual(events.count, 1)
    expectNil(subscription)
  }

  @Test func `Changes made before the end are not delivered after it`() {
    let subscription = context.group(Tag.matcher).record(into: events)
    context.perform {
      context.createEntity(with: Tag())
      subscription.cancel()
    }
    expectTrue(events.items.isEmpty)
  }

  @Test func `Changes made before the subscription are not delivered`() {
    var subscription: Subscription?
    var entities: [Entity] = []
    context.perform {
      entities.append(context.createEntity(with: Tag()))
      subscription = context.group(Tag.matcher).record(into: events)
      entities.append(context.createEntity(with: Tag()))
    }
    expectEqual(events.items, [.added(entities[1])])
    withExtendedLifetime(subscription) {}
  }

  @Test func `An observer can end itself`() {
    let holder = Recorder<Subscription>()
    let calls = Recorder<Int>()
    holder.append(
      context.group(Tag.matcher).observeChanges { _ in
        calls.append(1)
        holder.take().first?.cancel()
      })
    context.perform {
      context.createEntity(with: Tag())
      context.createEntity(with: Tag())
    }
    expectEqual(calls.count, 1)
  }

  @Test func `An observer can cancel another one that is about to hear of the same change`() {
    let holder = Recorder<Subscription>()
    let first = context.group(Tag.matcher).observeChanges { _ in _ = holder.take() }
    holder.append(context.group(Tag.matcher).record(into: events))
    context.createEntity(with: Tag())
    expectTrue(events.items.isEmpty)
    withExtendedLifetime(first) {}
  }

  @Test func `Observers that begin in an observer hear of later changes only`() {
    let holder = Recorder<Subscription>()
    let group = context.group(Tag.matcher)
    let first = group.observeChanges { _ in
      if holder.count == 0 { holder.append(group.record(into: events)) }
    }
    let one = context.createEntity(with: Tag())
    expectTrue(events.items.isEmpty)
    one.set(Tag())
    expectEqual(events.items, [.updated(one)])
    withExtendedLifetime(first) {}
  }

  @Test(arguments: 1...3)
  func `An observer of a group ends all, itself included, and begins another`(_ count: Int) {
    let group = context.group(Tag.matcher)
    let calls = Recorder<Int>()
    let (tokens, later) = (Recorder<Subscription>(), Recorder<Subscription>())
    let counter = LifeCounter()
    for number in 1...count {
      let owned = TrackedInstance(counter)
      tokens.append(
        group.observe(initial: false) { group in
          for token in tokens.take() { token.cancel() }
          later.append(group.observe(initial: false) { _ in calls.append(0) })
          withExtendedLifetime(owned) { calls.append(number) }
        })
    }
    context.createEntity(with: Tag())
    expectTrue(calls.items == [1] && counter.living == 0)
    context.createEntity(with: Tag())
    expectEqual(calls.items, [1, 0])
    for token in later.take() { token.cancel() }
    context.createEntity(with: Tag())
    expectEqual(calls.items, [1, 0])
  }

  @Test func `The closure of an ended observation is released`() {
    let counter = LifeCounter()
    var subscription: Subscription?
    do {
      let captured = TrackedInstance(counter)
      subscription = context.group(Tag.matcher).observeChanges { _ in
        withExtendedLifetime(captured) {}
      }
    }
    expectEqual(counter.living, 1)
    subscription?.cancel()
    expectEqual(counter.living, 0)
  }

  @Test func `Ending an observation may end others through what its closure owns`() {
    let group = context.group(Tag.matcher)
    let inner = Recorder<Subscription>()
    inner.append(group.record(into: events))
    let outer = group.observeChanges { [inner] _ in withExtendedLifetime(inner) {} }
    _ = inner.take()
    outer.cancel()
    context.createEntity(with: Tag())
    expectTrue(events.items.isEmpty)
  }
}
