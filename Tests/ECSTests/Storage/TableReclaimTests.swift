import ECS
import ECSTestSupport
import Testing

/// Many component types from one declaration.
private struct Bit<Index>: Component {}

private struct Mode: UniqueComponent {
  var number: Int
}

@Suite struct TableReclaimTests {
  private static let bits: [CID] = [
    CID(Bit<Int8>.self), CID(Bit<Int16>.self), CID(Bit<Int32>.self), CID(Bit<Int64>.self),
    CID(Bit<UInt8>.self), CID(Bit<UInt16>.self), CID(Bit<UInt32>.self), CID(Bit<UInt64>.self),
    CID(Bit<Float>.self), CID(Bit<Double>.self), CID(Bit<String>.self), CID(Bit<Bool>.self),
  ]

  private func set(_ number: Int, on entity: Entity) {
    func write<C: Component>(_ component: C, _ bit: Int) {
      if number & (1 << bit) != 0 { entity.set(component) } else { entity.remove(C.self) }
    }
    write(Bit<Int8>(), 0)
    write(Bit<Int16>(), 1)
    write(Bit<Int32>(), 2)
    write(Bit<Int64>(), 3)
    write(Bit<UInt8>(), 4)
    write(Bit<UInt16>(), 5)
    write(Bit<UInt32>(), 6)
    write(Bit<UInt64>(), 7)
    write(Bit<Float>(), 8)
    write(Bit<Double>(), 9)
    write(Bit<String>(), 10)
    write(Bit<Bool>(), 11)
  }

  @Test func `A program that passes through thousands of combinations keeps few tables`() {
    let context = Context()
    let group = context.group(Matcher(any: Set(Self.bits)))
    let entity = context.createEntity()
    var largest = 0
    for number in 0..<4096 {
      set(number, on: entity)
      largest = max(largest, context.statistics.tables)
      #expect(group.count == (number == 0 ? 0 : 1))
      #expect(Self.bits.enumerated().allSatisfy { entity.has($1) == (number & (1 << $0) != 0) })
    }
    #expect(largest <= 1024)
  }

  @Test func `Compacting frees the tables that no entity uses and keeps the rest`() {
    let context = Context()
    let entity = context.createEntity(with: Position(x: 1, y: 2), Mode(number: 3))
    for number in 0..<64 { set(number, on: entity) }
    set(0, on: entity)
    let group = context.group(Position.matcher)
    context.compact()
    #expect(context.statistics.tables == 2)
    #expect(entity.get(Position.self) == Position(x: 1, y: 2))
    #expect(context.uniqueComponent(Mode.self)?.number == 3)
    #expect(Array(group) == [entity])
    context.createEntities(100, with: Position(x: 0, y: 0))
    #expect(group.count == 101)
  }

  @Test func `Creating holders of a unique component while tables are freed is safe`() {
    let context = Context()
    for number in 0..<4096 {
      let holder = context.createEntity(with: Mode(number: number))
      set(number, on: holder)
      let next = context.createEntity(with: Position(x: 0, y: 0), Mode(number: -number))
      #expect(context.uniqueEntity(Mode.self) == next)
      #expect(!holder.has(Mode.self))
      #expect(context.uniqueComponent(Mode.self)?.number == -number)
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
    #expect(context.statistics.tables >= 900)
    for (number, entity) in zip(1..., entities) {
      #expect(entity.get(Health.self)?.points == Int32(number))
      #expect(entity.components().count == 1 + number.nonzeroBitCount)
    }
    context.destroyAllEntities()
    context.compact()
    #expect(context.statistics.tables == 1)
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
      #expect(Array(index[round]) == [entity])
      entity.remove(Health.self)
      #expect(events.take().map(\.kind) == [.added, .removed, .added, .removed])
      #expect(Array(collector.drain()) == [entity])
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
    #expect(context.statistics.tables == before)
    #expect(context.group(Health.matcher).allSatisfy { $0.get(Health.self)?.points == 2 })
  }
}
