import ECS
import ECSTestSupport
import Testing

@Suite(.noHangs) struct ChangeSequenceTests {
  let context = Context()

  @Test func `Each change of a group arrives, with its values, in order`() async {
    let group = context.group(Health.matcher)
    let changes = group.changes()
    let entity = context.createEntity(with: Health(points: 1))
    entity.set(Health(points: 2))
    context.perform {
      entity.set(Health(points: 3))
      entity.destroy()
    }
    var told: [[Int32?]] = []
    var kinds: [Change.Kind] = []
    for await change in changes {
      kinds.append(change.kind)
      told.append([change.old(Health.self)?.points, change.new(Health.self)?.points])
      if change.kind == .removed { break }
    }
    // The last update was void by the time of its delivery.
    expectEqual(kinds, [.added, .updated, .removed])
    expectEqual(told, [[nil, 1], [1, 2], [3, nil]])
  }

  @Test func `Each change of an entity arrives until it is destroyed`() async {
    let entity = context.createEntity(with: Health(points: 1))
    let changes = entity.changes(.removed)
    entity.set(Health(points: 2)).remove(Health.self).set(Tag())
    entity.destroy()
    var kinds: [Change.Kind] = []
    for await change in changes { kinds.append(change.kind) }
    expectEqual(kinds, [.removed, .destroyed])
    expectEqual(context.statistics.observers, 0)
  }

  @Test func `A waiting task is woken by a change`() async {
    let group = context.group(Health.matcher)
    let first = Task { () -> Entity? in
      for await change in group.changes() { return change.entity }
      return nil
    }
    while context.statistics.observers == 0 { await Task.yield() }
    let entity = context.createEntity(with: Health(points: 1))
    await expectEqual(first.value, entity)
    expectEqual(context.statistics.observers, 0)
  }

  static let bufferings: [(ChangeSequence.Buffering, [Int32])] = [
    (.unbounded, [0, 1, 2, 3, 4]), (.bufferingNewest(2), [3, 4]), (.bufferingOldest(2), [0, 1]),
    (.bufferingNewest(0), []), (.bufferingOldest(0), []),
  ]

  @Test(arguments: bufferings)
  func `Changes that are not taken in time wait or are dropped, as requested`(
    buffering: ChangeSequence.Buffering, expected: [Int32]
  ) async {
    var context: Context? = Context()
    guard let group = context?.group(Health.matcher) else { return }
    let changes = group.changes(buffering: buffering)
    for points in 0..<5 { _ = context?.createEntity(with: Health(points: Int32(points))) }
    context = nil
    var points: [Int32] = []
    for await change in changes { points += change.new(Health.self).map { [$0.points] } ?? [] }
    expectEqual(points, expected)
  }

  @Test func `Cancelling the task ends the sequence and the observation`() async {
    let group = context.group(Health.matcher)
    let task = Task { for await _ in group.changes() {} }
    while context.statistics.observers == 0 { await Task.yield() }
    task.cancel()
    await task.value
    expectEqual(context.statistics.observers, 0)
  }

  @Test func `A sequence of a source that is gone is empty`() async {
    let entity = context.createEntity()
    entity.destroy()
    for await _ in entity.changes() { Issue.record("There was a change.") }
    var other: Context? = Context()
    let group = other?.group(Health.matcher)
    other = nil
    if let changes = group?.changes() {
      for await _ in changes { Issue.record("There was a change.") }
    }
  }

  @Test func `A sequence that is dropped ends its observation and drops what waits`() {
    let counter = LifeCounter()
    do {
      let changes = context.group(Tracked.matcher).changes()
      context.createEntity(with: Tracked(counter)).destroy()
      expectEqual(counter.living, 1)
      withExtendedLifetime(changes) {}
    }
    expectEqual(counter.living, 0)
    expectEqual(context.statistics.observers, 0)
  }
}
