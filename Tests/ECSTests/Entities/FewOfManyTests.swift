import ECS
import ECSTestSupport
import Testing

/// What holds few of the entities of a large context, in memory for few.
@Suite(.noHangs) struct FewOfManyTests {
  private struct Chosen: Component { var rank: Int }

  @Test(arguments: Effort.seeds(2))
  func `Those that come and go at random are as a set says`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let context = Context()
    let entities = context.createEntities(30_000, with: Health(points: 1))
    let view = context.group(Chosen.matcher).sorted(by: \Chosen.rank).start()
    let rooms = context.group(Chosen.matcher).views(by: { (chosen: Chosen) in chosen.rank % 3 })
    let room = rooms[1].start()
    let index = context.index { (chosen: Chosen) in chosen.rank % 5 }
    let collector = context.collector(for: Chosen.matcher, type: .addedOrUpdated)
    var chosen: [Entity] = []
    var (ranks, collected): ([Entity: Int], Set<Entity>) = ([:], [])
    for step in 0..<4000 {
      if chosen.count >= 60 || (!chosen.isEmpty && random.below(2) == 0) {
        chosen.swapAt(random.below(chosen.count), chosen.count - 1)
        let entity = chosen.removeLast()
        entity.remove(Chosen.self)
        ranks[entity] = nil
      } else {
        let entity = entities[random.below(entities.count)]
        if ranks.updateValue(step, forKey: entity) == nil { chosen.append(entity) }
        entity.set(Chosen(rank: step))
        collected.insert(entity)
      }
      guard step % 20 == 0 else { continue }
      let expected = ranks.sorted { $0.value < $1.value }
      expectEqual(Array(view), expected.map(\.key))
      expectEqual(Set(room), Set(expected.filter { $0.value % 3 == 1 }.map(\.key)))
      for key in 0..<5 {
        expectEqual(Set(index[key]), Set(expected.filter { $0.value % 5 == key }.map(\.key)))
      }
      expectTrue(chosen.allSatisfy(view.contains) && collected.allSatisfy(collector.contains))
      if random.below(10) == 0 {
        expectEqual(Set(collector.drain()), collected)
        collected = []
      }
    }
  }
}
