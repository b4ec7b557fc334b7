import Dispatch
import ECS
import ECSTestSupport
import Testing

/// Systems whose work awaits.
@Suite(.noHangs) struct AsyncSystemTests {
  let context = Context()
  let failures = Recorder<LoopFailure>()
  let queue = DispatchQueue(label: "loop")
  let time = ManualClock()
  let works = Works()

  private var ordered: Collector {
    context.collector(for: Matcher(all: [Health.cid], none: [Tag.cid]), type: .addedOrUpdated)
  }

  private func makeLoop(
    retry: ReactiveLoop.Retry = .withNextTrigger, drops: Bool = false
  ) -> ReactiveLoop {
    ReactiveLoop(
      ctx: context, queue: queue, systems: [], name: "shop", retry: retry, clock: time.clock
    ) { [failures] failure in
      failures.append(failure)
      failure.dropsEntities = drops
    }
  }

  private func addPay(to loop: ReactiveLoop, _ collector: Collector? = nil, limit: Int = 2) {
    loop.onAsync(collector ?? ordered, name: "Pay", limit: limit) { [works] entity in
      try await works.work(on: entity)
      return { entity.set(Tag()) }
    }
  }

  private func order(_ points: Int32) -> Entity {
    context.createEntity(with: Health(points: points))
  }

  @Test func `A matcher says what to work on, from when the system is added`() async {
    let (early, loop) = (order(1), makeLoop())
    loop.onAsync(Matcher(all: [Health.cid], none: [Tag.cid]), name: "Pay", limit: 2) { entity in
      { entity.set(Tag()) }
    }
    loop.onAsync(Health.matcher, .updated, name: "Heal", limit: 2) { entity in
      { entity.set(Position(x: 1, y: 2)) }
    }
    let late = order(2)
    await loop.settled()
    expectTrue(late.has(Tag.self))
    expectFalse(early.has(Tag.self))
    expectFalse(late.has(Position.self))
    early.set(Health(points: 3))
    await loop.settled()
    expectTrue(early.has(Position.self))
    expectEqual(loop.statistics.map(\.name), ["Pay", "Heal"])
  }

  @Test func `So many works are in flight as the limit says, in the order of the changes`() async {
    let loop = makeLoop()
    addPay(to: loop)
    // All in one pass.
    let entities = context.perform { (0..<5).map { order($0) } }
    await works.begun(2)
    expectEqual(loop.statistics.map(\.inFlight), [2])
    expectEqual(loop.statistics.map(\.waiting), [3])
    await works.release()
    await loop.settled()
    // Works that are in flight together get to their actor in any order, and no others.
    let begun = await works.log
    expectEqual(Set(begun.prefix(2)), Set(entities.prefix(2)))
    expectTrue(begun.enumerated().allSatisfy { entities.prefix($0 + 2).contains($1) })
    expectTrue(begun.count == 5 && Set(begun) == Set(entities))
    await expectEqual(works.peak, 2)
    expectTrue(entities.allSatisfy { $0.has(Tag.self) })
    expectEqual(loop.statistics.map(\.runs), [5])
    expectEqual(loop.statistics.map(\.waiting), [0])
  }

  @Test func `A pass does not wait for works, and settling does`() async {
    let loop = makeLoop()
    addPay(to: loop)
    let entity = order(1)
    loop.runUntilSettled()
    expectFalse(entity.has(Tag.self))
    async let settled: Void = loop.settled()
    await works.begun(1)
    await works.release()
    await settled
    expectTrue(entity.has(Tag.self))
  }

  @Test func `Changes have the system as their cause`() async {
    let causes = Recorder<Cause>()
    let journal = context.journal(of: Tag.self)
    let token = journal.observe { commit in
      for change in commit { causes.append(change.cause) }
    }
    let loop = makeLoop()
    addPay(to: loop)
    _ = order(1)
    await works.release()
    await loop.settled()
    expectEqual(causes.take().map { "\($0)" }, ["system Pay of loop shop"])
    withExtendedLifetime(token) {}
  }

  @Test func `What no longer matches is neither changed nor begun`() async {
    let loop = makeLoop()
    addPay(to: loop, limit: 1)
    let (first, second, third) = (order(1), order(2), order(3))
    await works.begun(1)
    first.remove(Health.self)
    second.destroy()
    await works.release()
    await loop.settled()
    expectFalse(first.has(Tag.self))
    expectTrue(third.has(Tag.self))
    await expectEqual(works.log, [first, third])
  }

  @Test func `An entity that changes in flight is worked on once more`() async {
    let loop = makeLoop()
    loop.onAsync(ordered, name: "Read", limit: 4) { [works] entity in
      try await works.work(on: entity)
      return {}
    }
    let entity = order(1)
    await works.begun(1)
    for points in 2...4 {
      entity.set(Health(points: Int32(points)))
      loop.runUntilSettled()
    }
    expectEqual(loop.statistics.map(\.waiting), [1])
    await works.release()
    await loop.settled()
    await expectEqual(works.log, [entity, entity])
  }

  @Test func `A failure is reported, and the entity comes again later and later`() async {
    let loop = makeLoop(retry: .after(.milliseconds(100), upTo: .seconds(1)))
    addPay(to: loop)
    await works.release()
    let entity = context.createEntity()
    await works.fail(entity, times: 3)
    entity.set(Health(points: 1))
    await loop.settled()
    for (number, wait) in [100, 200, 400].enumerated() {
      await expectEqual(works.log.count, number + 1)
      time.advance(by: .milliseconds(wait - 1))
      await loop.settled()
      await expectEqual(works.log.count, number + 1)
      time.advance(by: .milliseconds(1))
      await loop.settled()
    }
    expectTrue(entity.has(Tag.self))
    let reported = failures.take()
    expectEqual(reported.map(\.system), ["Pay", "Pay", "Pay"])
    expectTrue(reported.allSatisfy { Array($0.entities) == [entity] && $0.error is Refusal })
    expectEqual(loop.statistics.map(\.errors), [3])
  }

  @Test func `What the handler drops does not come again`() async {
    let collector = ordered
    let loop = makeLoop(drops: true)
    addPay(to: loop, collector)
    await works.release()
    let entity = context.createEntity()
    await works.fail(entity, times: 1)
    entity.set(Health(points: 1))
    await loop.settled()
    loop.runUntilSettled()
    await loop.settled()
    await expectEqual(works.log, [entity])
    expectTrue(collector.isEmpty)
  }

  @Test func `Entities with a key are worked on one after the other, failed ones first`() async {
    let loop = makeLoop()
    loop.onAsync(ordered, name: "Pay", limit: 9, orderedBy: \Health.points) { [works] entity in
      try await works.work(on: entity)
      return { entity.set(Tag()) }
    }
    let even = (0..<3).map { _ in context.createEntity() }
    await works.fail(even[0], times: 1)
    for entity in even { entity.set(Health(points: 2)) }
    let odd = order(1)
    await works.begun(2)
    // Works that are in flight together get to their actor in any order.
    await expectEqual(Set(works.log), [even[0], odd])
    await works.release()
    await loop.settled()
    await expectEqual(works.log.count, 2)
    loop.runUntilSettled()
    await loop.settled()
    await expectEqual(Array(works.log.dropFirst(2)), even)
  }

  @Test func `A paused loop begins nothing`() async {
    let loop = makeLoop()
    addPay(to: loop, limit: 1)
    let entities = (0..<2).map { order($0) }
    await works.begun(1)
    loop.pause()
    await works.release()
    await loop.settled()
    expectEqual(entities.map { $0.has(Tag.self) }, [true, false])
    loop.resume()
    await loop.settled()
    expectEqual(entities.map { $0.has(Tag.self) }, [true, true])
  }

  @Test func `A cancelled loop makes changes that works return, and puts the rest back`() async {
    let collector = ordered
    let loop = makeLoop()
    addPay(to: loop, collector, limit: 2)
    // All in one pass.
    let entities = context.perform { (0..<4).map { order($0) } }
    await works.begun(2)
    await works.cancelled(entities[1])
    loop.cancel()
    await works.release()
    await loop.settled()
    expectEqual(entities.map { $0.has(Tag.self) }, [true, false, false, false])
    expectEqual(Array(collector.drain()), [entities[2], entities[3], entities[1]])
    expectEqual(failures.count, 0)
  }

  @Test func `A loop that is released lets its works end`() async {
    var loop: ReactiveLoop? = makeLoop()
    addPay(to: loop!)
    let entity = order(1)
    await works.begun(1)
    loop = nil
    let tagged = context.group(Matcher(all: [Health.cid, Tag.cid]))
    let changes = tagged.observations
    await works.release()
    for await _ in changes where !tagged.isEmpty { break }
    expectTrue(entity.has(Tag.self))
  }

  @Test func `A change by an error handler wakes the loop`() async {
    let context = context
    let loop = ReactiveLoop(
      ctx: context, queue: queue, systems: [], retry: .withNextTrigger, clock: time.clock
    ) { failure in
      failure.dropsEntities = true
      for entity in failure.entities { entity.set(Velocity(dx: 0, dy: 0)) }
    }
    addPay(to: loop)
    let noted = Recorder<Int>()
    loop.on(Velocity.matcher, name: "Note") { noted.append($0.count) }
    await works.release()
    let entity = context.createEntity()
    await works.fail(entity, times: 1)
    entity.set(Health(points: 1))
    await loop.settled()
    while noted.count == 0 { await loop.settled() }
    expectEqual(noted.take(), [1])
  }

  @Test func `A transaction does not take back the end of a loop in it`() async {
    let collector = ordered
    let loop = makeLoop()
    addPay(to: loop, collector, limit: 1)
    let entities = (0..<4).map { order($0) }
    await works.begun(1)
    loop.runUntilSettled()
    try? context.transaction {
      loop.cancel()
      throw Refusal()
    }
    expectEqual(Array(collector.drain()), Array(entities[1...]))
    await works.release()
    await loop.settled()
    expectEqual(entities.map { $0.has(Tag.self) }, [true, false, false, false])
  }

  @Test func `No work begins once a loop is cancelled`() async {
    for _ in 0..<50 {
      let context = Context()
      let begun = Recorder<Bool>()
      let loop = ReactiveLoop(ctx: context, queue: queue, systems: [])
      let collector = context.collector(for: Tag.matcher)
      let isCancelled = Recorder<Bool>()
      loop.onAsync(collector, name: "Pay", limit: 50) { _ in
        begun.append(isCancelled.count > 0)
        return {}
      }
      let count = 200
      context.createEntities(count, with: Tag())
      loop.runUntilSettled()
      loop.cancel()
      isCancelled.append(true)
      await loop.settled()
      expectEqual(begun.count + collector.count, count)
    }
  }

  @Test func `A system that is added while a loop is torn down is among its statistics`() async {
    let loop = makeLoop()
    let collector = ordered
    loop.add(Ending { [works] in addWorks(to: loop, collector, works) })
    loop.runUntilSettled()
    loop.cancel()
    await loop.settled()
    expectEqual(loop.statistics.map(\.name), ["Ending", "Pay"])
  }

  @Test func `Dead entities do not wait without end`() async {
    let loop = makeLoop()
    addPay(to: loop, limit: 1)
    _ = order(0)
    await works.begun(1)
    for _ in 0..<50 {
      let entities = (0..<100).map { order($0) }
      loop.runUntilSettled()
      for entity in entities { entity.destroy() }
    }
    expectLessThanOrEqual(loop.statistics[0].waiting, 400)
    let last = order(1)
    await works.release()
    await loop.settled()
    expectTrue(last.has(Tag.self))
  }

  @Test func `A limit of nothing stops`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let context = Context()
      let loop = ReactiveLoop(ctx: context, queue: DispatchQueue(label: "loop"), systems: [])
      loop.onAsync(context.collector(for: Tag.matcher), name: "Pay", limit: 0) { _ in {} }
    }
    expectTrue(stopped(result, saying: "System Pay", "limit 0"))
  }
}

private func addWorks(to loop: ReactiveLoop, _ collector: Collector, _ works: Works) {
  loop.onAsync(collector, name: "Pay", limit: 1) { entity in
    try await works.work(on: entity)
    return {}
  }
}

/// Calls a closure at its end.
private final class Ending: TeardownSystem {
  private let body: () -> Void
  init(_ body: @escaping () -> Void) { self.body = body }
  func teardown() { body() }
}
