import ECS
import ECSTestSupport
import Testing

private final class Mark: Sendable {}

/// Moving a weak reference takes more than copying its bytes.
private struct Weak: Component {
  weak var mark: Mark?
  let number: Int
}

private struct Wide: Component {
  let words: InlineArray<20, Int>
  init(_ number: Int) { words = InlineArray(repeating: number) }
}

/// What is kept in large blocks: growing, shrinking, side by side with others.
@Suite(.noHangs) struct LargeBlockTests {
  /// A context with many entities, each of which says in every component which one it is.
  private struct World {
    let context = Context()
    let mark = Mark()
    var entities: [Entity] = []

    mutating func grow(by count: Int) {
      context.perform {
        for number in entities.count..<entities.count + count {
          let entity = context.createEntity(
            with: Position(x: Float(number), y: 0), Health(points: Int32(number)),
            Weak(mark: mark, number: number))
          if number % 5 == 0 { entity.set(Wide(number)) }
          entities.append(entity)
        }
      }
    }

    mutating func shrink(to count: Int) {
      context.perform { for entity in entities[count...] { entity.destroy() } }
      entities.removeLast(entities.count - count)
      context.compact()
    }

    /// The numbers of the entities that are not as they should be.
    func wrong() -> [Int] {
      context.perform {
        entities.indices.filter { number in
          let entity = entities[number]
          guard entity.get(Position.self)?.x == Float(number),
            entity.get(Health.self)?.points == Int32(number),
            let weak = entity.get(Weak.self), weak.mark === mark, weak.number == number
          else { return true }
          guard number % 5 == 0 else { return entity.has(Wide.cid) }
          let words = entity.get(Wide.self)?.words
          return words?[0] != number || words?[19] != number
        }
      }
    }
  }

  @Test func `Contexts that grow and shrink side by side keep their values`() {
    var worlds = (0..<3).map { _ in World() }
    var generator = SplitMix64(seed: 7)
    for _ in 0..<12 {
      let number = Int.random(in: worlds.indices, using: &generator)
      let count = worlds[number].entities.count
      switch Int.random(in: 0..<4, using: &generator) {
      case 0: worlds[number].shrink(to: count / 3)
      case 1: worlds[number] = World()
      default: worlds[number].grow(by: Int.random(in: 1000...25_000, using: &generator))
      }
    }
    for world in worlds { expectTrue(world.wrong().isEmpty) }
  }

  @Test func `Contexts grow on many threads at once`() {
    let wrong = Tally()
    Threads.run { _ in
      var world = World()
      for _ in 0..<4 { world.grow(by: 2500) }
      world.shrink(to: 5000)
      world.grow(by: 1000)
      wrong.add(world.wrong().count)
    }
    expectEqual(wrong.value, 0)
  }

  @Test func `Drained entities stay while the collector goes on`() {
    let context = Context()
    let collector = context.collector(for: Health.matcher, type: .added)
    func drained(_ count: Int) -> (created: [Entity], drained: EntitySet) {
      let created = (0..<count).map { context.createEntity(with: Health(points: Int32($0))) }
      return (created, collector.drain())
    }
    let rounds = [3, 20_000, 5, 20_000, 0, 40, 1].map { drained($0) }
    for (created, drained) in rounds { expectEqual(Array(drained), created) }
  }

  @Test func `The memory of a drained set is reused only when nothing reads it`() {
    let context = Context()
    let collector = context.collector(for: Health.matcher, type: .addedOrUpdated)
    let entities = (0..<100).map { context.createEntity(with: Health(points: Int32($0))) }
    var kept = collector.drain()
    for round in 0..<10 {
      for entity in entities { entity.set(Health(points: Int32(round))) }
      let next = collector.drain()
      entities[round].set(Health(points: 0))
      expectEqual(Array(kept), entities)
      expectEqual(Array(next), entities)
      expectEqual(Array(collector.drain()), [entities[round]])
      kept = next
    }
  }

  @Test func `Drained entities outlive the collector and the context`() {
    var context: Context? = Context()
    var collector = context?.collector(for: Health.matcher, type: .added)
    let entities = (0..<20_000).compactMap {
      context?.createEntity(with: Health(points: Int32($0)))
    }
    let drained = collector?.drain()
    let rest = drained?.dropFirst(19_990)
    collector = nil
    context = nil
    expectEqual(drained.map(Array.init), entities)
    expectEqual(rest.map(Array.init), Array(entities.suffix(10)))
    expectEqual(drained?.contains { $0.isAlive }, false)
  }

  @Test func `Draining after taking some out gives the rest`() {
    let context = Context()
    let collector = context.collector(for: Health.matcher, type: .added)
    let entities = (0..<50).map { context.createEntity(with: Health(points: Int32($0))) }
    for entity in entities.prefix(20) { expectEqual(collector.popFirst(), entity) }
    entities[30].destroy()
    entities[49].remove(Health.self)
    expectTrue(collector.drainMatching().elementsEqual(entities[20..<30] + entities[31..<49]))
    entities[0].remove(Health.self)
    entities[0].set(Health(points: 1))
    expectEqual(Array(collector.drain()), [entities[0]])
  }
}
