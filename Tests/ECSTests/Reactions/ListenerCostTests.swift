import ECS
import ECSTestSupport
import Testing

/// What it costs the next changes when a listener begins or ceases to listen: counted in how often
/// a set of tables was asked what a change means to it.
@Suite struct ListenerCostTests {
  let context = Context()

  private struct A: Component {}
  private struct B: Component {}
  private struct C: Component {}
  private struct D: Component {}
  private struct E: Component {}
  private struct F: Component {}

  /// An entity for each combination of six components, and a listening group for each, too.
  private func populate() -> (entities: [Entity], collectors: [Collector]) {
    let ids = [A.cid, B.cid, C.cid, D.cid, E.cid, F.cid]
    func has(_ number: Int, _ bit: Int) -> Bool { number & 1 << bit != 0 }
    let entities = (0..<64).map { number in
      let entity = context.createEntity(with: Health(points: 0))
      if has(number, 0) { entity.set(A()) }
      if has(number, 1) { entity.set(B()) }
      if has(number, 2) { entity.set(C()) }
      if has(number, 3) { entity.set(D()) }
      if has(number, 4) { entity.set(E()) }
      if has(number, 5) { entity.set(F()) }
      return entity
    }
    let collectors = (0..<64).map { number in
      let all = Set(ids.indices.filter { has(number, $0) }.map { ids[$0] })
      return context.collector(for: Matcher(all: all.union([Health.cid])), type: .updated)
    }
    return (entities, collectors)
  }

  /// How many sets were asked in the course of a change of each entity.
  private func evaluations(changing entities: [Entity]) -> Int {
    let before = context.matcherEvaluations
    for entity in entities { entity.set(Health(points: 1)) }
    return context.matcherEvaluations - before
  }

  @Test func `Listening to a few tables costs changes of others nothing`() {
    let (entities, collectors) = populate()
    let everything = evaluations(changing: entities)
    expectGreaterThanOrEqual(everything, 729)
    expectEqual(evaluations(changing: entities), 0)

    let few = context.group(Matcher(all: [A.cid, B.cid, C.cid, D.cid, E.cid], none: [F.cid]))
    var watcher: [Any] = [Collector(group: few, type: .addedUpdatedOrRemoved)]
    // The only table of the group is that of 32 of the other groups.
    expectLessThanOrEqual(evaluations(changing: entities), 33)
    watcher = []
    expectLessThanOrEqual(evaluations(changing: entities), 33)
    watcher = [few.observeChanges { _ in }]
    expectLessThanOrEqual(evaluations(changing: entities), 33)
    watcher = []
    expectLessThanOrEqual(evaluations(changing: entities), 33)
    watcher = [few.observeChanges { _ in }, few.observeChanges { _ in }]
    expectLessThanOrEqual(evaluations(changing: entities), 33)
    watcher.removeLast()
    expectEqual(evaluations(changing: entities), 0)
    withExtendedLifetime((collectors, watcher)) {}
  }

  @Test func `Observing single entities costs the other changes nothing`() {
    let (entities, collectors) = populate()
    _ = evaluations(changing: entities)
    let token = entities[0].observeChanges { _ in }
    expectEqual(evaluations(changing: entities), 0)
    token.cancel()
    expectEqual(evaluations(changing: entities), 0)
    withExtendedLifetime(collectors) {}
  }

  @Test func `Indexes cost only changes of entities with their component`() {
    let (entities, collectors) = populate()
    _ = evaluations(changing: entities)
    let index = context.index { (position: Position) in position.x }
    expectEqual(evaluations(changing: entities), 0)
    entities[0].set(Position(x: 1, y: 2))
    expectEqual(index.keyCount, 1)
    withExtendedLifetime((collectors, index)) {}
  }

  // MARK: Exactness

  @Test func `Changes into a listener's tables are heard from the first one on`() {
    let outside = context.createEntity(with: Health(points: 0))
    // It is known what goes where, and that nothing listens.
    for _ in 0..<3 {
      outside.set(A())
      outside.remove(A.self)
    }
    let arrivals = context.collector(for: A.matcher, type: .added)
    outside.set(A())
    expectEqual(Array(arrivals.drain()), [outside])
    let departures = context.collector(for: A.matcher, type: .removed)
    outside.remove(A.self)
    expectEqual(Array(departures.drain()), [outside])
    let creations = context.collector(for: Health.matcher, type: .added)
    let next = context.createEntity(with: Health(points: 1))
    expectEqual(Array(creations.drain()), [next])
  }

  @Test func `A listener of a group that is made late hears changes along known ways`() {
    let entity = context.createEntity(with: A())
    for _ in 0..<3 {
      entity.set(B())
      entity.remove(B.self)
    }
    let heard = Recorder<Change.Kind>()
    let token = context.group(Matcher(all: [B.cid], none: [C.cid])).observeChanges { change in
      heard.append(change.kind)
    }
    entity.set(B())
    entity.set(C())
    entity.remove(C.self)
    entity.remove(B.self)
    expectEqual(heard.items, [.added, .removed, .added, .removed])
    withExtendedLifetime(token) {}
  }

  @Test func `Tables that were freed and recreated know what listens`() {
    let collector = context.collector(for: B.matcher, type: .addedUpdatedOrRemoved)
    let entity = context.createEntity(with: A())
    for _ in 0..<3 {
      entity.set(B())
      expectEqual(Array(collector.drain()), [entity])
      entity.remove(B.self)
      expectEqual(Array(collector.drain()), [entity])
      context.compact()
    }
    let other = context.collector(for: B.matcher, type: .added)
    entity.set(B())
    expectEqual(Array(other.drain()), [entity])
  }
}
