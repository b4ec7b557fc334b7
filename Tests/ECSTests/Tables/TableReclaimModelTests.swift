import ECS
import ECSTestSupport
import Testing

/// Random programs that pass through many combinations, beside a dictionary.
@Suite struct TableReclaimModelTests {
  /// A context, and what it should have.
  private struct World {
    let context = Context()
    let groups: [(bit: Int, without: Int, group: Group)]
    let collector: Collector
    let index: Index<Int>
    var expected: [Entity: [Int: Int]] = [:]
    var entities: [Entity] = []
    var collected: [Entity] = []
    var random: SplitMix64

    init(seed: Int) {
      let context = context
      random = SplitMix64(seed: UInt64(seed))
      groups = (0..<12).map { bit in
        let without = (bit + 5) % 12
        let matcher = Matcher(all: [Bits.types[bit]], none: [Bits.types[without]])
        return (bit, without, context.group(matcher))
      }
      collector = context.collector(for: Bit<Int8>.matcher, type: .added)
      index = context.index { (bit: Bit<Int16>) in bit.value }
    }

    mutating func step(_ number: Int) {
      let isSparse = number % 5_000 < 1_500
      switch random.below(100) {
      case 0 where entities.count < 60: make()
      case 1 where entities.count > 3: destroy(random.below(entities.count))
      case 2 where isSparse: rollBack(number)
      default: toggle(number, isSparse ? min(3, entities.count) : entities.count)
      }
    }

    mutating func make() {
      let entity = context.createEntity()
      entities.append(entity)
      expected[entity] = [:]
    }

    private mutating func destroy(_ place: Int) {
      let entity = entities.remove(at: place)
      entity.destroy()
      expected[entity] = nil
    }

    private mutating func toggle(_ number: Int, _ count: Int) {
      let (entity, bit) = (entities[random.below(count)], random.below(12))
      Bits.toggle(bit, on: entity, number)
      if expected[entity]?.removeValue(forKey: bit) == nil {
        expected[entity]?[bit] = number
        if bit == 0, !collected.contains(entity) { collected.append(entity) }
      }
    }

    /// Passes through combinations that are taken back.
    private mutating func rollBack(_ number: Int) {
      struct Enough: Error {}
      let entity = entities[random.below(entities.count)]
      let bits = (0..<6).map { _ in random.below(12) }
      try? context.transaction { () throws(Enough) in
        for bit in bits { Bits.toggle(bit, on: entity, -number) }
        throw Enough()
      }
    }

    /// Compares all that can be seen.
    mutating func compare(_ number: Int) {
      for (entity, values) in expected {
        for bit in 0..<12 {
          expectEqual(Bits.kinds[bit].read(entity), values[bit], "bit \(bit) at step \(number)")
        }
      }
      for (bit, without, group) in groups {
        let members = expected.filter { $0.value[bit] != nil && $0.value[without] == nil }.keys
        expectEqual(Set(group), Set(members), "group \(bit) at step \(number)")
        expectEqual(group.count, members.count)
      }
      for (entity, values) in expected {
        guard let key = values[1] else { continue }
        expectTrue(index[key].contains(entity), "index at step \(number)")
      }
      let living = collected.filter(\.isAlive)
      expectEqual(collector.drain().filter(\.isAlive), living, "collector at step \(number)")
      collected = []
    }
  }

  @Test(arguments: 0..<Effort.full(3, debug: 1))
  func `Everything is as it should be while tables are given back and made anew`(seed: Int) {
    var world = World(seed: seed)
    for _ in 0..<20 { world.make() }
    for number in 1...20_000 {
      world.step(number)
      if number % 500 == 0 { world.compare(number) }
    }
    // Some were freed, and some have come back.
    expectGreaterThan(world.context.tablesMade, world.context.statistics.tables + 500)
    expectGreaterThan(world.context.statistics.tables, 1_000)
  }
}
