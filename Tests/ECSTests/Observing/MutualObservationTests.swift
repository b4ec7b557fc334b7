import ECS
import ECSTestSupport
import Testing

/// Observers that end, and which of them are notified, when others end or begin at the same time.
@Suite(.noHangs) struct MutualObservationTests {
  let context = Context()
  let events = Recorder<Event>()

  @Test func `A context's observer that an earlier one cancels doesn't hear of that event`() {
    let told = Recorder<Int>()
    let tokens = Recorder<Subscription>()
    let first = context.observeEvents { _ in
      told.append(1)
      for token in tokens.take() { token.cancel() }
    }
    tokens.append(context.observeEvents { _ in told.append(2) })
    _ = context.group(Tag.matcher)
    expectEqual(told.items, [1])
    _ = context.index { (tag: Health) in tag.points }
    expectEqual(told.items, [1, 1])
    withExtendedLifetime(first) {}
  }

  @Test func `A context's observer that an earlier one adds doesn't hear of that event`() {
    let told = Recorder<Int>()
    let tokens = Recorder<Subscription>()
    let context = context
    let first = context.observeEvents { [weak context] _ in
      told.append(1)
      if tokens.count == 0, let context {
        tokens.append(context.observeEvents { _ in told.append(2) })
      }
    }
    _ = context.group(Tag.matcher)
    expectEqual(told.items, [1])
    _ = context.group(Health.matcher)
    expectEqual(told.items, [1, 1, 2])
    first.cancel()
    for token in tokens.take() { token.cancel() }
  }

  @Test func `An observer that an earlier one cancels doesn't hear of runaways`() {
    let told = Recorder<Int>()
    let tokens = Recorder<Subscription>()
    context.maximumObserverRounds = 10
    let group = context.group(Health.matcher)
    let runaway = group.observeChanges(.updated) { $0.entity.set(Health(points: 1)) }
    let first = context.observeRunaways { _ in
      told.append(1)
      for token in tokens.take() { token.cancel() }
    }
    tokens.append(context.observeRunaways { _ in told.append(2) })
    context.createEntity(with: Health(points: 1)).set(Health(points: 2))
    expectEqual(told.items, [1])
    withExtendedLifetime((runaway, first)) {}
  }

  @Test func `An entity that takes the place of an observed one within a change is observed`() {
    let first = context.createEntity(with: Health(points: 1))
    let calls = Recorder<Int>()
    let old = (
      first.observe(initial: false) { _ in calls.append(1) }, first.observeChanges { _ in }
    )
    let (second, new) = context.perform { () -> (Entity, [Subscription]) in
      first.destroy()
      let second = context.createEntity(with: Health(points: 1))
      return (
        second,
        [second.record(into: events), second.observe(initial: false) { _ in calls.append(2) }]
      )
    }
    expectEqual(calls.take(), [1])
    second.set(Health(points: 2))
    expectEqual(events.items, [.updated(second)])
    expectEqual(calls.items, [2])
    expectEqual(context.statistics.observers, 2)
    withExtendedLifetime((old, new)) {}
  }
}
