import ECS
import ECSTestSupport
import Testing

/// What begins to listen while it is known that nothing does: inside an iteration, or beside a
/// storage at hand.
@Suite struct LateListenerTests {
  enum Listener: CaseIterable {
    case collector, observer, changes, entity, index, aggregate, view
  }

  let context = Context()
  let group: Group
  let entities: [Entity]

  init() {
    let context = context
    group = context.group(Health.matcher)
    // In two tables.
    entities = (0..<6).map { number in
      let entity = context.createEntity(with: Health(points: Int32(number)))
      if number >= 3 { entity.set(Tag()) }
      return entity
    }
    // From here on it is known that nothing reacts.
    for _ in 0..<2 { group.withEach { (_, health: inout Health) in health.points += 10 } }
  }

  /// Begins to listen, and gives the points of the entities of which the listener was notified
  /// since then, or all that it has if it has no more.
  private func listen(_ listener: Listener) -> () -> [Int32] {
    let told = Recorder<Entity>()
    func points(_ entities: some Sequence<Entity>) -> [Int32] {
      entities.compactMap { $0.get(Health.self)?.points }.sorted()
    }
    switch listener {
    case .collector:
      let collector = Collector(group: group, type: .updated)
      return { points(collector.drain()) }
    case .observer:
      let changes = Recorder<Bool>()
      let subscription = group.observe { _ in changes.append(true) }
      return {
        withExtendedLifetime(subscription) {}
        return changes.items.isEmpty ? [] : points(group)
      }
    case .changes:
      let subscription = group.observeChanges { told.append($0.entity) }
      return {
        withExtendedLifetime(subscription) {}
        return points(told.items)
      }
    case .entity:
      let subscriptions = entities.map { entity in
        entity.observeChanges { told.append($0.entity) }
      }
      return {
        withExtendedLifetime(subscriptions) {}
        return points(told.items)
      }
    case .index:
      let index = context.index { (health: Health) in health.points }
      return { index.keys.sorted() }
    case .aggregate:
      let extremes = context.extremes(of: { (health: Health) in health.points }, by: { _ in true })
      return { extremes[true].map { [$0.lowerBound, $0.upperBound] } ?? [] }
    case .view:
      let view = group.sorted(by: \Health.points).start()
      return { view.compactMap { $0.get(Health.self)?.points } }
    }
  }

  private func expected(_ listener: Listener, _ values: [Int32]) -> [Int32] {
    guard listener == .aggregate else { return values }
    return [values.first, values.last].compactMap { $0 }
  }

  // At the last entity, the tables have been found already.
  @Test(arguments: Listener.allCases, [0, 5])
  func `gets all that the iteration has changed`(_ listener: Listener, at visit: Int) {
    var told: () -> [Int32] = { [] }
    var visits = 0
    group.withEach { (_, health: inout Health) in
      if visits == visit { told = listen(listener) }
      visits += 1
      health.points += 100
    }
    expectEqual(told(), expected(listener, (0..<6).map { $0 + 120 }))
  }

  @Test(arguments: Listener.allCases, [0, 5])
  func `gets all that an inner iteration has changed`(_ listener: Listener, at visit: Int) {
    var told: () -> [Int32] = { [] }
    context.createEntity(with: Position(x: 0, y: 0))
    context.group(Position.matcher).withEach { (_, _: inout Position) in
      var visits = 0
      group.withEach { (_, health: inout Health) in
        if visits == visit { told = listen(listener) }
        visits += 1
        health.points += 100
      }
    }
    expectEqual(told(), expected(listener, (0..<6).map { $0 + 120 }))
  }

  @Test(arguments: [0, 3])
  func `gets what a search has visited, and no more`(at visit: Int) {
    var told: () -> [Int32] = { [] }
    var visits = 0
    let found = group.firstNonNil { (entity, health: inout Health) -> Entity? in
      if visits == visit { told = listen(.collector) }
      visits += 1
      health.points += 100
      return visits == 4 ? entity : nil
    }
    expectNotNil(found)
    expectEqual(told(), [120, 121, 122, 123])
  }

  @Test func `gets chunks even if it begins after the last change`() {
    var told: () -> [Int32] = { [] }
    group.withChunks { (_, health: inout MutableSpan<Health>) in
      for offset in 0..<health.count { health[offset].points += 100 }
      told = listen(.collector)
    }
    expectEqual(told(), (0..<6).map { $0 + 120 })
  }

  // At the first entity of a table, and at one whose table is known to have nothing that reacts.
  @Test(arguments: Listener.allCases, [0, 2, 3, 5])
  func `gets all that is set through storages at hand`(_ listener: Listener, at first: Int) {
    var told: () -> [Int32] = { [] }
    context.withStorage(Health.self) { inner in
      context.withStorage(Health.self) { outer in
        for entity in entities {
          (inner[entity], outer[entity]) = (Health(points: 1), Health(points: 2))
        }
        for (number, entity) in entities.enumerated() {
          if number == first { told = listen(listener) }
          if number % 2 == 0 {
            inner[entity] = Health(points: Int32(number) + 120)
          } else {
            outer[entity] = Health(points: Int32(number) + 120)
          }
        }
      }
    }
    let isToldOfChanges = [.collector, .changes, .entity].contains(listener)
    let values = (isToldOfChanges ? first : 0)..<6
    expectEqual(told(), expected(listener, values.map { Int32($0) + 120 }))
  }

  // All in one table, so that nothing is found anew but because a listener comes or goes.
  @Test func `may come and go beside a storage at hand`() {
    let entities = entities[3...]
    context.withStorage(Health.self) { points in
      for round in 1..<10 as Range<Int32> {
        let collector = round % 3 == 0 ? Collector(group: group, type: .updated) : nil
        for entity in entities { points[entity] = Health(points: round) }
        if let collector { expectEqual(Array(collector.drain()), Array(entities)) }
        expectTrue(entities.allSatisfy { $0.get(Health.self)?.points == round })
      }
    }
  }

  /// Observes an entity in all ways there are; gives how often each observer was called.
  private func observe(_ entity: Entity) -> (tokens: [Subscription], calls: () -> [Int]) {
    let told = (0..<5).map { _ in Recorder<Bool>() }
    let tokens = [
      entity.observe(initial: false) { _ in told[0].append(true) },
      entity.observeChanges { _ in told[1].append(true) },
      entity.observeChanges(of: Tag.self) { _, _, _ in told[2].append(true) },
      entity.sources(TaggedWith.self).observe(initial: false) { _ in told[3].append(true) },
      entity.sources(TaggedWith.self).view().observe(initial: false) { _ in told[4].append(true) },
    ]
    return (tokens, { told.map { $0.take().count } })
  }

  @Test(arguments: [false, true])
  func `Observers of an entity that an iteration creates get what comes`(isListened: Bool) {
    let listener = isListened ? group.observeChanges { _ in } : nil
    var made: (entity: Entity, tokens: [Subscription], calls: () -> [Int])?
    context.group(Health.matcher).withEach { (entity, health: inout Health) in
      guard made == nil else { return }
      let entity = context.createEntity(with: Health(points: 1))
      let (tokens, calls) = observe(entity)
      made = (entity, tokens, calls)
      expectTrue(tokens.allSatisfy { $0.isActive })
    }
    guard let made else { return }
    expectEqual(made.calls(), [0, 0, 0, 0, 0])
    made.entity.set(Health(points: 2))
    expectEqual(made.calls(), [1, 1, 0, 0, 0])
    entities[0].relate(TaggedWith.self, to: made.entity)
    expectEqual(made.calls(), [1, 0, 0, 1, 1])
    made.entity.destroy()
    expectEqual(made.calls(), [1, 1, 0, 1, 1])
    expectFalse(made.tokens.contains { $0.isActive })
    withExtendedLifetime(listener) {}
  }

  @Test func `Observers of an entity get what waits for it as its iteration ends`() {
    var (tokens, calls): ([Subscription], [() -> [Int]]) = ([], [])
    group.withEach { (entity, health: inout Health) in
      guard tokens.isEmpty else { return }
      for number in 0..<3 {
        let made = context.createEntity(with: Health(points: 1))
        let (more, count) = observe(made)
        tokens += more
        calls.append(count)
        if number == 1 { made.set(Tag()) }
        if number == 2 { made.destroy() }
      }
      let dead = context.createEntity()
      dead.destroy()
      expectFalse(observe(dead).tokens.contains { $0.isActive })
    }
    expectEqual(calls.map { $0() }, [[0, 0, 0, 0, 0], [1, 1, 1, 0, 0], [1, 1, 0, 1, 1]])
    expectEqual(
      tokens.map(\.isActive),
      [Bool](repeating: true, count: 10)
        + [Bool](repeating: false, count: 5))
  }

  @Test func `Observers of an entity that never was end with the transaction`() {
    struct Refused: Error {}
    var (tokens, calls): ([Subscription], [() -> [Int]]) = ([], [])
    _ = try? context.transaction {
      group.withEach { (entity, health: inout Health) in
        guard tokens.isEmpty else { return }
        let (more, count) = observe(context.createEntity(with: Health(points: 1)))
        (tokens, calls) = (more, [count])
      }
      expectTrue(tokens.allSatisfy { $0.isActive })
      throw Refused()
    }
    expectFalse(tokens.contains { $0.isActive })
    expectEqual(calls.map { $0() }, [[0, 0, 0, 0, 0]])
  }
}
