import ECS
import ECSTestSupport
import Testing

private struct Mode: UniqueComponent {
  var number: Int
}

@Suite struct TableReclaimTests {
  private static let bits = Bits.types

  private func set(_ number: Int, on entity: Entity) { Bits.set(number, on: entity) }

  @Test func `A program that passes through thousands of combinations keeps few tables`() {
    let context = Context()
    let group = context.group(Matcher(any: Set(Self.bits)))
    let entity = context.createEntity()
    var largest = 0
    for number in 0..<2048 {
      set(number, on: entity)
      largest = max(largest, context.statistics.tables)
      expectEqual(group.count, (number == 0 ? 0 : 1))
      expectTrue(Self.bits.enumerated().allSatisfy { entity.has($1) == (number & (1 << $0) != 0) })
    }
    expectLessThanOrEqual(largest, 1024)
  }

  @Test func `Compacting frees the tables that no entity uses and keeps the rest`() {
    let context = Context()
    let entity = context.createEntity(with: Position(x: 1, y: 2), Mode(number: 3))
    for number in 0..<64 { set(number, on: entity) }
    set(0, on: entity)
    let group = context.group(Position.matcher)
    context.compact()
    expectEqual(context.statistics.tables, 2)
    expectEqual(entity.get(Position.self), Position(x: 1, y: 2))
    expectEqual(context.uniqueComponent(Mode.self)?.number, 3)
    expectEqual(Array(group), [entity])
    context.createEntities(100, with: Position(x: 0, y: 0))
    expectEqual(group.count, 101)
  }

  @Test func `Creating holders of a unique component while tables are freed is safe`() {
    let context = Context()
    for number in 0..<2048 {
      let holder = context.createEntity(with: Mode(number: number))
      set(number, on: holder)
      let next = context.createEntity(with: Position(x: 0, y: 0), Mode(number: -number))
      expectEqual(context.uniqueEntity(Mode.self), next)
      expectFalse(holder.has(Mode.self))
      expectEqual(context.uniqueComponent(Mode.self)?.number, -number)
      holder.destroy()
      next.destroy()
    }
  }

  @Test func `Tables with entities stay`() {
    let context = Context()
    let entities = (1...900).map { number in
      let entity = context.createEntity(with: Health(points: Int32(number)))
      set(number, on: entity)
      return entity
    }
    expectGreaterThanOrEqual(context.statistics.tables, 900)
    for (number, entity) in zip(1..., entities) {
      expectEqual(entity.get(Health.self)?.points, Int32(number))
      expectEqual(entity.components().count, 1 + number.nonzeroBitCount)
    }
    context.destroyAllEntities()
    context.compact()
    expectEqual(context.statistics.tables, 1)
  }

  @Test func `Listeners hear of changes after tables were reclaimed`() {
    let context = Context()
    let entity = context.createEntity()
    let events = Recorder<Event>()
    let subscription = context.group(Health.matcher).record(into: events)
    let collector = context.collector(for: Health.matcher, type: .addedUpdatedOrRemoved)
    let index = context.index { (health: Health) in health.points }
    for round: Int32 in 0..<3 {
      entity.set(Health(points: round)).remove(Health.self)
      context.compact()
      entity.set(Health(points: round))
      expectEqual(Array(index[round]), [entity])
      entity.remove(Health.self)
      expectEqual(events.take().map(\.kind), [.added, .removed, .added, .removed])
      expectEqual(Array(collector.drain()), [entity])
    }
    withExtendedLifetime(subscription) {}
  }

  @Test func `Compacting inside an iteration does nothing`() {
    let context = Context()
    context.createEntity(with: Tag()).remove(Tag.self)
    context.createEntities(3, with: Health(points: 1))
    let before = context.statistics.tables
    context.group(Health.matcher).withEach { (_, health: inout Health) in
      context.compact()
      health.points = 2
    }
    expectEqual(context.statistics.tables, before)
    expectTrue(context.group(Health.matcher).allSatisfy { $0.get(Health.self)?.points == 2 })
  }

  // MARK: Combinations that come back

  /// Lets entities toggle components at random.
  private func toggle(_ steps: Int, _ entities: [Entity], _ random: inout SplitMix64) {
    for _ in 0..<steps {
      Bits.toggle(random.below(Bits.types.count), on: entities[random.below(entities.count)])
    }
  }

  @Test(arguments: [0, 200])
  func `Combinations that come back keep their tables`(groups: Int) {
    let context = Context()
    var random = SplitMix64(seed: 7)
    for number in 0..<groups {
      let (first, second) = (Self.bits[number % 12], Self.bits[(number / 12 + number + 1) % 12])
      if first != second { _ = context.group(Matcher(all: [first], none: [second])) }
    }
    let entities = context.createEntities(100, with: Position(x: 0, y: 0))
    toggle(30_000, entities, &random)
    let (tables, evaluations) = (context.tablesMade, context.matcherEvaluations)
    toggle(5_000, entities, &random)
    // Some are used for the first time.
    expectLessThan(context.tablesMade - tables, 50)
    expectLessThanOrEqual(context.matcherEvaluations - evaluations, 50 * context.statistics.groups)
  }

  @Test func `Combinations that come back no longer give their tables back`() {
    let context = Context()
    var random = SplitMix64(seed: 7)
    let entities = context.createEntities(100, with: Position(x: 0, y: 0))
    toggle(30_000, entities, &random)
    expectGreaterThan(context.statistics.tables, 3_000)
    for entity in entities { entity.destroy() }
    let entity = context.createEntity()
    for number in 0..<4096 { Bits.set(number, on: entity, of: Bits.others) }
    expectLessThanOrEqual(context.statistics.tables, 1024)
  }

  /// Where changes can be made.
  enum Place: CaseIterable {
    case call, section, transaction, iteration, beforeJournals
  }

  @Test(arguments: Place.allCases)
  func `Tables are given back wherever combinations are passed through`(place: Place) {
    let context = Context()
    let entity = context.createEntity()
    context.createEntity(with: Position(x: 0, y: 0))
    let journal = place == .beforeJournals ? context.journal().observe { _ in } : nil
    var largest = 0
    for number in 0..<2048 {
      switch place {
      case .call, .beforeJournals: set(number, on: entity)
      case .section: context.perform { set(number, on: entity) }
      case .transaction: context.transaction { set(number, on: entity) }
      case .iteration:
        context.group(Position.matcher).withEach { (_, _: Position) in set(number, on: entity) }
      }
      largest = max(largest, context.statistics.tables)
      expectEqual(Bits.kinds[0].read(entity), (number & 1 != 0 ? number : nil))
    }
    expectLessThanOrEqual(largest, 1024)
    withExtendedLifetime(journal) {}
  }

  @Test func `Compacting frees tables that come back, too`() {
    let context = Context()
    var random = SplitMix64(seed: 7)
    let entities = context.createEntities(100, with: Position(x: 0, y: 0))
    toggle(30_000, entities, &random)
    context.compact()
    expectLessThanOrEqual(context.statistics.tables, 101)
    toggle(1_000, entities, &random)
    expectEqual(context.count, 100)
  }
}
