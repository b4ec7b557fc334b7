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
    #expect(collector.count <= 40)
    #expect(Array(collector.drainMatching()) == survivors)
  }

  @Test func `A collector of removals keeps the dead`() {
    let collector = context.collector(for: Health.matcher, type: .removed)
    createMortals(1000)
    #expect(collector.count == 1000)
  }

  @Test func `While most of its entities live, a collector keeps the dead`() {
    let collector = context.collector(for: Health.matcher, type: .added)
    let entities = (0..<1000).map { context.createEntity(with: Health(points: $0)) }
    for entity in entities[..<100] { entity.destroy() }
    for _ in 0..<1000 { context.createEntity(with: Health(points: 0)) }
    #expect(collector.count == 2000)
    #expect(Array(collector.drain()[..<1000]) == entities)
  }

  @Test func `What is collected stays in order when dead entities are dropped`() {
    let collector = context.collector(for: Health.matcher, type: .added)
    var survivors: [Entity] = []
    for number in 0..<5000 {
      let entity = context.createEntity(with: Health(points: 0))
      if number % 7 == 0 { survivors.append(entity) } else { entity.destroy() }
    }
    #expect(collector.count < 2 * 5000 / 7 * 2)
    for entity in survivors { #expect(collector.contains(entity)) }
    #expect(Array(collector.drainMatching()) == survivors)
  }

  // MARK: Limits

  @Test func `A collector with a limit holds the last entities`() {
    let collector = context.collector(for: Health.matcher, type: .added, limit: 3)
    let entities = (0..<5).map { context.createEntity(with: Health(points: $0)) }
    #expect(collector.limit == 3)
    #expect(collector.count == 3)
    #expect(collector.lostCount == 2)
    #expect(!collector.contains(entities[1]))
    #expect(Array(collector.drain()) == Array(entities[2...]))
    _ = context.createEntity(with: Health(points: 0))
    #expect(collector.count == 1)
    #expect(collector.lostCount == 2)
  }

  @Test func `An entity that is already collected displaces no other`() {
    let collector = context.collector(for: Health.matcher, type: .addedOrUpdated, limit: 2)
    let entities = (0..<2).map { context.createEntity(with: Health(points: $0)) }
    for _ in 0..<100 { entities[0].set(Health(points: 7)) }
    #expect(collector.lostCount == 0)
    #expect(Array(collector.drain()) == entities)
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
    #expect(collector.count == limit)
    #expect(collector.lostCount == 5000 - limit)
    #expect(Array(collector.drain()) == last)
  }

  @Test func `Restoring respects the limit`() {
    let collector = context.collector(for: Health.matcher, type: .added, limit: 3)
    let early = (0..<3).map { context.createEntity(with: Health(points: $0)) }
    let drained = collector.drain()
    let late = (0..<2).map { context.createEntity(with: Health(points: $0)) }
    collector.restore(drained)
    #expect(collector.lostCount == 2)
    #expect(Array(collector.drain()) == [early[2]] + late)
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
    #expect(passes == 1)
    #expect(collector.lostCount == 9)
  }

  @Test func `A limit below one is refused`() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      _ = Context().collector(for: Health.matcher, limit: 0)
    }
    #expect(stopped(result, saying: "was given the limit 0: it must be at least 1."))
  }

  // MARK: Statistics

  @Test func `Statistics show what waits in collectors`() {
    #expect(context.statistics.backlog == 0)
    #expect(context.statistics.largestBacklog == nil)
    let healthy = context.collector(for: Health.matcher, type: .added)
    let moved = context.collector(for: Position.matcher, type: [.updated, .removed])
    for _ in 0..<3 { context.createEntity(with: Health(points: 0)) }
    for number in 0..<5 {
      context.createEntity(with: Position(x: Float(number), y: 0)).destroy()
    }
    #expect(context.statistics.backlog == 8)
    let largest = context.statistics.largestBacklog
    #expect(largest?.matcher == Position.matcher)
    #expect(largest?.type == [.updated, .removed])
    #expect(largest?.count == 5)
    #expect(largest?.description == "5 entities of \(Position.matcher)")
    _ = moved.drain()
    #expect(context.statistics.largestBacklog?.matcher == Health.matcher)
    _ = healthy.drain()
    #expect(context.statistics.largestBacklog == nil)
  }
}
