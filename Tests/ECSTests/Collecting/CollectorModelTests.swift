import ECS
import ECSTestSupport
import Testing

/// Random programs over collectors of every size, beside a list that is searched from end to end.
@Suite struct CollectorModelTests {
  private struct Program {
    let context = Context()
    let collector: Collector
    var random: SplitMix64
    var living: [Entity] = []
    var known: [Entity] = []
    var expected: [Entity] = []
    let limit: Int?

    init(seed: UInt64, limit: Int?) {
      random = SplitMix64(seed: seed)
      self.limit = limit
      collector = Collector(
        group: context.group(Tag.matcher), type: .addedUpdatedOrRemoved, limit: limit)
    }

    mutating func note(_ entity: Entity) {
      if expected.contains(entity) { return }
      if let limit, expected.count == limit { expected.removeFirst() }
      expected.append(entity)
    }

    mutating func step() {
      switch random.below(12) {
      case 0...3:
        let entity = context.createEntity(with: Tag())
        living.append(entity)
        known.append(entity)
        note(entity)
      case 4, 5:
        guard !living.isEmpty else { return }
        let entity = living[random.below(living.count)]
        entity.set(Tag())
        note(entity)
      case 6, 7, 8:
        guard !living.isEmpty else { return }
        let entity = living.remove(at: random.below(living.count))
        entity.destroy()
        note(entity)
      case 9:
        expectEqual(collector.popFirst(), expected.first)
        if !expected.isEmpty { expected.removeFirst() }
      case 10 where random.oneIn(8):
        let taken = collector.drain()
        expectEqual(Array(taken), expected)
        expected = []
        guard random.oneIn(2) else { return }
        // Others come in between, and may be those that come back.
        for entity in living.prefix(2) {
          entity.set(Tag())
          note(entity)
        }
        collector.restore(taken)
        let all = Array(taken) + expected.filter { !taken.contains($0) }
        expected = Array(all.suffix(limit ?? .max))
      case 11 where random.oneIn(16):
        // Slots that are far apart.
        for entity in context.createEntities(500) { entity.destroy() }
      default: break
      }
    }

    func check() {
      expectEqual(collector.count, expected.count)
      let members = Set(expected)
      let wrong = known.filter { collector.contains($0) != members.contains($0) }
      expectTrue(wrong.isEmpty)
    }
  }

  @Test(arguments: [nil, 1, 5, 40])
  func `A collector contains what it was notified of, by whatever handle`(limit: Int?) {
    for seed in 0..<8 as Range<UInt64> {
      var program = Program(seed: seed, limit: limit)
      for step in 0..<400 {
        program.step()
        if step % 5 == 0 { program.check() }
      }
      program.check()
    }
  }
}
