import ECS
import ECSTestSupport
import Testing

/// Components of a type at hand, for any entities.
@Suite struct ComponentStorageTests {
  let context = Context()

  @Test func `It reads what entities have, and nil where they have none`() {
    let (one, other) = (context.createEntity(with: Health(points: 1)), context.createEntity())
    let both = context.createEntity(with: Health(points: 3), Tag())
    other.destroy()
    let points = context.withStorage(Health.self) { healths in
      [one, other, both, one, context.createEntity(with: Tag())].map { healths[$0]?.points }
    }
    expectEqual(points, [1, nil, 3, 1, nil])
  }

  @Test func `Setting replaces, adds and removes, and fires as it does for entities`() {
    let events = Recorder<Event>()
    let entity = context.createEntity(with: Health(points: 1))
    let empty = context.createEntity()
    let subscription = context.group(Health.matcher).record(into: events)
    let collector = context.collector(for: Health.matcher, type: .updated)
    context.withStorage(Health.self) { healths in
      healths[entity] = Health(points: 2)
      healths[entity]?.points += 5
      healths[empty] = Health(points: 9)
      expectEqual(healths[empty]?.points, 9)
      expectTrue(events.items.isEmpty)
      healths[entity] = nil
      expectNil(healths[entity])
      healths[entity]?.points += 1
    }
    expectTrue(!entity.has(Health.self) && empty.get(Health.self)?.points == 9)
    expectEqual(events.items, [.added(empty), .removed(entity)])
    expectEqual(collector.count, 1)
    expectEqual(context.statistics.staleWrites, 0)
    withExtendedLifetime(subscription) {}
  }

  @Test(arguments: [0, 1, 15, 16, 17, 31, 32, 33, 100])
  func `Visiting entities reads each as its turn comes, whatever their number`(_ count: Int) {
    let elsewhere = Context().createEntity(with: Health(points: 7))
    let entities = (0..<count).map { number in
      let entity = context.createEntity(with: Health(points: Int32(number)))
      return number % 3 == 0 ? entity.set(Tag()) : entity
    }
    let lacking = context.createEntity(with: Tag())
    let dead = context.createEntity(with: Health(points: 8))
    dead.destroy()
    let all = entities.reversed() + [lacking, dead, elsewhere] + entities
    var seen: [Int32] = []
    context.withStorage(Health.self) { healths in
      healths.withEach(of: all) { entity, health in
        expectEqual(entity.get(Health.self), health)
        seen.append(health.points)
      }
      var part: [Entity] = []
      healths.withEach(of: all.dropFirst(count / 2).dropLast(count + 3)) { entity, _ in
        part.append(entity)
      }
      expectEqual(part, Array(entities.reversed().dropFirst(count / 2)))
      var drained = 0
      healths.withEach(of: EntitySet(entities)) { _, _ in drained += 1 }
      expectEqual(drained, count)
    }
    // The context of one is gone, so that one is dead.
    let numbers = (0..<Int32(count)).map { $0 }
    expectEqual(seen, numbers.reversed() + numbers)
  }

  @Test func `What visiting entities changes takes effect at once`() {
    let entities = (0..<100).map { context.createEntity(with: Health(points: $0), Name("n")) }
    var seen: [Int32] = []
    context.withStorage(Health.self) { healths in
      healths.withEach(of: entities) { entity, health in
        seen.append(health.points)
        let number = Int(health.points % 1000)
        // The next ones: one dies, one loses the component, one moves, and one gets another value.
        if number % 10 == 0 { entities[number + 1].destroy() }
        if number % 10 == 2 { healths[entities[number + 1]] = nil }
        if number % 10 == 4 { entities[number + 1].set(Tag()) }
        if number % 10 == 5 { healths[entities[number + 1]] = Health(points: Int32(number + 1001)) }
        if number == 50 { context.createEntities(5000, with: Health(points: 0), Name("o")) }
      }
    }
    var expected: [Int32] = []
    for number: Int32 in 0..<100 where number % 10 != 1 && number % 10 != 3 {
      expected.append(number % 10 == 6 ? number + 1000 : number)
    }
    expectEqual(seen, expected)
  }

  @Test func `Visiting entities ends with what the closure throws`() {
    struct Enough: Error {}
    let entities = (0..<40).map { context.createEntity(with: Health(points: $0)) }
    var seen = 0
    #expect(throws: Enough.self) {
      try context.withStorage(Health.self) { (healths) throws(Enough) in
        try healths.withEach(of: entities) { (_, health) throws(Enough) in
          seen += 1
          if health.points == 20 { throw Enough() }
        }
      }
    }
    expectEqual(seen, 21)
  }

  @Test func `It follows rows, columns and tables that move while it is lent`() {
    let entity = context.createEntity(with: Name("n"), Health(points: 1))
    context.withStorage(Name.self) { names in
      for round in 0..<100 {
        expectEqual(names[entity]?.text, (round == 0 ? "n" : "\(round - 1)"))
        names[entity] = Name("\(round)")
        expectEqual(entity.get(Name.self)?.text, "\(round)")
        switch round % 5 {
        case 0: context.createEntities(100, with: Name("o"), Health(points: 0))
        case 1: entity.set(Tag())
        case 2: context.group(Health.matcher).first?.destroy()
        case 3: entity.remove(Tag.self)
        default: context.compact()
        }
        if !entity.isAlive { break }
      }
    }
  }

  @Test func `What a table remembered by it is freed for is found anew`() {
    let entity = context.createEntity(with: Name("a"))
    context.withStorage(Name.self) { names in
      for round in 0..<50 {
        names[entity] = Name("\(round)")
        entity.remove(Name.self)
        context.compact()
        expectNil(names[entity])
        entity.set(Position(x: Float(round), y: 0)).set(Name("b"))
        expectEqual(names[entity]?.text, "b")
        entity.remove(Position.self)
        context.compact()
        expectEqual(names[entity]?.text, "b")
      }
    }
  }

  @Test(arguments: [false, true])
  func `Storages that are lent within each other follow values that move`(endsEarly: Bool) {
    let entity = context.createEntity(with: Health(points: 1))
    context.withStorage(Health.self) { outer in
      for round in 1..<20 as Range<Int32> {
        outer[entity] = Health(points: round)
        context.withStorage(Health.self) { inner in
          expectEqual(inner[entity]?.points, round)
          if !endsEarly { context.createEntities(1 << Int(round / 2), with: Health(points: 0)) }
          inner[entity]?.points += 100
        }
        if endsEarly { context.createEntities(1 << Int(round / 2), with: Health(points: 0)) }
        expectEqual(outer[entity]?.points, round + 100)
        outer[entity]?.points += 1000
        expectEqual(entity.get(Health.self)?.points, round + 1100)
      }
    }
    // What was lent is no longer notified.
    context.createEntities(5_000, with: Health(points: 0))
    expectEqual(entity.get(Health.self)?.points, 1119)
  }

  @Test func `Several types are lent together`() {
    let entities = (0..<10).map {
      context.createEntity(with: Position(x: Float($0), y: 0), Velocity(dx: 1, dy: 2))
    }
    entities[3].remove(Velocity.self)
    context.withStorages(Position.self, Velocity.self) { positions, velocities in
      for entity in entities {
        guard let velocity = velocities[entity] else { continue }
        positions[entity]?.x += velocity.dx
      }
    }
    expectEqual(entities.map { $0.get(Position.self)?.x }, [1, 2, 3, 3, 5, 6, 7, 8, 9, 10])
    let sum = context.withStorages(Position.self, Velocity.self, Tag.self) {
      ($0[entities[0]]?.x ?? 0) + ($1[entities[0]]?.dx ?? 0) + ($2[entities[0]] == nil ? 0 : 9)
    }
    expectEqual(sum, 2)
  }

  @Test func `An update changes a value in place`() {
    let entity = context.createEntity(with: Name("a"), Health(points: 1))
    context.withStorage(Name.self) { names in
      expectNotNil(names.update(entity) { $0.text.append("b") })
      expectEqual(names[entity]?.text, "ab")
    }
    context.withStorage(Health.self) { healths in
      let before = healths.update(entity) { health in
        defer { health.points += 1 }
        return health.points
      }
      expectTrue(before == 1 && healths[entity]?.points == 2)
      healths.update(entity) { health in
        health.points = 7
        entity.remove(Health.self)
      }
      expectNil(healths[entity])
      expectNil(healths.update(entity) { _ in 1 })
    }
  }

  @Test func `Changes in iterations wait, and are read back`() {
    let entity = context.createEntity(with: Health(points: 1))
    context.withStorage(Health.self) { healths in
      context.group(Health.matcher).withEach { (entity, health: inout Health) in
        health.points += 1
        healths[entity] = Health(points: 10)
        expectEqual(healths[entity]?.points, 10)
      }
      expectEqual(healths[entity]?.points, 10)
    }
  }

  @Test func `A transaction takes back what was set`() {
    struct Refusal: Error {}
    let entity = context.createEntity(with: Health(points: 1))
    context.withStorage(Health.self) { healths in
      #expect(throws: Refusal.self) {
        try context.transaction {
          entity.set(Health(points: 2))
          throw Refusal()
        }
      }
      expectEqual(healths[entity]?.points, 1)
    }
    #expect(throws: Refusal.self) {
      try context.transaction {
        context.withStorage(Health.self) { $0[entity] = Health(points: 3) }
        throw Refusal()
      }
    }
    expectEqual(entity.get(Health.self)?.points, 1)
  }

  @Test func `Entities of other contexts are theirs`() {
    let other = Context()
    let entity = other.createEntity(with: Health(points: 4))
    let own = context.createEntity(with: Health(points: 1))
    context.withStorage(Health.self) { healths in
      expectEqual(healths[own]?.points, 1)
      expectEqual(healths[entity]?.points, 4)
      healths[entity] = Health(points: 5)
      expectEqual(healths[own]?.points, 1)
    }
    expectEqual(entity.get(Health.self)?.points, 5)
  }

  @Test func `Values that it replaces end, and those it lends last`() {
    let counter = LifeCounter()
    let entity = context.createEntity(with: Tracked(counter))
    context.withStorage(Tracked.self) { values in
      let kept = values[entity]
      for _ in 0..<5 { values[entity] = Tracked(counter) }
      expectEqual(counter.living, 2)
      withExtendedLifetime(kept) {}
    }
    expectEqual(counter.living, 1)
    entity.destroy()
    expectEqual(counter.living, 0)
  }

  @Test func `Random programs on storages do what they do on entities`() {
    for seed in 0..<100 as Range<UInt64> {
      let contexts = [Context(), Context()]
      var entities = contexts.map { context in
        (0..<8).map { context.createEntity(with: Health(points: Int32($0))) }
      }
      var random = SplitMix64(seed: seed)
      for _ in 0..<5 {
        let steps = (0..<40).map { _ in
          (random.below(8), random.below(9), Int32(random.below(100)))
        }
        func run(_ side: Int, _ get: (Entity) -> Health?, _ set: (Entity, Health?) -> Void) {
          let context = contexts[side]
          for (number, step, value) in steps {
            let entity = entities[side][number]
            switch step {
            case 0: set(entity, nil)
            case 1: entity.set(Tag())
            case 2: entity.remove(Tag.self)
            case 3: entities[side][number] = context.createEntity(with: Health(points: value))
            case 4: entity.destroy()
            case 5: set(entity, get(entities[side][(number + 1) % 8]))
            case 6: context.compact()
            default: set(entity, Health(points: value))
            }
          }
        }
        contexts[0].withStorage(Health.self) { healths in
          run(0, { healths[$0] }, { healths[$0] = $1 })
        }
        contexts[1].perform {
          run(1, { $0.get(Health.self) }) { entity, health in
            if let health { entity.set(health) } else { entity.remove(Health.self) }
          }
        }
        let ends = entities.map { side in
          side.map { [$0.get(Health.self)?.points, $0.has(Tag.self) ? 1 : nil] }
        }
        expectEqual(ends[0], ends[1], "seed \(seed)")
      }
      expectEqual(contexts[0].count, contexts[1].count)
    }
  }

  @Test(arguments: Effort.seeds(Effort.full(20, debug: 2)))
  func `Adding and removing is what it is on entities, whatever listens`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    /// One of both ways, with all that can be seen of it.
    final class Side {
      let context = Context()
      let events = Recorder<Event>()
      var entities: [Entity] = []
      var listeners: [Subscription] = []
      lazy var both = context.group(Matcher(all: [Health.cid], any: [Position.cid, Tag.cid]))
      lazy var collector = context.collector(
        for: Matcher(all: [Health.cid], none: [Tag.cid]), type: [.added, .removed])

      var seen: [[Int32?]] {
        let drained = collector.drain()
        return [
          entities.map { $0.get(Health.self)?.points },
          entities.map { $0.get(Position.self).map { Int32($0.x) } },
          both.sorted().map { entity in entities.firstIndex(of: entity).map { Int32($0) } },
          context.group(Health.matcher).map { $0.get(Health.self)?.points },
          drained.map { entity in entities.firstIndex(of: entity).map { Int32($0) } },
          [Int32(events.items.count)],
        ]
      }
    }
    let sides = [Side(), Side()]
    for side in sides {
      _ = (side.both, side.collector)
      for number in 0..<40 as Range<Int> {
        let entity = side.context.createEntity(with: Position(x: Float(number), y: 0))
        if number % 3 == 0 { entity.set(Tag()) }
        side.entities.append(entity)
      }
    }
    for round in 0..<12 {
      let (first, step, kind) = (random.below(40), 1 + random.below(3), random.below(8))
      func run(_ side: Side, _ set: (Entity, Health?) -> Void) {
        let chosen = stride(from: first, to: 40, by: step).map { side.entities[$0] }
        for (number, entity) in chosen.enumerated() { set(entity, Health(points: Int32(number))) }
        switch kind {
        case 0: side.listeners.append(side.both.record(into: side.events))
        case 1: side.listeners.removeAll()
        case 2:
          side.context.createEntities(50 << round, with: Position(x: 0, y: 0), Health(points: -1))
        case 3:
          side.context.group(Health.matcher).withEach { (entity, _: Health) in set(entity, nil) }
        case 4: side.context.group(Tag.matcher).remove(Health.self)
        case 5:
          let untagged = side.context.group(Matcher(all: [Health.cid], none: [Tag.cid]))
          for entity in untagged { entity.set(Tag()) }
        case 6: side.context.compact()
        default: break
        }
        for entity in chosen.dropFirst(kind) { set(entity, nil) }
        for entity in chosen.dropFirst(2 * kind) { set(entity, Health(points: 7)) }
      }
      sides[0].context.withStorage(Health.self) { healths in run(sides[0]) { healths[$0] = $1 } }
      sides[1].context.perform {
        run(sides[1]) { entity, health in
          if let health { entity.set(health) } else { entity.remove(Health.self) }
        }
      }
      expectEqual(sides[0].seen, sides[1].seen, "seed \(seed), round \(round), kind \(kind)")
    }
  }

  @Test(arguments: 0..<2)
  func `Reading what a closure is changing stops`(way: Int) async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) { [way = way as Int] in
      let context = Context()
      let entity = context.createEntity(with: Name("n"))
      context.withStorage(Name.self) { names in
        _ = names[entity]
        if way == 0 { entity.update(Name.self) { _ in _ = names[entity] } }
        if way == 1 {
          context.group(Name.matcher).withEach { (entity, _: inout Name) in _ = names[entity] }
        }
      }
    }
    expectTrue(stopped(result, saying: "Name was read from the entity", "the closure's parameter"))
  }
}
