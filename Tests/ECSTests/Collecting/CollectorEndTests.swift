import Dispatch
import ECS
import ECSTestSupport
import Testing

/// Collectors that are finished.
@Suite(.noHangs) struct CollectorEndTests {
  let context = Context()

  @Test func `A finished collector keeps what it has, and collects nothing more`() {
    let collector = context.collector(for: Health.matcher, type: .addedUpdatedOrRemoved)
    let entity = context.createEntity(with: Health(points: 1))
    expectFalse(collector.isFinished)
    collector.finish()
    expectTrue(collector.isFinished)
    context.createEntity(with: Health(points: 2)).remove(Health.self)
    collector.collect([context.createEntity(with: Health(points: 3))])
    collector.resume()
    context.createEntity(with: Health(points: 4))
    let drained = collector.drain()
    expectEqual(Array(drained), [entity])
    // Work that could not be done is not lost.
    collector.restore(drained)
    expectEqual(Array(collector.drain()), [entity])
    context.createEntity(with: Health(points: 5))
    expectTrue(collector.isEmpty)
  }

  @Test func `Values deliver what was collected, and end`() async {
    let collector = context.collector(for: Health.matcher)
    let entities = (0..<3).map { context.createEntity(with: Health(points: $0)) }
    collector.finish()
    var delivered: [Entity] = []
    for await entities in collector.values { delivered += entities }
    expectEqual(delivered, entities)
  }

  @Test func `A task that waits for values is woken`() async {
    let collector = context.collector(for: Health.matcher)
    let consumer = Task { await collector.values.reduce(into: 0) { $0 += $1.count } }
    while !collector.isAwaited { await Task.yield() }
    context.createEntity(with: Health(points: 1))
    collector.finish()
    await expectEqual(consumer.value, 1)
  }

  @Test func `Cancelling leaves in the collector what was not delivered`() async {
    let collector = context.collector(for: Health.matcher)
    let entity = context.createEntity(with: Health(points: 1))
    let consumer = Task { await collector.values.reduce(into: 0) { $0 += $1.count } }
    consumer.cancel()
    let count = await consumer.value
    expectTrue(count == 1 || Array(collector.drain()) == [entity])
  }

  @Test func `A loop works off what a finished collector has`() {
    let count = Tally()
    let collector = context.collector(for: Health.matcher)
    let loop = ReactiveLoop(
      ctx: context, queue: DispatchQueue(label: "loop"),
      systems: [CountingSystem(collector, count)])
    context.perform {
      context.createEntities(5, with: Health(points: 1))
      collector.finish()
    }
    context.createEntities(5, with: Health(points: 2))
    loop.runUntilSettled()
    expectEqual(count.value, 5)
  }

  /// Counts what it drains.
  final class CountingSystem: ReactiveSystem {
    let collector: Collector
    let name = "count"
    private let count: Tally

    init(_ collector: Collector, _ count: Tally) {
      (self.collector, self.count) = (collector, count)
    }

    func execute(entities: EntitySet) { count.add(entities.count) }
  }
}
