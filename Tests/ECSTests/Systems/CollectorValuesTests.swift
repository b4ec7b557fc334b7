import ECS
import ECSTestSupport
import Testing

@Suite(.noHangs) struct CollectorValuesTests {
  let context = Context()

  @Test func `Values bring what was collected before, and what comes later`() async {
    let collector = context.collector(for: Tag.matcher)
    var values = collector.values.makeAsyncIterator()
    let a = context.createEntity(with: Tag())
    await expectEqual(values.next(), [a])
    let b = context.createEntity(with: Tag())
    let c = context.createEntity(with: Tag())
    await expectEqual(values.next(), [b, c])
  }

  @Test func `A waiting task is woken by a change`() async {
    let collector = context.collector(for: Tag.matcher)
    let first = Task {
      for await entities in collector.values { return entities }
      return []
    }
    while !collector.isAwaited { await Task.yield() }
    let entity = context.createEntity(with: Tag())
    await expectEqual(first.value, [entity])
  }

  @Test func `Changes while the consumer is busy are combined, each entity once`() async {
    let collector = context.collector(for: Tag.matcher, type: .addedOrUpdated)
    var values = collector.values.makeAsyncIterator()
    let entities = context.createEntities(1000, with: Tag())
    for entity in entities { entity.set(Tag()) }
    await expectEqual(values.next(), EntitySet(entities))
  }

  @Test func `Values end when the task is canceled`() async {
    let collector = context.collector(for: Tag.matcher)
    let consumer = Task {
      for await _ in collector.values {}
    }
    consumer.cancel()
    await consumer.value
  }

  @Test func `Values end when a waiting task is canceled`() async {
    let collector = context.collector(for: Tag.matcher)
    let consumer = Task {
      for await _ in collector.values {}
    }
    while !collector.isAwaited { await Task.yield() }
    consumer.cancel()
    await consumer.value
  }

  @Test func `Values keep their collector, which goes with them`() async {
    let context = context
    let consumer = Task {
      for await entities in context.collector(for: Tag.matcher).values { return entities }
      return []
    }
    while context.statistics.collectors == 0 { await Task.yield() }
    let entity = context.createEntity(with: Tag())
    await expectEqual(consumer.value, [entity])
    while context.statistics.collectors > 0 { await Task.yield() }
  }

  @Test func `Values end when the context goes`() async {
    var context: Context? = Context()
    guard let collector = context?.collector(for: Tag.matcher) else { return }
    let consumer = Task {
      for await _ in collector.values {}
    }
    while !collector.isAwaited { await Task.yield() }
    context = nil
    await consumer.value
  }
}
