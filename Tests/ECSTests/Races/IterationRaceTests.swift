import ECS
import ECSTestSupport
import Synchronization
import Testing

/// Iterations beside threads that change the same context.
@Suite(.optimizedOrSanitized, .longRunning, .noHangs) struct IterationRaceTests {
  struct Item: Component {
    var number: Int
  }

  struct Step: Component {
    var size: Int
  }

  @Test func `Iterating on all cores loses no change, while threads wait with theirs`() {
    let context = Context()
    context.createEntities(20_000, with: Item(number: 0), Step(size: 1))
    context.createEntities(20_000, with: Item(number: 0), Step(size: 1), Tag())
    let group = context.group(Matcher(all: [Item.cid, Step.cid]))
    let entities = group.sorted()
    let rounds = 50
    Threads.run(4) { thread in
      if thread == 0 {
        for _ in 0..<rounds {
          group.withChunksInParallel { (chunk, items: inout MutableSpan<Item>, steps: Span<Step>) in
            for row in 0..<chunk.count { items[row].number += steps[row].size }
          }
        }
      } else {
        for round in 0..<Effort.raceSteps {
          let entity = entities[(round &* 7919 &+ thread) % entities.count]
          entity.update(Item.self) { $0.number += 1 }
          if round % 64 == 0 { context.createEntity(with: Tag()).destroy() }
        }
      }
    }
    var sum = 0
    group.withEach { (_, item: Item) in sum += item.number }
    expectEqual(sum, rounds * 40_000 + 3 * Effort.raceSteps)
  }

  @Test func `Changes on all cores are reported once for each entity`() {
    let context = Context()
    context.createEntities(10_000, with: Item(number: 0))
    let group = context.group(Item.matcher)
    let collector = Collector(group: group, type: .updated)
    let index = context.index { (item: Item) in item.number }
    for round in 1...20 {
      group.withChunksInParallel { (chunk, items: inout MutableSpan<Item>) in
        for row in 0..<chunk.count { items[row].number += 1 }
      }
      expectEqual(collector.drain().count, 10_000)
      expectEqual(index.count(for: round), 10_000)
    }
  }

  @Test func `Changes made inside iterations are all applied, on every thread`() {
    let context = Context()
    let group = context.group(Item.matcher)
    let made = Tally()
    for number in 0..<16 { context.createEntity(with: Item(number: number)) }
    Threads.run { thread in
      for _ in 0..<2_000 {
        group.withEach { (entity, item: inout Item) in
          item.number += 1
          if item.number % 16 == thread {
            context.createEntity(with: Step(size: 1))
            made.add()
          }
        }
      }
    }
    expectEqual(context.group(Step.matcher).count, made.value)
    var sum = 0
    group.withEach { (_, item: Item) in sum += item.number }
    expectEqual(sum, (0..<16).reduce(0, +) + 16 * 8 * 2_000)
  }

  @Test func `A snapshot may be visited while others destroy its entities`() {
    let context = Context()
    let group = context.group(Item.matcher)
    let (destroyed, wrong) = (Tally(), Tally())
    Threads.run { thread in
      for round in 0..<2_000 {
        if thread < 4 {
          context.createEntities(4, with: Item(number: round))
        } else {
          for entity in group {
            guard let item = entity.get(Item.self) else { continue }
            if item.number >= 2_000 { wrong.add() }
            entity.destroy()
            destroyed.add()
          }
        }
      }
    }
    expectEqual(context.count, group.count)
    expectEqual(wrong.value, 0)
    expectGreaterThanOrEqual(destroyed.value, 4 * 4 * 2_000 - context.count)
  }
}
