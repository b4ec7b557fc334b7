import ECS
import ECSTestSupport
import ECSTesting
import Testing

@Suite struct RecorderTests {
  let context = Context()

  @Test func `A recorder keeps items in order until they are taken`() {
    let recorder = Recorder<Int>()
    for number in 0..<3 { recorder.append(number) }
    expectEqual(recorder.items, [0, 1, 2])
    expectEqual(recorder.count, 3)
    expectEqual(recorder.take(), [0, 1, 2])
    expectEqual(recorder.take(), [])
  }

  @Test func `A recorder of a group keeps observing it`() {
    let recorder = Recorder(of: context.group(Tag.matcher))
    let entity = context.createEntity(with: Tag())
    entity.set(Tag()).remove(Tag.self)
    expectEqual(recorder.take().map(\.kind), [.added, .updated, .removed])
    let added = Recorder(of: context.group(Tag.matcher), .added)
    entity.set(Tag()).set(Tag())
    expectEqual(added.take().map(\.entity), [entity])
  }

  @Test func `A recorder of an entity sees its end, with values`() {
    let entity = context.createEntity(with: Health(points: 1))
    let recorder = Recorder(of: entity)
    entity.set(Health(points: 2))
    entity.destroy()
    let changes = recorder.take()
    expectEqual(changes.map(\.kind), [.updated, .destroyed])
    expectEqual(changes.first?.old(Health.self), Health(points: 1))
    expectEqual(changes.first?.new(Health.self), Health(points: 2))
  }

  @Test func `A recorder observes several things at once, and keeps what others observe`() {
    let (one, other) = (context.createEntity(with: Tag()), context.createEntity(with: Tag()))
    let recorder = Recorder<Change>()
    recorder.record(one)
    recorder.record(other, .updated)
    recorder.keep(
      context.group(Health.matcher).observeChanges { [weak recorder] in recorder?.append($0) })
    other.set(Tag()).remove(Tag.self)
    one.set(Health(points: 1))
    expectEqual(recorder.take().map(\.kind), [.updated, .added, .added])
  }

  @Test func `Notices are recorded once for each outermost change`() {
    let entity = context.createEntity(with: Health(points: 1))
    let points = Recorder<Int32?>()
    points.record(entity, initial: true) { $0.get(Health.self)?.points }
    context.perform {
      entity.set(Health(points: 2))
      entity.set(Health(points: 3))
    }
    expectEqual(points.take(), [1, 3])
    let view = context.group(Health.matcher).sorted(by: \Health.points)
    let differences = Recorder<LiveViewDifference>()
    differences.record(view) { $0.difference }
    entity.destroy()
    expectEqual(differences.take().map(\.removals.count), [1])
  }

  @Test func `Observations end with stop, and with the recorder`() {
    let recorder = Recorder(of: context.group(Tag.matcher))
    recorder.stop()
    context.createEntity(with: Tag())
    expectTrue(recorder.items.isEmpty)
    weak var gone: Recorder<Change>?
    do {
      let other = Recorder(of: context.group(Tag.matcher))
      other.record(context.createEntity())
      gone = other
    }
    expectNil(gone)
    expectEqual(context.statistics.observers, 0)
  }

  @Test func `A recorder of text is a logger of systems`() {
    let log = Recorder<String>()
    let loop = Loop(
      name: "loop", systems: [ClosureExecuteSystem("a") { throw Refusal() }], logger: log
    ) { _ in }
    loop.execute()
    expectEqual(log.take(), ["will execute a", "a threw Refusal()", "did execute a"])
  }
}
