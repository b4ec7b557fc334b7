import Dispatch
import ECS
import ECSTestSupport
import Testing

private struct Refused: Error {}
private struct ID: Component, Equatable { let id: Int }

/// Pausing and resuming inside of transactions: it is no change of entities.
@Suite struct TransactionPauseTests {
  let context = Context()

  /// Runs a body as a transaction that throws, as often around it as is said.
  private func fail(_ depth: Int = 1, _ body: () -> Void) {
    do throws(Refused) {
      try context.transaction { () throws(Refused) in
        if depth > 1 { fail(depth - 1, body) } else { body() }
        throw Refused()
      }
    } catch {}
  }

  @Test(arguments: [1, 2]) func `Pausing stays`(depth: Int) {
    let entity = context.createEntity(with: Health(points: 1), ID(id: 1))
    let collector = Collector(group: context.group(Health.matcher), type: .updated)
    let index = context.index { (health: Health) in health.points }
    let byID = context.primaryIndex { (id: ID) in id.id }
    entity.set(Health(points: 2))
    fail(depth) {
      entity.set(Health(points: 3))
      collector.pause()
      index.pause()
      byID.pause()
    }
    expectTrue(collector.isPaused && index.isPaused && byID.isPaused)
    expectTrue(collector.isEmpty && index.keyCount == 0 && byID.count == 0)
    entity.set(Health(points: 4))
    expectTrue(collector.isEmpty && index.keyCount == 0)
  }

  @Test(arguments: [1, 2]) func `Resuming stays`(depth: Int) throws {
    let entity = context.createEntity(with: Health(points: 1), ID(id: 1))
    let collector = Collector(group: context.group(Health.matcher), type: .updated, paused: true)
    let index = context.index(paused: true) { (health: Health) in health.points }
    let byID = context.primaryIndex(paused: true) { (id: ID) in id.id }
    fail(depth) {
      collector.resume()
      index.resume()
      try? byID.resume()
      entity.set(Health(points: 3))
      context.createEntity(with: ID(id: 2))
    }
    expectTrue(!collector.isPaused && !index.isPaused && !byID.isPaused)
    expectTrue(collector.isEmpty && index.keys == [1] && byID.keys == [1])
    entity.set(Health(points: 4))
    expectEqual(collector.drain(), [entity])
    expectTrue(index[4] == [entity] && byID[1] == entity)
  }

  @Test(arguments: [1, 2]) func `What a pause drops stays dropped`(depth: Int) {
    let entity = context.createEntity(with: Health(points: 1))
    let other = context.createEntity(with: Health(points: 1))
    let collector = Collector(group: context.group(Health.matcher), type: .updated)
    entity.set(Health(points: 2))
    fail(depth) {
      other.set(Health(points: 2))
      collector.pause()
      collector.resume()
      other.set(Health(points: 3))
    }
    expectTrue(!collector.isPaused && collector.isEmpty)
    other.set(Health(points: 4))
    expectEqual(collector.drain(), [other])
    entity.set(Health(points: 5))
    fail(depth) {
      expectEqual(collector.drainAndPause(), [entity])
      collector.resume()
      other.set(Health(points: 3))
    }
    expectTrue(!collector.isPaused && collector.isEmpty)
  }

  @Test func `Draining is taken back, as it takes what changes of entities have put in`() {
    let entity = context.createEntity(with: Health(points: 1))
    let collector = Collector(group: context.group(Health.matcher), type: .updated)
    entity.set(Health(points: 2))
    fail { expectEqual(collector.drain(), [entity]) }
    expectEqual(collector.drain(), [entity])
  }

  @Test(arguments: [1, 2])
  func `A primary index whose keys are there twice in the end is paused again`(depth: Int) throws {
    let first = context.createEntity(with: ID(id: 1))
    let byID = context.primaryIndex { (id: ID) in id.id }
    byID.pause()
    let second = context.createEntity(with: ID(id: 1))
    let made = Recorder<PrimaryIndex<ID, Int>>()
    fail(depth) {
      second.destroy()
      try? byID.resume()
      made.append(context.primaryIndex { (id: ID) in id.id })
      expectTrue(byID[1] == first && made.items[0][1] == first)
    }
    for index in [byID, made.items[0]] {
      expectTrue(index.isPaused && index.count == 0)
      #expect(throws: IdentityError<Int>.self) { try index.resume() }
    }
    second.destroy()
    for index in [byID, made.items[0]] {
      try index.resume()
      expectEqual(index[1], first)
    }
    // It keeps keys unique as ever.
    #expect(throws: IdentityError<Int>.self) {
      try byID.assign(ID(id: 1), to: context.createEntity())
    }
  }

  @Test func `A loop stays paused or resumed`() {
    let passes = Recorder<Int>()
    let group = context.group(Health.matcher)
    let loop = ReactiveLoop(
      ctx: context, queue: .global(),
      systems: [
        ClosureReactive(Collector(group: group, type: .updated)) { passes.append($0.count) }
      ])
    fail { loop.pause() }
    expectTrue(loop.isPaused)
    fail { loop.resume() }
    expectFalse(loop.isPaused)
  }
}

private final class ClosureReactive: ReactiveSystem {
  let collector: Collector
  let name = "closure"
  private let body: (EntitySet) -> Void

  init(_ collector: Collector, _ body: @escaping (EntitySet) -> Void) {
    self.collector = collector
    self.body = body
  }

  func execute(entities: EntitySet) { body(entities) }
}
