import ECS
import ECSTestSupport
import Testing

/// What happens to collectors that nothing drains.
@Suite(.noHangs) struct CollectorBacklogTests {
  let context = Context()

  /// Creates entities that die at once.
  private func createMortals(_ count: Int) {
    for _ in 0..<count { context.createEntity(with: Health(points: 0)).destroy() }
  }

  @Test func `Dead entities don't pile up in a collector that collects no removals`() {
    let collector = context.collector(for: Health.matcher, type: .addedOrUpdated)
    let survivors = (0..<10).map { context.createEntity(with: Health(points: $0)) }
    createMortals(100_000)
    expectLessThanOrEqual(collector.count, 40)
    expectEqual(Array(collector.drainMatching()), survivors)
  }

  @Test func `A collector of removals keeps the dead`() {
    let collector = context.collector(for: Health.matcher, type: .removed)
    createMortals(1000)
    expectEqual(collector.count, 1000)
  }

  @Test func `While most of its entities live, a collector keeps the dead`() {
    let collector = context.collector(for: Health.matcher, type: .added)
    let entities = (0..<1000).map { context.createEntity(with: Health(points: $0)) }
    for entity in entities[..<100] { entity.destroy() }
    for _ in 0..<1000 { context.createEntity(with: Health(points: 0)) }
    expectEqual(collector.count, 2000)
    expectEqual(Array(collector.drain()[..<1000]), entities)
  }

  @Test func `What is collected stays in order when dead entities are dropped`() {
    let collector = context.collector(for: Health.matcher, type: .added)
    var survivors: [Entity] = []
    for number in 0..<5000 {
      let entity = context.createEntity(with: Health(points: 0))
      if number % 7 == 0 { survivors.append(entity) } else { entity.destroy() }
    }
    expectLessThan(collector.count, 2 * 5000 / 7 * 2)
    for entity in survivors { expectTrue(collector.contains(entity)) }
    expectEqual(Array(collector.drainMatching()), survivors)
  }

  // MARK: Limits

  @Test func `A collector with a limit holds the last entities`() {
    let collector = context.collector(for: Health.matcher, type: .added, limit: 3)
    let entities = (0..<5).map { context.createEntity(with: Health(points: $0)) }
    expectEqual(collector.limit, 3)
    expectEqual(collector.count, 3)
    expectEqual(collector.lostCount, 2)
    expectFalse(collector.contains(entities[1]))
    expectEqual(Array(collector.drain()), Array(entities[2...]))
    _ = context.createEntity(with: Health(points: 0))
    expectEqual(collector.count, 1)
    expectEqual(collector.lostCount, 2)
  }

  @Test func `An entity that is already collected displaces no other`() {
    let collector = context.collector(for: Health.matcher, type: .addedOrUpdated, limit: 2)
    let entities = (0..<2).map { context.createEntity(with: Health(points: $0)) }
    for _ in 0..<100 { entities[0].set(Health(points: 7)) }
    expectEqual(collector.lostCount, 0)
    expectEqual(Array(collector.drain()), entities)
  }

  @Test(arguments: [1, 2, 31, 32, 33, 1000])
  func `A limit holds however long nothing drains`(limit: Int) {
    let collector = context.collector(for: Health.matcher, type: .removed, limit: limit)
    var last: [Entity] = []
    for points in 0..<5000 {
      let entity = context.createEntity(with: Health(points: Int32(points)))
      entity.destroy()
      last.append(entity)
      if last.count > limit { last.removeFirst() }
    }
    expectEqual(collector.count, limit)
    expectEqual(collector.lostCount, 5000 - limit)
    expectEqual(Array(collector.drain()), last)
  }

  @Test func `Restoring respects the limit`() {
    let collector = context.collector(for: Health.matcher, type: .added, limit: 3)
    let early = (0..<3).map { context.createEntity(with: Health(points: $0)) }
    let drained = collector.drain()
    let late = (0..<2).map { context.createEntity(with: Health(points: $0)) }
    collector.restore(drained)
    expectEqual(collector.lostCount, 2)
    expectEqual(Array(collector.drain()), [early[2]] + late)
  }

  @Test func `Losing entities wakes no task twice`() {
    let collector = context.collector(for: Health.matcher, type: .added, limit: 1)
    var passes = 0
    let loop = Loop(
      name: "loop",
      systems: [ClosureSystem("count", collector: collector) { _ in passes += 1 }])
    for points in 0..<10 { context.createEntity(with: Health(points: Int32(points))) }
    loop.execute()
    loop.execute()
    expectEqual(passes, 1)
    expectEqual(collector.lostCount, 9)
  }

  @Test func `A limit below one is refused`() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      _ = Context().collector(for: Health.matcher, limit: 0)
    }
    expectTrue(stopped(result, saying: "was given the limit 0: it must be at least 1."))
  }

  // MARK: Statistics

  @Test func `Statistics show what waits in collectors`() {
    expectEqual(context.statistics.backlog, 0)
    expectNil(context.statistics.largestBacklog)
    let healthy = context.collector(for: Health.matcher, type: .added)
    let moved = context.collector(for: Position.matcher, type: [.updated, .removed])
    for _ in 0..<3 { context.createEntity(with: Health(points: 0)) }
    for number in 0..<5 {
      context.createEntity(with: Position(x: Float(number), y: 0)).destroy()
    }
    expectEqual(context.statistics.backlog, 8)
    let largest = context.statistics.largestBacklog
    expectEqual(largest?.matcher, Position.matcher)
    expectEqual(largest?.type, [.updated, .removed])
    expectEqual(largest?.count, 5)
    expectEqual(largest?.description, "5 entities of \(Position.matcher)")
    _ = moved.drain()
    expectEqual(context.statistics.largestBacklog?.matcher, Health.matcher)
    _ = healthy.drain()
    expectNil(context.statistics.largestBacklog)
  }
}
