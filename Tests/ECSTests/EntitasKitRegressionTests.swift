import ECS
import ECSTestSupport
import Synchronization
import Testing

/// What went wrong in EntitasKit must not go wrong here.
@Suite struct EntitasKitRegressionTests {
  let context = Context()
  let events = Recorder<Event>()

  // MARK: Observers

  /// All orders of the numbers below a count.
  static func orders(_ count: Int) -> [[Int]] {
    guard count > 0 else { return [[]] }
    return orders(count - 1).flatMap { order in
      (0...order.count).map { place in
        var longer = order
        longer.insert(count - 1, at: place)
        return longer
      }
    }
  }

  @Test(arguments: EntitasKitRegressionTests.orders(4))
  func `Observers may die in any order`(order: [Int]) {
    let group = context.group(Tag.matcher)
    let told = Recorder<Int>()
    var subscriptions: [Subscription?] = (0..<4).map { number in
      group.observeChanges { _ in told.append(number) }
    }
    var living = Set(0..<4)
    for number in order {
      subscriptions[number] = nil
      living.remove(number)
      context.createEntity(with: Tag())
      expectEqual(told.take(), living.sorted())
    }
  }

  @Test(arguments: EntitasKitRegressionTests.orders(4))
  func `Observers may die in any order while a change is delivered`(order: [Int]) {
    let group = context.group(Tag.matcher)
    let told = Recorder<Int>()
    let holders = (0..<4).map { _ in Recorder<Subscription>() }
    let trigger = group.observeChanges { _ in
      for number in order.prefix(2) { _ = holders[number].take() }
    }
    for (number, holder) in holders.enumerated() {
      holder.append(group.observeChanges { _ in told.append(number) })
    }
    context.createEntity(with: Tag())
    expectEqual(told.take(), order.suffix(2).sorted())
    trigger.cancel()
    for number in order.suffix(2) { _ = holders[number].take() }
    context.createEntity(with: Tag())
    expectTrue(told.items.isEmpty)
  }

  @Test func `An owner that dies without ending its observation blocks nothing`() {
    final class Owner: Sendable {
      let told = Recorder<Int>()
    }
    let group = context.group(Tag.matcher)
    var owners = (0..<3).map { _ in Owner() }
    let subscriptions = owners.map { owner in
      group.observeChanges { [weak owner] _ in owner?.told.append(1) }
    }
    owners.remove(at: 1)
    context.createEntity(with: Tag())
    subscriptions[1].cancel()
    subscriptions[0].cancel()
    context.createEntity(with: Tag())
    expectEqual(owners.map(\.told.count), [1, 2])
    withExtendedLifetime(subscriptions) {}
  }

  @Test func `The order of events is that of subscription, however many there are`() {
    let group = context.group(Tag.matcher)
    let told = Recorder<Int>()
    var subscriptions = (0..<100).map { number in group.observeChanges { _ in told.append(number) }
    }
    context.createEntity(with: Tag())
    expectEqual(told.take(), Array(0..<100))
    subscriptions.removeSubrange(20..<60)
    subscriptions.append(group.observeChanges { _ in told.append(100) })
    context.createEntity(with: Tag())
    expectEqual(told.take(), Array(0..<20) + Array(60...100))
  }

  // MARK: Entities that die

  @Test func `Destroying inside an observer never gives added after removed`() {
    let (tags, health) = (context.group(Tag.matcher), context.group(Health.matcher))
    let both = context.group(Matcher(all: [Tag.cid, Health.cid]))
    let subscriptions = [
      tags.observeChanges(.added) { $0.entity.destroy() }, tags.record(into: events),
      health.record(into: events), both.record(into: events),
    ]
    let entity = context.createEntity(with: Tag(), Health(points: 1))
    expectEqual(events.items, [.removed(entity), .removed(entity), .removed(entity)])
    withExtendedLifetime(subscriptions) {}
  }

  @Test func `A destroyed entity never enters a group again`() {
    let groups = [
      context.group(Tag.matcher), context.group(Health.matcher),
      context.group(Matcher(any: [Name.cid, Tag.cid])),
    ]
    let collector = Collector(group: groups[1], type: .added)
    let subscription = groups[0].observeChanges(.removed) { change in
      // The entity is dead by now: components that are set on it go nowhere.
      change.entity.set(Health(points: 1)).set(Name("n")).set(Tag())
    }
    let entity = context.createEntity(with: Tag())
    entity.destroy()
    expectTrue(groups.allSatisfy { $0.isEmpty && !$0.contains(entity) })
    expectTrue(collector.isEmpty)
    expectTrue(entity.components().isEmpty)
    expectEqual(context.statistics.staleWrites, 3)
    withExtendedLifetime(subscription) {}
  }

  @Test func `Removing the last of several components during destruction is reported once`() {
    let group = context.group(Matcher(all: [Tag.cid, Health.cid]))
    let subscription = group.record(into: events)
    let entity = context.createEntity(with: Tag(), Health(points: 1), Name("n"))
    entity.destroy()
    expectEqual(events.items, [.added(entity), .removed(entity)])
    withExtendedLifetime(subscription) {}
  }

  // MARK: Indexes

  @Test func `An index over a class component keeps no stale entities`() {
    final class Account: Component {
      let owner = Atomic<Int>(1)
    }
    let index = context.index { (account: Account) in account.owner.load(ordering: .relaxed) }
    let account = Account()
    let entity = context.createEntity(with: account)
    account.owner.store(2, ordering: .relaxed)
    entity.set(account)
    account.owner.store(3, ordering: .relaxed)
    entity.destroy()
    expectTrue((1...3).allSatisfy { index[$0].isEmpty })
    expectEqual(index.keyCount, 0)
  }

  @Test func `An index over captured state keeps no stale entities`() {
    let isReversed = Recorder<Bool>()
    let index = context.index { (name: Name) in
      isReversed.count == 0 ? name.text : String(name.text.reversed())
    }
    let (one, other) = (context.createEntity(with: Name("ab")), context.createEntity())
    isReversed.append(true)
    other.set(Name("cd"))
    one.remove(Name.self)
    expectTrue(index["ab"].isEmpty && index["ba"].isEmpty)
    expectEqual(Array(index["dc"]), [other])
    expectEqual(index.keyCount, 1)
  }

  @Test func `Empty buckets of an index are freed`() {
    let index = context.index { (name: Name) in name.text }
    for number in 0..<1_000 { context.createEntity(with: Name("\(number)")).destroy() }
    expectEqual(index.keyCount, 0)
    let entities = (0..<1_000).map { context.createEntity(with: Name("\($0)")) }
    expectEqual(index.keyCount, 1_000)
    for entity in entities { entity.remove(Name.self) }
    expectEqual(index.keyCount, 0)
  }

  // MARK: Sorting

  @Test func `Sorted entities are never stale`() {
    final class Owner {}
    let (group, owner) = (context.group(Health.matcher), Owner())
    let entities = (0..<5).map { context.createEntity(with: Health(points: $0)) }
    func sorted() -> [Int32?] {
      group.sorted(forObject: owner) {
        ($0.get(Health.self)?.points ?? 0) < ($1.get(Health.self)?.points ?? 0)
      }
      .map { $0.get(Health.self)?.points }
    }
    expectEqual(sorted(), [0, 1, 2, 3, 4])
    entities[0].set(Health(points: 9))
    expectEqual(sorted(), [1, 2, 3, 4, 9])
    entities[2].destroy()
    expectEqual(sorted(), [1, 3, 4, 9])
    entities[4].remove(Health.self)
    expectEqual(sorted(), [1, 3, 9])
    group.withEach { (_, health: inout Health) in health.points = -health.points }
    expectEqual(sorted(), [-9, -3, -1])
    entities[4].set(Health(points: 0))
    expectEqual(sorted(), [-9, -3, -1, 0])
  }

  @Test func `Two orders for one object are never confused`() {
    final class Owner {}
    let (group, owner) = (context.group(Health.matcher), Owner())
    let entities = (0..<3).map { context.createEntity(with: Health(points: $0)) }
    func points(_ entity: Entity) -> Int32 { entity.get(Health.self)?.points ?? 0 }
    for _ in 0..<2 {
      let up = group.sorted(forObject: owner) { points($0) < points($1) }
      let down = group.sorted(forObject: owner) { points($1) < points($0) }
      expectEqual(up, entities)
      expectEqual(down, entities.reversed())
    }
  }

  // MARK: Matchers

  @Test func `Matchers that mean the same give the same group`() {
    let groups = [
      context.group(Matcher(all: [Tag.cid, Health.cid], none: [Name.cid])),
      context.group(Matcher(all: [Health.cid, Tag.cid], none: [Name.cid])),
      context.all([Tag.cid, Health.cid], none: [Name.cid]),
      context.group(Matcher(all: [Tag.cid], any: [Health.cid], none: [Name.cid])),
    ]
    expectTrue(groups.allSatisfy { $0 === groups[0] })
    expectEqual(context.statistics.groups, 1)
  }

  @Test func `All and any of the same components give different groups`() {
    let cids: Set<CID> = [Tag.cid, Health.cid]
    let (all, any) = (context.group(Matcher(all: cids)), context.group(Matcher(any: cids)))
    expectTrue(all !== any)
    let entity = context.createEntity(with: Tag())
    expectFalse(all.contains(entity))
    expectTrue(any.contains(entity))
    let crossed = [
      context.group(Matcher(all: [Tag.cid], any: [Health.cid, Name.cid])),
      context.group(Matcher(all: [Health.cid], any: [Tag.cid, Name.cid])),
    ]
    expectTrue(crossed[0] !== crossed[1])
  }
}
