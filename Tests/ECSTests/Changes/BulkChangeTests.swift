import ECS
import ECSTestSupport
import Synchronization
import Testing

private struct Held: UniqueComponent { let number: Int }
private enum Owns: ToOneRelation { static var deleteRule: DeleteRule { .cascade } }

@Suite(.noHangs) struct BulkChangeTests {
  private struct Failure: Error {}

  @Test func `entities are made of elements, which are not counted before`() {
    let context = Context()
    let names = AnySequence(sequence(first: 1) { $0 < 100 ? $0 + 1 : nil })
    let made = context.createEntities(from: names) { (Health(points: Int32($0)), Tag()) }
    expectEqual(made.compactMap { $0.get(Health.self)?.points }, (1...100).map { Int32($0) })
    expectEqual(Array(context.entities()), made)
    expectEqual(context.group(Health.self, Tag.self).count, 100)
    let single = context.createEntities(from: 0..<3) { Health(points: Int32($0)) }
    expectEqual(single.map { $0.has(Tag.self) }, [false, false, false])
    expectTrue(context.createEntities(from: [Int]()) { Health(points: Int32($0)) }.isEmpty)
  }

  @Test func `a closure that throws leaves nothing behind`() {
    let context = Context()
    let counter = LifeCounter()
    let collector = Collector(group: context.group(Tracked.matcher), type: .added)
    #expect(throws: Failure.self) {
      try context.createEntities(from: 0..<20) { number throws(Failure) in
        if number == 17 { throw Failure() }
        return Tracked(counter, number: number)
      }
    }
    expectTrue(context.count == 0 && collector.isEmpty)
    expectTrue(counter.beginnings == 17 && counter.living == 0)
  }

  @Test(arguments: [Int.max, 1_000_000_000_000_000])
  func `A sequence may promise more than there is memory for`(count: Int) {
    let context = Context()
    context.createEntity(with: Health(points: 0))
    var made = 0
    #expect(throws: Failure.self) {
      try context.createEntities(from: 0..<count) { (number: Int) throws(Failure) in
        if number == 10 { throw Failure() }
        made += 1
        return Health(points: Int32(number))
      }
    }
    expectTrue(made == 10 && context.count == 1)
  }

  @Test func `More entities than a context can have stop with a message`() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let context = Context()
      context.createEntity(with: Health(points: 0))
      context.createEntities(.max, with: Health(points: 1))
    }
    expectTrue(stopped(result, saying: "was given the count 9223372036854775807"))
  }

  @Test func `a closure that makes components sees what was there before`() {
    let context = Context()
    context.createEntities(3, with: Health(points: 1))
    let group = context.group(Health.matcher)
    let made = context.createEntities(from: 0..<40) { _ in Health(points: Int32(group.count)) }
    expectTrue(made.allSatisfy { $0.get(Health.self)?.points == 3 })
  }

  @Test func `a closure that makes components must not change the context`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let context = Context()
      context.createEntities(from: 0..<2) { number in
        _ = context.createEntity()
        return Health(points: Int32(number))
      }
    }
    expectTrue(stopped(result, saying: "makes components for new entities"))
  }

  @Test func `entities that are made inside an iteration come to life when it ends`() {
    let context = Context()
    context.createEntity(with: Tag())
    context.group(Tag.matcher).withEach { (_, _: Tag) in
      let made = context.createEntities(from: 0..<2) { Health(points: Int32($0)) }
      expectEqual(made.map { $0.get(Health.self)?.points }, [0, 1])
      expectTrue(context.group(Health.matcher).isEmpty)
    }
    expectEqual(context.group(Health.matcher).count, 2)
  }

  @Test func `of a unique component, the last entity of the group is the holder`() {
    let context = Context()
    let entities = context.createEntities(5, with: Tag())
    context.group(Tag.matcher).set(Held(number: 1))
    expectEqual(context.uniqueEntity(Held.self), entities[4])
    expectEqual(context.group(Held.matcher).count, 1)
  }

  @Test func `observers are notified of each entity, once, with values`() {
    let context = Context()
    let entities = context.createEntities(from: 0..<3) { Health(points: Int32($0)) }
    let told = Mutex<[String]>([])
    let subscription = context.group(Health.matcher).observeChanges(of: Health.self) {
      let line = "\($0.label): \($1?.points ?? -1) \($2?.points ?? -1)"
      told.withLock { $0.append(line) }
    }
    let group = context.group(Health.matcher)
    group.set(Health(points: 7))
    group.set(Tag())
    group.destroyAll()
    let updates = entities.enumerated().map { "\($1.label): \($0) 7" }
    let ends = entities.map { "\($0.label): 7 -1" }
    expectEqual(told.withLock { $0 }, updates + ends)
    subscription.cancel()
  }

  @Test func `what is related by a rule goes with a group that is destroyed`() {
    let context = Context()
    let owned = context.createEntity()
    let owner = context.createEntity(with: Tag())
    owned.relate(Owns.self, to: owner)
    context.group(Tag.matcher).destroyAll()
    expectEqual(context.count, 0)
  }

  @Test func `values end once they were replaced, removed or destroyed together`() {
    let context = Context()
    let counter = LifeCounter()
    context.createEntities(from: 0..<100) { (Health(points: Int32($0)), Tracked(counter)) }
    context.createEntities(from: 0..<100) { Health(points: Int32($0)) }
    let group = context.group(Health.matcher)
    group.set(Tracked(counter))
    expectEqual(counter.living, 1)
    group.set(Tag())
    group.remove(Tracked.self)
    expectEqual(counter.living, 0)
    group.set(Tracked(counter))
    group.destroyAll()
    expectTrue(counter.living == 0 && context.count == 0)
  }
}
