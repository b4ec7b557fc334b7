import ECS
import ECSTestSupport
import Testing

/// Asking for entities by types alone.
@Suite struct QueryTests {
  let context = Context()
  let entities: [Entity]

  init() {
    let context = context
    entities = (0..<6).map { number in
      let entity = context.createEntity(with: Position(x: Float(number), y: 0))
      if number % 2 == 0 { entity.set(Velocity(dx: 10, dy: 0)) }
      if number == 4 { entity.set(Tag()) }
      return entity
    }
  }

  @Test func `A group of types is that of their matcher`() {
    expectTrue(context.group(Position.self) === context.group(Position.matcher))
    expectTrue(
      context.group(Velocity.self, Position.self)
        === context.group(Matcher(all: [Position.cid, Velocity.cid])))
    expectEqual(context.group(Position.self, Velocity.self, Tag.self).count, 1)
    expectTrue(context.group(Tag.self, Tag.self) === context.group(Tag.matcher))
  }

  @Test func `A group of types does not depend on their order, or on types that come twice`() {
    let group = context.group(Matcher(all: [Position.cid, Velocity.cid, Health.cid]))
    expectTrue(context.group(Health.self, Position.self, Velocity.self) === group)
    expectTrue(context.group(Velocity.self, Health.self, Velocity.self, Position.self) === group)
    expectTrue(context.group(Tag.self, Tag.self, Tag.self) === context.group(Tag.matcher))
    expectEqual(context.group(Velocity.self, Velocity.self).matcher, Velocity.matcher)
  }

  @Test func `A context visits what has all components that are not optional`() {
    context.withEach { (_, position: inout Position, velocity: Velocity) in
      position.x += velocity.dx
    }
    expectEqual(entities.map { $0.get(Position.self)?.x }, [10, 1, 12, 3, 14, 5])
    var seen: [Bool] = []
    context.withEach { (_, _: Velocity, tag: Tag?) in seen.append(tag != nil) }
    expectEqual(seen, [false, false, true])
  }

  @Test
  func
    `A context finds the entities of all combinations of types, however many are asked for in turn`()
  {
    let types: [any Component.Type] = [
      Position.self, Velocity.self, Tag.self, Health.self, Name.self,
    ]
    let context = Context()
    for bits in 1..<32 {
      let entity = context.createEntity()
      if bits & 1 != 0 { entity.set(Position(x: 0, y: 0)) }
      if bits & 2 != 0 { entity.set(Velocity(dx: 0, dy: 0)) }
      if bits & 4 != 0 { entity.set(Tag()) }
      if bits & 8 != 0 { entity.set(Health(points: 0)) }
      if bits & 16 != 0 { entity.set(Name("")) }
    }
    func count<A: Component, B: Component, C: Component>(
      _: A.Type, _: B.Type, _: C.Type
    ) -> Int {
      var count = 0
      context.withEach { (_, _: A, _: B, _: C) in count += 1 }
      return count
    }
    for round in 0..<2 {
      for a in types.indices {
        for b in types.indices {
          for c in types.indices {
            let different = Set([a, b, c]).count
            expectEqual(
              count(types[a], types[b], types[c]), 32 >> different,
              "\(types[a]), \(types[b]) and \(types[c]) in round \(round)")
          }
        }
      }
    }
    expectEqual(context.statistics.groups, 5 + 10 + 10)
  }

  @Test func `A context visits chunks, too`() {
    context.withChunks {
      (_, positions: inout MutableSpan<Position>, velocities: Span<Velocity>) in
      for offset in positions.indices { positions[offset].x += velocities[offset].dx }
    }
    expectEqual(entities.map { $0.get(Position.self)?.x }, [10, 1, 12, 3, 14, 5])
    context.withChunksInParallel {
      (_, positions: inout MutableSpan<Position>, tags: Span<Tag>?) in
      for offset in positions.indices { positions[offset].y = tags == nil ? 1 : 2 }
    }
    expectEqual(entities.map { $0.get(Position.self)?.y }, [1, 1, 1, 1, 2, 1])
  }

  @Test func `A context visits all entities if all that is asked for is optional`() {
    let empty = context.createEntity()
    var seen: [Entity: Float?] = [:]
    context.withEach { (entity, velocity: Velocity?) in
      expectNil(seen.updateValue(velocity?.dx, forKey: entity))
    }
    expectEqual(Set(seen.keys), Set(entities + [empty]))
    expectEqual(seen.values.count { $0 == 10 }, 3)
    var count = 0
    context.withChunks { (chunk, _: Span<Position>?, _: Span<Tag>?) in count += chunk.count }
    expectEqual(count, 7)
    expectEqual(context.firstNonNil { (entity, tag: Tag?) in tag.map { _ in entity } }, entities[4])
    expectEqual(context.statistics.groups, 0)
  }

  @Test func `Components that are needed and optional ones are distinguished`() {
    func count(_ visit: ((Entity) -> Void) -> Void) -> Int {
      var count = 0
      visit { _ in count += 1 }
      return count
    }
    for _ in 0..<2 {
      expectEqual(
        count { body in context.withEach { (e, _: Position, _: Velocity?) in body(e) } }, 6)
      expectEqual(
        count { body in context.withEach { (e, _: Position, _: Velocity) in body(e) } }, 3)
      expectEqual(
        count { body in context.withEach { (e, _: Position?, _: Velocity) in body(e) } }, 3)
      expectEqual(
        count { body in context.withEach { (e, _: Velocity?, _: Position) in body(e) } }, 6)
      expectEqual(count { body in context.withEach { (e, _: Tag, _: Velocity?) in body(e) } }, 1)
      expectEqual(count { body in context.withEach { (e, _: Tag?, _: Velocity?) in body(e) } }, 6)
    }
  }

  @Test func `Functions visit sources of any kind, for types that they do not name`() {
    func sum<C: Component>(_ source: some EntitySource, _ type: C.Type, _ value: (C) -> Float)
      -> Float
    {
      var sum: Float = 0
      source.withEach { (_, position: inout Position, c: C?) in
        position.y += 1
        if let c { sum += value(c) }
      }
      source.withEach { (_, c: C) in sum += value(c) }
      return sum
    }
    expectEqual(sum(context, Velocity.self, \.dx), 60)
    expectEqual(sum(context.group(Tag.matcher), Velocity.self, \.dx), 20)
    expectEqual(entities.map { $0.get(Position.self)?.y }, [1, 1, 1, 1, 2, 1])
  }

  @Test func `A search ends with the first result, and returns it`() {
    var visits = 0
    let group = context.group(Position.self)
    let found = group.firstNonNil { (entity, position: Position) -> Entity? in
      visits += 1
      return position.x > 0 ? entity : nil
    }
    expectEqual(found?.get(Position.self).map { $0.x > 0 }, true)
    expectLessThan(visits, 6)
    expectEqual(context.firstNonNil { (_, _: Position, tag: Tag) in tag }, Tag())
    expectNil(context.firstNonNil { (_, position: Position) in position.x < 0 ? true : nil })
  }

  @Test func `A search tells of what it has changed until its end`() {
    let collector = context.collector(for: Position.matcher, type: .updated)
    let subscription = context.group(Position.matcher).observeChanges { _ in }
    var visited: [Entity] = []
    let number = context.firstNonNil { (entity, position: inout Position) -> Int? in
      position.x += 100
      visited.append(entity)
      return visited.count == 5 ? 5 : nil
    }
    expectEqual(number, 5)
    expectEqual(Set(collector.drain()), Set(visited))
    expectEqual(entities.count { ($0.get(Position.self)?.x ?? 0) >= 100 }, 5)
    withExtendedLifetime(subscription) {}
  }

  @Test func `A search passes errors on, and what threw is not changed`() {
    struct Refusal: Error {}
    let collector = context.collector(for: Position.matcher, type: .updated)
    var visits = 0
    #expect(throws: Refusal.self) {
      try context.firstNonNil { (_, position: inout Position) -> Int? in
        position.x = 99
        visits += 1
        if visits == 3 { throw Refusal() }
        return nil
      }
    }
    expectEqual(collector.count, 2)
    expectEqual(entities.count { $0.get(Position.self)?.x == 99 }, 2)
  }

  @Test func `A search has values to itself`() {
    let counter = LifeCounter()
    for _ in 0..<4 { context.createEntity(with: Tracked(counter)) }
    var visits = 0
    _ = context.firstNonNil { (_, tracked: inout Tracked) -> Int? in
      tracked = Tracked(counter)
      visits += 1
      return visits == 2 ? 1 : nil
    }
    expectEqual(counter.living, 4)
    context.destroyAllEntities()
    expectEqual(counter.living, 0)
  }
}

/// What the compiler says of closures that it cannot match.
@Suite(.longRunning, .enabled(if: SwiftCompiler.isAvailable)) struct QueryCompileTests {
  @Test(arguments: [
    "group.withEach { (_, b: B, a: inout A) in a.x += b.x }",
    "context.withEach { (_, b: B, a: inout A) in a.x += b.x }",
    "context.withEach { (_, b: B?, a: inout A) in a.x += b?.x ?? 0 }",
    "context.withEach { (_, c: inout C, b: B, a: inout A) in a.x += b.x; c.x = 1 }",
    "context.withEach { (_, a: inout A, b: B, c: inout C, d: D) in a.x += b.x; c.x = d.x }",
    "group.withChunks { (_, b: Span<B>, a: inout MutableSpan<A>) in a[0].x += b[0].x }",
    "group.withChunksInParallel { (_, b: Span<B>, a: inout MutableSpan<A>) in a[0].x += b[0].x }",
    "_ = group.firstNonNil { (e, b: B, a: inout A) -> Entity? in a.x += b.x; return e }",
    "_ = context.firstNonNil { (e, b: B, a: inout A) -> Entity? in a.x += b.x; return e }",
    "context.withChunks { (_, a: Span<A>, b: inout MutableSpan<B>, c: inout MutableSpan<C>) in }",
    "context.withEach { (_, a: A?, b: B, c: C?, d: inout D, e: E) in d.x += e.x }",
    "group.withEach { (_, a: inout A, b: B, c: C, d: D, e: E, f: F?, g: inout G, h: H) in }",
    "group.withEach { (_, a: A, b: B, c: C, d: D, e: E, f: F, g: G, h: H, i: I) in }",
    "group.withEach(add)",
  ])
  func `Components in the wrong order are said to be so`(call: String) throws {
    let messages = try SwiftCompiler.messages(
      for: """
        import ECS

        struct A: Component { var x = 0 }
        struct B: Component { var x = 0 }
        struct C: Component { var x = 0 }
        struct D: Component { var x = 0 }
        struct E: Component { var x = 0 }
        struct F: Component {}
        struct G: Component {}
        struct H: Component {}
        struct I: Component {}
        func add(_ entity: Entity, _ b: B, _ a: inout A) { a.x += b.x }
        func use(_ context: Context, _ group: Group) {
          \(call)
        }
        """)
    expectTrue(messages.contains("Components to change (inout) come first"))
  }

  @Test(arguments: [
    ("group.withEach { (_, a: Int) in }", "requires that 'Int' conform to 'IterationValue'"),
    (
      "context.withEach { (_, a: A, b: Int?) in }",
      "requires that 'Int' conform to 'IterationValue'"
    ),
    ("group.withChunks { (_, a: Span<Int>) in }", "requires that 'Int' conform to 'Component'"),
    ("group.withEach { (_, a: inout A) in a.y = 1 }", "value of type 'A' has no member 'y'"),
  ])
  func `Mistakes are named`(call: String, mistake: String) throws {
    let messages = try SwiftCompiler.messages(
      for: """
        import ECS

        struct A: Component { var x = 0 }
        func use(_ context: Context, _ group: Group) { \(call) }
        """)
    expectTrue(messages.contains(mistake))
  }
}
