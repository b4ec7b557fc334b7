import ECS
import ECSTestSupport
import Synchronization
import Testing

private struct Work: Component {
  var owner: String
  var hours: Int
}
private struct Hidden: Component {}

@Suite(.noHangs) struct AggregateTests {
  @Test func `what is observed when its context ends is released, though the observation is kept`()
  {
    weak var hours: Aggregate<String, Int>?
    weak var view: LiveView?
    var observations: [Subscription] = []
    do {
      let context = Context()
      let (total, all) = (
        context.sum(of: \Work.hours, by: \Work.owner), context.group(Work.matcher).view()
      )
      observations = [
        total.observe { _ in }, all.observe { _ in }, context.group(Work.matcher).observe { _ in },
      ]
      context.createEntity(with: Work(owner: "ada", hours: 3))
      (hours, view) = (total, all)
    }
    expectTrue(hours == nil && view == nil)
    expectTrue(observations.allSatisfy { !$0.isActive })
  }

  @Test func `sums are there before any change and after each`() {
    let context = Context()
    let first = context.createEntity(with: Work(owner: "ada", hours: 3))
    let hours = context.sum(of: \Work.hours, by: \Work.owner)
    expectTrue(hours["ada"] == 3 && hours["bob"] == nil && hours.total == 3)
    context.createEntity(with: Work(owner: "bob", hours: 4))
    first.set(Work(owner: "bob", hours: 5))
    expectTrue(hours["ada"] == nil && hours["bob"] == 9 && hours.count(for: "bob") == 2)
    expectTrue(hours.sorted().map(\.key) == ["bob"] && hours.keyCount == 1 && hours.count == 2)
    context.destroyAllEntities()
    expectTrue(hours.total == nil && hours.keyCount == 0)
  }

  @Test func `values of all entities need no key`() {
    let context = Context()
    let hours = context.sum(of: \Work.hours)
    let average = context.average(of: { (work: Work) in Double(work.hours) })
    let halves = context.sum(of: { (work: Work) in Double(work.hours) / 2 })
    let range = context.extremes(of: \Work.hours)
    let owners = context.aggregate(
      of: { (work: Work) in Set([work.owner]) }, combining: { $0.union($1) })
    expectTrue(hours.total == nil && range.total == nil)
    let first = context.createEntity(with: Work(owner: "ada", hours: 3))
    context.createEntity(with: Work(owner: "bob", hours: 4))
    expectTrue(hours.total == 7 && hours[.all] == 7 && average.total == 3.5 && halves.total == 3.5)
    expectTrue(range.total == 3...4 && owners.total == ["ada", "bob"])
    first.update(Work.self) { $0.hours = 9 }
    expectTrue(hours.total == 13 && range.total == 4...9)
    let visible = context.sum(
      of: \Work.hours, in: context.group(Matcher(all: [Work.cid], none: [Hidden.cid])))
    first.set(Hidden())
    expectTrue(visible.total == 4 && hours.total == 13)
  }

  @Test func `sums of floating-point values leave nothing behind`() {
    let context = Context()
    struct Weight: Component { let value: Double }
    let sum = context.sum(of: \Weight.value, by: { (_: Weight) in 0 })
    let tenths = context.createEntities(10, with: Weight(value: 0.1))
    expectEqual(sum.total, 1)
    for entity in tenths.dropFirst() { entity.destroy() }
    expectEqual(sum.total, 0.1)
    let great = context.createEntity(with: Weight(value: 1e300))
    great.set(Weight(value: .infinity))
    expectEqual(sum.total, .infinity)
    great.set(Weight(value: -0.1))
    expectEqual(sum.total, 0)
  }

  @Test func `sums of integers that do not fit are given as the nearest that does`() {
    let context = Context()
    let sum = context.sum(of: \Work.hours, by: \Work.owner)
    context.createEntity(with: Work(owner: "ada", hours: .max))
    let other = context.createEntity(with: Work(owner: "ada", hours: 2))
    expectEqual(sum["ada"], .max)
    other.set(Work(owner: "ada", hours: -2))
    expectEqual(sum["ada"], .max - 2)
  }

  @Test func `entities of a group count while they are in it`() {
    let context = Context()
    let group = context.group(Matcher(all: [Work.cid], none: [Hidden.cid]))
    let counts = context.count(by: \Work.owner, in: group)
    let collector = Collector(group: group, type: .addedUpdatedOrRemoved)
    let entity = context.createEntity(with: Work(owner: "ada", hours: 1))
    entity.set(Hidden())
    expectNil(counts.total)
    entity.set(Work(owner: "bob", hours: 1))
    expectNil(counts.total)
    entity.remove(Hidden.self)
    expectTrue(counts["bob"] == 1 && collector.count == 1)
    group.destroyAll()
    expectNil(counts.total)
  }

  @Test func `observers run once for each outermost change, and not for what is taken back`() {
    struct Failure: Error {}
    let context = Context()
    let entity = context.createEntity(with: Work(owner: "ada", hours: 1))
    let told = Mutex<[Int?]>([])
    var subscription: Subscription? = context.extremes(of: \Work.hours, by: \Work.owner)
      .observe(initial: false) { aggregate in
        told.withLock { $0.append(aggregate["ada"]?.upperBound) }
      }
    context.perform {
      entity.update(Work.self) { $0.hours = 2 }
      context.createEntity(with: Work(owner: "ada", hours: 7))
    }
    entity.set(Hidden())
    expectEqual(told.withLock { $0 }, [7])
    try? context.transaction { () throws(Failure) in
      entity.set(Work(owner: "ada", hours: 100))
      throw Failure()
    }
    expectEqual(told.withLock { $0 }, [7])
    entity.set(Work(owner: "ada", hours: 9))
    expectEqual(told.withLock { $0 }, [7, 9])
    expectEqual(context.statistics.indexes, 1)
    subscription = nil
    expectTrue(subscription == nil && context.statistics.indexes == 0)
  }

  @Test func `values that are no numbers are no extremes`() {
    struct Weight: Component { let value: Double }
    let context = Context()
    let extremes = context.extremes(of: \Weight.value, by: { (_: Weight) in true })
    let entity = context.createEntity(with: Weight(value: .nan))
    expectNil(extremes.total)
    context.createEntity(with: Weight(value: 2))
    entity.set(Weight(value: 1))
    expectEqual(extremes[true], 1...2)
    entity.set(Weight(value: .nan))
    expectEqual(extremes.total, 2...2)
  }

  @Test func `keys that are no numbers are no keys`() {
    struct Weight: Component { let value: Double }
    let context = Context()
    let counts = context.count(by: { (weight: Weight) in weight.value })
    let entity = context.createEntity(with: Weight(value: .nan))
    for _ in 0..<3 { entity.set(Weight(value: .nan)) }
    expectTrue(counts.count == 0 && counts.keyCount == 0 && counts[.nan] == nil)
    entity.set(Weight(value: 1))
    expectEqual(counts[1], 1)
    entity.set(Weight(value: .nan))
    expectTrue(counts.count == 0 && counts.keyCount == 0)
  }

  @Test func `an aggregate that outlives its context is empty`() {
    var context: Context? = Context()
    let hours = context?.sum(of: \Work.hours, by: \Work.owner)
    context?.createEntity(with: Work(owner: "ada", hours: 1))
    expectEqual(hours?.total, 1)
    context = nil
    expectTrue(hours?.total == nil && hours?.keyCount == 0)
    let next = Context()
    next.createEntity(with: Work(owner: "ada", hours: 1))
    expectNil(hours?.total)
    expectNotNil(hours?.observe { _ in })
  }

  @Test(arguments: [false, true])
  func `what combines values must not change the context`(onReturn: Bool) async {
    struct Failure: Error {}
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      [onReturn = onReturn as Bool] in
      let context = Context()
      let armed = Tally()
      let hours = context.aggregate(of: \Work.hours, by: \Work.owner) { one, other in
        if armed.value > 0 { _ = context.createEntity() }
        return one + other
      }
      let entities = context.createEntities(3, with: Work(owner: "ada", hours: 1))
      try? context.transaction {
        entities.first?.set(Work(owner: "ada", hours: 2))
        armed.add()
        if onReturn { throw Failure() }
        entities.first?.set(Work(owner: "ada", hours: 3))
      }
      _ = hours.total
    }
    expectTrue(
      stopped(result, saying: "a closure of an aggregate, called its context to change it"))
  }

  @Test func `a group that does not demand the component stops`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let context = Context()
      _ = context.count(by: \Work.owner, in: context.group(Hidden.matcher))
    }
    expectTrue(stopped(result, saying: "name it in `all` of the matcher"))
  }
}
