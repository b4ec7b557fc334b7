import ECS
import ECSTestSupport
import Testing

@Suite(.noHangs) struct ObservationSequenceTests {
  @Test func `Changes of an entity arrive as a sequence, coalesced, until it is destroyed`() async {
    let context = Context()
    let entity = context.createEntity(with: Health(points: 0))
    var changes = entity.observations.makeAsyncIterator()
    entity.set(Health(points: 1))
    entity.set(Health(points: 2))
    await expectEqual(changes.next()?.get(Health.self)?.points, 2)
    entity.set(Health(points: 3))
    await expectEqual(changes.next()?.get(Health.self)?.points, 3)
    entity.destroy()
    await expectEqual(changes.next()?.isAlive, false)
    await expectNil(changes.next())
  }

  @Test func `Changes of a group end when the context goes`() async {
    var context: Context? = Context()
    let changes = context?.group(Health.matcher).observations
    _ = context?.createEntity(with: Health(points: 0))
    context = nil
    var count = 0
    if let changes { for await _ in changes { count += 1 } }
    expectEqual(count, 1)
  }

  @Test func `Cancelling the task ends the sequence and the observation`() async {
    let context = Context()
    let group = context.group(Health.matcher)
    let task = Task {
      for await _ in group.observations {}
      return true
    }
    task.cancel()
    await expectTrue(task.value)
    expectEqual(group.observerCount, 0)
  }

  @Test func `A sequence that is dropped ends its observation`() {
    let context = Context()
    let entity = context.createEntity()
    do {
      let changes = entity.observations
      expectEqual(entity.observerCount, 1)
      withExtendedLifetime(changes) {}
    }
    expectEqual(entity.observerCount, 0)
  }
}
