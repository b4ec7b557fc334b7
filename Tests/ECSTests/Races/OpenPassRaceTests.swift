import ECS
import ECSTestSupport
import Foundation
import Testing

/// Passes outside of sections that only read, which let short reads in until their closures call
/// the context.
@Suite(.optimizedOrSanitized, .longRunning, .noHangs) struct OpenPassRaceTests {
  struct Amount: Component {
    var value: Int
  }

  struct Name: Component {
    var text: String
  }

  struct Rare: Component {}

  struct Pair: UniqueComponent {
    var first: Int
    var second: Int
  }

  /// A context with many entities, of which the first table has one only.
  final class World: Sendable {
    let context = Context()
    let group: Group
    let first: Entity
    let entities: [Entity]
    let byName: Index<String>

    init(_ count: Int = 3_000) {
      first = context.createEntity(with: Amount(value: 1), Rare())
      entities = context.createEntities(
        count, with: Amount(value: 1), Name(text: "a name, of many"))
      group = context.group(Amount.matcher)
      byName = context.index { (name: Name) in name.text }
    }
  }

  /// Lets another thread read while a pass waits for that; false if it can't.
  private static func readsBeside(
    _ world: World, _ pass: @escaping @Sendable (World, _ visit: () -> Void) -> Void
  ) -> Bool {
    let (inside, done) = (Tally(), Tally())
    let succeeded = Tally()
    Threads.run(2) { thread in
      guard thread == 0 else {
        while inside.value == 0 { _ = sched_yield() }
        if world.first.get(Amount.self)?.value == 1, world.entities[7].has(Name.self),
          world.group.count == world.entities.count + 1,
          world.byName.count(for: "a name, of many") == world.entities.count,
          world.entities[9].components().count == 2
        {
          done.add()
        }
        return
      }
      var isFirst = true
      pass(world) {
        guard isFirst else { return }
        isFirst = false
        inside.add()
        let end = ContinuousClock.now + .seconds(20)
        while done.value == 0, ContinuousClock.now < end { _ = sched_yield() }
        if done.value > 0 { succeeded.add() }
      }
    }
    return succeeded.value == 1
  }

  @Test func `Short reads don't wait for a pass that only reads and calls nothing`() {
    expectTrue(
      Self.readsBeside(World()) { world, visit in
        world.group.withEach { (_, amount: Amount) in visit() }
      })
    expectTrue(
      Self.readsBeside(World()) { world, visit in
        world.context.withEach { (_, amount: Amount, name: Name) in visit() }
      })
    expectTrue(
      Self.readsBeside(World()) { world, visit in
        world.group.withChunks { (_, amounts: Span<Amount>, rare: Span<Rare>?) in visit() }
      })
    expectTrue(
      Self.readsBeside(World()) { world, visit in
        _ = world.group.firstNonNil { (_, amount: Amount) in
          visit()
          return amount.value > 1 ? amount : nil
        }
      })
  }

  @Test func `A pass that has let readers in may change what passes may change`() throws {
    let world = World()
    let heard = Tally()
    let subscription = world.group.observe(initial: false) { _ in heard.add() }
    var visits = 0
    world.group.withEach { (entity, amount: Amount) in
      visits += 1
      expectEqual(amount.value, 1)
      switch visits {
      case 1: expectTrue(world.context.isInSection)
      case 2: expectEqual(entity.get(Amount.self)?.value, 1)
      case 3: entity.set(Amount(value: 2))
      case 4: entity.set(Name(text: "at once"))
      case 5: entity.remove(Name.self)
      case 6: entity.destroy()
      case 7: world.context.createEntity(with: Amount(value: 1))
      case 8: world.context.perform { entity.update(Amount.self) { $0.value = 3 } }
      case 9:
        var inner = 0
        world.group.withEach { (_, amount: Amount) in inner += amount.value }
        expectEqual(inner, world.entities.count + 1)
      case 10:
        expectEqual(world.byName.count(for: "at once"), 1)
        expectEqual(world.group.count, world.entities.count + 1)
        expectEqual(Array(world.group).count, world.entities.count)
      case 11: expectEqual(world.context.reading { world.group.count }, world.entities.count + 1)
      default: break
      }
    }
    expectEqual(visits, world.entities.count + 1)
    expectEqual(world.group.count, world.entities.count + 1)
    expectEqual(heard.value, 1)
    var sum = 0
    world.group.withEach { (_, amount: Amount) in sum += amount.value }
    expectEqual(sum, world.group.count + 1 + 2)
    expectEqual(world.byName.count(for: "a name, of many"), world.entities.count - 3)
    expectFalse(world.context.isInSection)
    subscription.cancel()
  }

  /// Each kind of call, as the first one of a pass: it takes the lock back.
  @Test(arguments: 0..<14) func `The first call of a pass may be any`(call: Int) {
    let world = World()
    world.context.setUniqueComponent(Pair(first: 1, second: 1))
    let collector = world.context.collector(for: Rare.matcher)
    var isFirst = true
    world.context.withEach { (entity, amount: Amount, name: Name) in
      guard isFirst else { return }
      isFirst = false
      switch call {
      case 0: entity.set(Rare())
      case 1: entity.remove(Amount.self)
      case 2: entity.destroy()
      case 3: entity.update(Name.self) { $0.text = "other" }
      case 4: world.context.createEntity(with: Amount(value: 1))
      case 5: world.context.perform { entity.set(Rare()) }
      case 6: world.context.setUniqueComponent(Pair(first: 2, second: 2))
      case 7: _ = world.byName["a name, of many"].count
      case 8: _ = collector.drain()
      case 9: _ = world.context.index { (amount: Amount) in [amount.value] }
      case 10: for entity in world.group.sorted().prefix(2) { entity.set(Amount(value: 5)) }
      case 11: world.group.withChunksInParallel { (_, amounts: Span<Amount>) in }
      case 12: _ = world.context.reading { world.group.count }
      default: _ = world.context.statistics
      }
      expectTrue(world.context.isInSection)
    }
    expectFalse(world.context.isInSection)
    // The lock is free again.
    let other = Tally()
    Threads.run(1) { _ in
      world.first.set(Amount(value: 9))
      other.add()
    }
    expectEqual(other.value, 1)
  }

  @Test func `Passes on all cores that only read run as before`() {
    let world = World(20_000)
    let sum = Tally()
    world.group.withChunksInParallel { (chunk, amounts: Span<Amount>) in
      var values = 0
      for row in 0..<chunk.count { values += amounts[row].value }
      sum.add(values)
    }
    expectEqual(sum.value, 20_001)
  }

  @Test func `Short reads see no half of what a pass changes in its body`() {
    let world = World()
    let (one, other) = (world.entities[1], world.entities[2_000])
    world.context.setUniqueComponent(Pair(first: 0, second: 0))
    let (wrong, done) = (Tally(), Tally())
    let rounds = Effort.raceSteps / 100
    Threads.run(5) { thread in
      switch thread {
      case 0:
        for round in 0..<rounds {
          var visits = 0
          world.context.withEach { (entity, amount: Amount) in
            visits += 1
            // Names are not asked for, so they are written at once.
            if visits == 10 { one.set(Name(text: "number \(round), and more text")) }
            if visits == 2_500 { other.set(Name(text: "number \(round), and more text")) }
          }
          if visits != 3_001 { wrong.add() }
          for entity in world.group where entity == world.first { visits += 1 }
          if visits != 3_002 { wrong.add() }
        }
        done.add()
      case 1:
        while done.value == 0 {
          world.context.perform {
            let pair = world.context.uniqueComponent(Pair.self)?.first ?? 0
            world.context.setUniqueComponent(Pair(first: pair + 1, second: pair + 1))
          }
        }
      case 2:
        while done.value == 0 {
          world.context.reading {
            if one.get(Name.self)?.text != other.get(Name.self)?.text, done.value < 1 {
              // Before the first round, both have the same name, too.
              wrong.add()
            }
          }
        }
      default:
        while done.value == 0 {
          let pair = world.context.uniqueComponent(Pair.self)
          if pair == nil || pair?.first != pair?.second { wrong.add() }
          if one.get(Name.self)?.text.isEmpty != false { wrong.add() }
          if world.group.count != 3_001 { wrong.add() }
        }
      }
    }
    expectEqual(wrong.value, 0)
  }
}
