import Dispatch
import ECS
import ECSTestSupport
import ECSTesting
import Testing

private struct Refused: Error {}

/// Runs a body as a transaction that throws.
private func fail(in context: Context, _ body: () -> Void) {
  do throws(Refused) {
    try context.transaction { () throws(Refused) in
      body()
      throw Refused()
    }
  } catch {}
}

/// What is notified of transactions.
@Suite(.noHangs) struct TransactionNoticeTests {
  let context = Context()
  let told = Recorder<String>()
  let queue = DispatchQueue(label: "observer")

  private func observe(_ group: Group, on queue: DispatchQueue? = nil) -> [Subscription] {
    let told = told
    return [
      group.observeChanges(on: queue) { change in
        told.append("\(change.kind) \(change.new(Health.self)?.points ?? -1)")
      },
      group.observe(initial: false, on: queue) { _ in told.append("whole") },
    ]
  }

  @Test func `Observers hear of a transaction when it has ended, as of any section`() {
    let subscriptions = observe(context.group(Health.matcher))
    context.transaction {
      let entity = context.createEntity(with: Health(points: 1))
      entity.set(Health(points: 2))
      expectEqual(told.count, 0)
    }
    expectEqual(told.take(), ["added 1", "updated 2", "whole"])
    withExtendedLifetime(subscriptions) {}
  }

  @Test func `Observers hear nothing of a transaction that throws`() {
    let entity = context.createEntity(with: Health(points: 1))
    let told = told
    var subscriptions = observe(context.group(Health.matcher))
    subscriptions += observe(context.group(Health.matcher), on: queue)
    subscriptions.append(entity.observeChanges { _ in told.append("entity") })
    subscriptions.append(entity.observe(initial: false) { _ in told.append("entity") })
    subscriptions.append(
      entity.targets(TaggedWith.self).observe(initial: false) { _ in told.append("link") })
    subscriptions.append(context.observeEvents { _ in told.append("event") })
    fail(in: context) {
      entity.set(Health(points: 2)).set(Tag())
      entity.relate(TaggedWith.self, to: context.createEntity(with: Health(points: 3)))
      entity.destroy()
    }
    queue.sync {}
    expectTrue(told.take().isEmpty)
    entity.set(Health(points: 5))
    queue.sync {}
    expectEqual(
      told.take().sorted(),
      [
        "entity", "entity", "updated 5", "updated 5", "whole", "whole",
      ])
    entity.relate(TaggedWith.self, to: entity)
    expectTrue(told.take().contains("link"))
    withExtendedLifetime(subscriptions) {}
  }

  @Test func `Pending notices from before a transaction that throws are delivered`() {
    let subscriptions = observe(context.group(Health.matcher))
    context.perform {
      let entity = context.createEntity(with: Health(points: 1))
      fail(in: context) {
        entity.set(Health(points: 2))
        context.createEntity(with: Health(points: 3))
      }
      entity.set(Health(points: 4))
    }
    expectEqual(told.take(), ["added 1", "updated 4", "whole"])
    withExtendedLifetime(subscriptions) {}
  }

  @Test func `Observers of a revived entity go on`() {
    let entity = context.createEntity(with: Health(points: 1))
    let told = told
    let subscription = entity.observeChanges { told.append("\($0.kind)") }
    fail(in: context) { entity.destroy() }
    entity.set(Tag())
    expectEqual(told.take(), ["added"])
    entity.destroy()
    expectEqual(told.take(), ["destroyed"])
    withExtendedLifetime(subscription) {}
  }

  @Test func `Observers of an entity that never was end silently`() {
    let told = told
    var subscriptions: [Subscription] = []
    fail(in: context) {
      let entity = context.createEntity()
      subscriptions.append(entity.observeChanges { _ in told.append("change") })
      subscriptions.append(entity.observe(initial: false) { _ in told.append("whole") })
      subscriptions.append(
        entity.sources(TaggedWith.self).observe(initial: false) { _ in told.append("links") })
      entity.set(Tag())
    }
    expectEqual(context.statistics.observers, 0)
    for _ in 0..<3 {
      let entity = context.createEntity(with: Tag())
      entity.relate(TaggedWith.self, to: entity)
    }
    expectTrue(told.take().isEmpty)
    withExtendedLifetime(subscriptions) {}
  }

  @Test func `An observer that begins inside a transaction that throws hears later changes`() {
    let (group, told) = (context.group(Health.matcher), told)
    let entity = context.createEntity(with: Health(points: 1))
    var subscriptions: [Subscription] = []
    let early = group.observeChanges { _ in told.append("early") }
    fail(in: context) {
      entity.set(Health(points: 2))
      subscriptions = observe(group)
      entity.set(Health(points: 3))
    }
    expectTrue(told.take().isEmpty)
    entity.set(Health(points: 4))
    expectEqual(told.take(), ["early", "updated 4", "whole"])
    withExtendedLifetime((subscriptions, early)) {}
  }

  @Test(arguments: [1, 2])
  func `An observer that was called inside is notified if what it saw is taken back`(depth: Int) {
    let entity = context.createEntity(with: Health(points: 1))
    let other = context.createEntity(with: Tag())
    let sum = context.sum(of: \Health.pointCount, by: { (_: Health) in 0 })
    let (seen, quiet) = ((0..<4).map { _ in Recorder<Int>() }, Recorder<Bool>())
    let (group, tags) = (context.group(Health.matcher), other.sources(TaggedWith.self))
    let early = [
      group.observe(initial: false) { _ in quiet.append(true) },
      sum.observe(initial: false) { _ in quiet.append(true) },
      entity.observe(initial: false) { _ in quiet.append(true) },
      tags.observe(initial: false) { _ in quiet.append(true) },
    ]
    var late: [Subscription] = []
    func change() {
      entity.set(Health(points: 2)).relate(TaggedWith.self, to: other)
      late = [
        group.observe { seen[0].append($0.count) },
        sum.observe { seen[1].append($0.total ?? 0) },
        entity.observe { seen[2].append($0.get(Health.self)?.pointCount ?? 0) },
        tags.observe { seen[3].append($0.count) },
        // These concern nothing that changes.
        other.observe(initial: false) { _ in quiet.append(true) },
        context.group(Tag.matcher).observe { _ in },
      ]
    }
    fail(in: context) {
      if depth == 1 { change() } else { fail(in: context, change) }
    }
    expectEqual(seen.map { $0.take() }, [[1, 1], [2, 1], [2, 1], [1, 0]])
    expectTrue(quiet.items.isEmpty)
    entity.set(Health(points: 5))
    expectEqual(seen.map { $0.take() }, [[1], [5], [5], []])
    expectEqual(quiet.count, 3)
    withExtendedLifetime((early, late)) {}
  }

  @Test func `An observer's transaction that throws doesn't affect other deliveries`() {
    let (context, told) = (context, told)
    let subscriptions =
      observe(context.group(Health.matcher)) + [
        context.group(Tag.matcher).observeChanges(.added) { change in
          change.entity.set(Health(points: 1))
          fail(in: context) {
            change.entity.set(Health(points: 2))
            context.createEntity(with: Tag(), Health(points: 3))
          }
          context.transaction { _ = change.entity.set(Health(points: 4)) }
        }
      ]
    let entity = context.createEntity(with: Tag())
    expectEqual(told.take(), ["added 1", "updated 4", "whole"])
    expectEqual(context.count, 1)
    expectEqual(entity.get(Health.self), Health(points: 4))
    withExtendedLifetime(subscriptions) {}
  }

  @Test func `Sequences get nothing of a transaction that throws`() async {
    let group = context.group(Health.matcher)
    var changes = group.changes().makeAsyncIterator()
    let entity = context.createEntity(with: Health(points: 1))
    fail(in: context) {
      entity.set(Health(points: 2))
      entity.destroy()
    }
    entity.set(Health(points: 3))
    await expectEqual(changes.next()?.new(Health.self)?.points, 1)
    await expectEqual(changes.next()?.new(Health.self)?.points, 3)
  }

  @Test func `A loop makes no pass for a transaction that throws`() async {
    let told = told
    let loop = ReactiveLoop(
      ctx: context, queue: queue,
      systems: [
        ClosureSystem("tags", collector: context.collector(for: Tag.matcher)) { entities in
          told.append("\(entities.count)")
        }
      ])
    await loop.settled()
    fail(in: context) { context.createEntities(3, with: Tag()) }
    await loop.settled()
    context.createEntities(2, with: Tag())
    await loop.settled()
    expectEqual(told.take(), ["2"])
  }

  // MARK: Views

  @Test func `A view shows what it showed before, and its observers hear nothing`() {
    let told = told
    let entities = (0..<5).map { context.createEntity(with: Health(points: $0)) }
    let view = context.group(Health.matcher).sorted(by: \Health.points).start()
    let subscription = view.observe(initial: false) { told.append("\($0.difference)") }
    fail(in: context) {
      entities[0].set(Health(points: 9))
      entities[3].destroy()
      context.createEntities(3, with: Health(points: 2))
      expectEqual(view.last, entities[0])
    }
    expectEqual(Array(view), entities)
    expectEqual(told.count, 0)
    entities[4].set(Health(points: -1))
    expectEqual(Array(view), [entities[4]] + entities[..<4])
    expectEqual(told.count, 1)
    withExtendedLifetime(subscription) {}
  }

  @Test func `An observer of a view that begins inside hears of the rollback`() {
    let entities = (0..<4).map { context.createEntity(with: Health(points: $0)) }
    let view = context.group(Health.matcher).sorted(by: \Health.points)
    let copies = [Copy(), Copy(), Copy()]
    var subscriptions: [Subscription] = []
    func observe(by copy: Copy) { subscriptions.append(view.observe { copy.apply($0.difference) }) }
    observe(by: copies[0])
    fail(in: context) {
      entities[0].set(Health(points: 9))
      observe(by: copies[1])
      entities[1].destroy()
      observe(by: copies[2])
      context.createEntity(with: Health(points: 2))
    }
    for copy in copies {
      expectEqual(copy.entities, entities)
      expectTrue(copy.isExact)
    }
    expectEqual(copies[0].changeCount, 1)
  }

  @Test func `A view of an entity that is destroyed inside goes on`() {
    let entities = context.createEntities(4, with: Tag())
    for source in entities[1...] { source.relate(TaggedWith.self, to: entities[0]) }
    let view = entities[0].sources(TaggedWith.self).filtered { (_: Tag) in true }.start()
    let copy = Copy()
    let subscription = view.observe { copy.apply($0.difference) }
    fail(in: context) {
      entities[2].unrelate(TaggedWith.self, from: entities[0])
      entities[2].relate(TaggedWith.self, to: entities[0])
      entities[0].destroy()
      expectTrue(view.isEmpty)
    }
    expectEqual(Array(view), Array(entities[1...]))
    expectEqual(copy.changeCount, 1)
    entities[1].destroy()
    expectEqual(Array(view), Array(entities[2...]))
    expectTrue(copy.entities == Array(view) && copy.isExact)
    withExtendedLifetime(subscription) {}
  }

  @Test func `A view that is made inside follows the rollback, in the order of links`() {
    let entities = context.createEntities(4, with: Tag())
    for source in entities[1...] { source.relate(TaggedWith.self, to: entities[0]) }
    var views: [LiveView] = []
    fail(in: context) {
      entities[1].unrelate(TaggedWith.self, from: entities[0])
      views.append(entities[0].sources(TaggedWith.self).filtered { (_: Tag) in true }.start())
      views.append(context.group(Tag.matcher).filtered { (_: Tag) in true }.start())
      let undone = context.createEntity(with: Tag())
      undone.relate(TaggedWith.self, to: entities[0])
      views.append(undone.targets(TaggedWith.self).filtered { (_: Tag) in true }.start())
      entities[3].destroy()
    }
    expectEqual(Array(views[0]), Array(entities[1...]))
    expectEqual(Array(views[1]), entities)
    expectTrue(views[2].isEmpty)
    entities[1].relate(TaggedWith.self, to: context.createEntity())
    expectTrue(views[2].isEmpty)
  }

  /// A copy of a view's contents that is kept by differences.
  // Guarded by the context: used by observers and on the thread of the test, which makes all
  // changes.
  private final class Copy: @unchecked Sendable {
    private(set) var entities: [Entity] = []
    private(set) var isExact = true
    private(set) var changeCount = 0

    func apply(_ difference: LiveViewDifference) {
      changeCount += 1
      if !difference.apply(to: &entities) { isExact = false }
    }
  }
}

extension Health {
  fileprivate var pointCount: Int { Int(points) }
}
