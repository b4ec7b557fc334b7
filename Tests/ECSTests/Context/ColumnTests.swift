import ECS
import ECSTestSupport
import Testing

@Suite struct ColumnTests {
  @Test func `values of empty types are copied into no memory`() {
    let context = Context()
    let entities = context.createEntities(100, in: [NewTable([Tag.cid, Health.cid], 0..<100)]) {
      _, columns in
      columns.copy([Tag](repeating: Tag(), count: 100).span)
      columns.copy([Health](repeating: Health(points: 1), count: 100).span)
    }
    expectTrue(entities.allSatisfy { $0.has(Tag.cid) && $0.get(Health.self)?.points == 1 })
  }

  @Test func `spans of values of empty types can be copied as a whole`() {
    struct Flag: Component {}
    let context = Context()
    context.createEntities(1000, in: [NewTable([Flag.cid], 0..<1000)]) { _, columns in
      columns.initialize(Flag.self) { output in
        output.append(repeating: Flag(), count: 500)
        for _ in 0..<500 { output.append(Flag()) }
      }
    }
    let group = context.group(Flag.matcher)
    var counts: [Int] = []
    group.withChunks { (_, flags: Span<Flag>) in counts.append(unsafe flags.bytes.byteCount) }
    group.withChunks { (_, flags: inout MutableSpan<Flag>) in
      flags.update(repeating: Flag())
      counts.append(flags.count)
    }
    group.withChunks { (_, flags: Span<Flag>?) in
      guard let flags else { return }
      counts.append(unsafe flags.withUnsafeBufferPointer { unsafe Array($0).count })
    }
    expectEqual(counts, [1000, 1000, 1000])
    group.withChunksInParallel { (_, flags: inout MutableSpan<Flag>) in
      flags.update(repeating: Flag())
    }
    expectEqual(group.count, 1000)
  }

  @Test func `columns present all entities by what they have, with values and creation numbers`() {
    let context = Context()
    let first = context.createEntity(with: Health(points: 1))
    let both = context.createEntity(with: Health(points: 2), Position(x: 1, y: 2))
    let last = context.createEntity(with: Health(points: 3))
    var seen: [Set<CID>: [Entity]] = [:]
    var points: [Int32] = []
    context.withColumns { columns in
      let entities = (0..<columns.count).map { columns.entity(at: $0) }
      seen[Set(columns.types)] = entities
      let numbers = [UInt64](capacity: columns.count) {
        columns.appendCreationNumbers(of: 0..<columns.count, to: &$0)
      }
      expectEqual(numbers, entities.map { $0.creationNumber ?? .max })
      if let values = columns.values(of: Health.self) {
        for number in values.indices { points.append(values[number].points) }
      }
      let positionCount = columns.values(of: Position.self)?.count
      expectEqual(positionCount, (columns.types.contains(Position.cid) ? columns.count : nil))
      let sizes = [Health.cid, Velocity.cid].map { columns.bytes(of: $0)?.byteCount }
      expectEqual(sizes, [columns.count * 4, nil])
    }
    expectEqual(seen, [[Health.cid]: [first, last], [Health.cid, Position.cid]: [both]])
    expectEqual(points.sorted(), [1, 2, 3])
  }

  @Test func `the layout of a component type is that of its values`() {
    let (position, tag) = (Position.cid.layout, Tag.cid.layout)
    expectTrue((position.size, position.stride, position.alignment) == (8, 8, 4))
    expectTrue((tag.size, tag.stride, tag.alignment) == (0, 0, 1))
    expectTrue(position.isTrivial && tag.isTrivial)
    expectFalse(Tracked.cid.layout.isTrivial)
  }

  @Test func `new tables put values, orders and references in place`() {
    let context = Context()
    let positions = [Position(x: 0, y: 1), Position(x: 2, y: 3)]
    let tables = [
      NewTable([Position.cid, Health.cid], [3, 0]), NewTable([Tag.cid], 1..<2),
    ]
    let entities = context.createEntities(5, in: tables) { number, columns in
      guard number == 0 else { return expectEqual(columns.types, [Tag.cid]) }
      expectEqual(columns.count, 2)
      expectFalse(columns.entities[4].isAlive)
      unsafe columns.copyBytes(([0, 1, 2, 3] as [Float]).span.bytes, of: Position.cid)
      columns.initialize(Health.self) { output in
        for points in 1...2 { output.append(Health(points: Int32(points))) }
      }
    }
    expectEqual(context.entities().map { $0 }, Array(entities))
    expectEqual(entities[3].get(Position.self), positions[0])
    expectEqual(entities[0].get(Position.self), positions[1])
    expectEqual(entities[3].get(Health.self), Health(points: 1))
    expectTrue(entities[1].has(Tag.cid))
    expectTrue(entities[2].isAlive && !entities[2].has(Tag.cid))
    expectEqual(Array(context.group(Position.matcher)), [entities[3], entities[0]])
    let numbers: [UInt64?] = entities.map { $0.creationNumber }
    expectEqual(numbers, [0, 1, 2, 3, 4])
  }

  @Test func `listeners are notified of new entities in the order of creation, with all values`() {
    let context = Context()
    let index = context.index { (health: Health) in health.points }
    let collector = context.collector(for: Health.matcher)
    let sink = EventSink()
    let token = context.group(Matcher(any: [Health.cid, Position.cid])).observeChanges {
      if $0.kind == .added { sink.add($0.entity.get(Health.self)?.points ?? -1) }
    }
    let tables = [
      NewTable([Health.cid], [2, 0]), NewTable([Health.cid, Position.cid], [1]),
    ]
    let entities = context.createEntities(3, in: tables) { number, columns in
      columns.initialize(Health.self) { output in
        for points in 0..<columns.count {
          output.append(Health(points: Int32(number * 10 + points)))
        }
      }
      if number == 1 { columns.copy([Position(x: 1, y: 1)].span) }
    }
    expectEqual(sink.points, [1, 10, 0])
    expectEqual(Array(collector.drain()), Array(entities))
    expectEqual(index[10].first, entities[1])
    withExtendedLifetime(token) {}
  }

  @Test func `slots of destroyed entities are used, and values that are not trivial end once`() {
    let context = Context()
    let log = LifeCounter()
    let old = context.createEntities(4, with: Tag())
    old[1].destroy()
    old[2].destroy()
    let created = context.createEntities(3, in: [NewTable([Tracked.cid, Tag.cid], 0..<3)]) {
      _, columns in
      columns.initialize(Tracked.self) { output in
        for _ in 0..<3 { output.append(Tracked(log)) }
      }
    }
    expectTrue(created.allSatisfy { $0.isAlive && $0.has(Tag.cid) })
    expectTrue(Set(created).isDisjoint(with: old))
    expectTrue(!old[1].isAlive && old[0].isAlive)
    expectEqual(context.count, 5)
    expectEqual(log.living, 3)
    context.destroyAllEntities()
    expectEqual(log.living, 0)
  }

  @Test func `a transaction that throws takes new tables back`() {
    struct Stop: Error {}
    let context = Context()
    let kept = context.createEntity(with: Health(points: 1))
    let index = context.index { (health: Health) in health.points }
    var gone: [Entity] = []
    #expect(throws: Stop.self) {
      try context.transaction {
        let tables = [NewTable([Health.cid], [1, 0]), NewTable([Tag.cid], 2..<3)]
        gone = Array(
          context.createEntities(3, in: tables) { number, columns in
            if number == 0 { columns.copy([Health(points: 7), Health(points: 8)].span) }
          })
        expectEqual(index[7].count, 1)
        throw Stop()
      }
    }
    expectTrue(gone.count == 3 && gone.allSatisfy { !$0.isAlive })
    expectTrue(index[7].isEmpty && index[1].first == kept)
    expectEqual(Array(context.entities()), [kept])
  }

  @Test func `a new holder takes a unique component from the one before`() {
    let context = Context()
    let other = context.createEntity(with: OnlyOne(number: 1), Tag())
    context.createEntities(1, in: [NewTable([OnlyOne.cid], 0..<1)]) { _, columns in
      columns.copy([OnlyOne(number: 2)].span)
    }
    expectEqual(context.uniqueComponent(OnlyOne.self)?.number, 2)
    expectTrue(!other.has(OnlyOne.cid) && other.isAlive)
  }

  @Test func `links come in an order that gives both ends their orders again`() {
    var random = SplitMix64(seed: 12)
    let context = Context()
    let entities = context.createEntities(12, with: Tag())
    for _ in 0..<400 {
      let (source, target) = (entities[random.below(12)], entities[random.below(12)])
      if random.oneIn(3) {
        source.unrelate(Near.self, from: target)
      } else {
        source.relate(Near.self, to: target)
      }
    }
    let links = context.links(Near.self)
    expectEqual(links.count, context.linkCount(Near.self))
    func orders() -> [[Entity]] {
      entities.flatMap { [Array($0.targets(Near.self)), Array($0.sources(Near.self))] }
    }
    let before = orders()
    for entity in entities { entity.unrelate(Near.self) }
    expectTrue(context.links(Near.self).isEmpty)
    for (source, target) in links { source.relate(Near.self, to: target) }
    expectEqual(orders(), before)
  }

  @Test func `changing the context from columns stops`() async {
    let reading = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let context = Context()
      context.createEntity(with: Tag())
      context.withColumns { $0.entity(at: 0).destroy() }
    }
    expectTrue(stopped(reading, saying: "was given columns"))
    let filling = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let context = Context()
      context.createEntities(1, in: []) { _, _ in }
      context.createEntities(1, in: [NewTable([Tag.cid], 0..<1)]) { _, _ in
        _ = context.createEntity()
      }
    }
    expectTrue(stopped(filling, saying: "was given columns"))
  }

  @Test func `a column that is not filled, or with too little, stops`() async {
    let unfilled = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      Context().createEntities(1, in: [NewTable([Health.cid], 0..<1)]) { _, _ in }
    }
    expectTrue(stopped(unfilled, saying: "The column of Health was not filled"))
    let short = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      Context().createEntities(2, in: [NewTable([Health.cid], 0..<2)]) { _, columns in
        columns.copy([Health(points: 1)].span)
      }
    }
    expectTrue(stopped(short, saying: "1 values for 2 entities"))
    let bytes = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      Context().createEntities(2, in: [NewTable([Health.cid], 0..<2)]) { _, columns in
        unsafe columns.copyBytes([Int16(1)].span.bytes, of: Health.cid)
      }
    }
    expectTrue(stopped(bytes, saying: "was given 2 bytes, but takes 8"))
  }

  @Test func `a position that is placed twice stops`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      Context().createEntities(2, in: [NewTable([Tag.cid], [0, 0])]) { _, _ in }
    }
    expectTrue(stopped(result, saying: "position 0 is in two new tables"))
  }

  @Test func `columns inside an iteration stop`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let context = Context()
      context.createEntity(with: Health(points: 1))
      context.group(Health.matcher).withEach { (_: Entity, _: inout Health) in
        context.withColumns { _ in }
      }
    }
    expectTrue(stopped(result, saying: "inside an iteration"))
  }
}

private enum Near: Relation {}

private struct OnlyOne: UniqueComponent { var number: Int }

// Used by one thread.
private final class EventSink: @unchecked Sendable {
  private(set) var points: [Int32] = []
  func add(_ point: Int32) { points.append(point) }
}
