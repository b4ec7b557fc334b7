import Dispatch
import ECS
import Synchronization

extension Benchmark {
  /// Events as entities: created, added up by a reactive system, cleaned up.
  static var events: [Benchmark] {
    [
      Benchmark(
        "E1", "10 rounds: create events, a system sums them, another destroys them",
        .nanoseconds(per: "event"), operations: { $0 / 10 * 10 },
        ecs: rounds { EventWorld($0, DestroyingSystem.init) }, naive: naiveRounds),
      Benchmark(
        "E1b", "the same, and all events of a round are destroyed in one call",
        .nanoseconds(per: "event"), operations: { $0 / 10 * 10 },
        ecs: rounds { EventWorld($0, ClearingSystem.init) }, naive: naiveRounds),
      Benchmark(
        "EL", "events through a background ReactiveLoop, 2 producer threads",
        .nanoseconds(per: "event"), operations: { $0 / 2 * 2 },
        ecs: background),
    ]
  }

  private static func rounds(_ setUp: @escaping (Int) -> EventWorld) -> Workload {
    Workload(
      .fresh, setUp: setUp,
      run: { world in
        for _ in 0..<10 {
          for i in 0..<world.n / 10 {
            _ = world.context.createEntity(with: Event(v: Int32(i)))
          }
          world.loop.execute()
          world.loop.cleanup()
        }
        return Double(world.summing.sum)
      },
      check: { world, sum in
        Checksum(sum, expected: 10 * triangle(world.n / 10 - 1))
          .and(world.context.count, expected: 0)
      })
  }

  private static var naiveRounds: Workload {
    Workload(
      plain: .fresh,
      setUp: { n in NaiveCollectorWorld(n, [Event.self], .added) },
      run: { world in
        var sum = 0
        for _ in 0..<10 {
          for i in 0..<world.n / 10 { world.context.createEntity().set(Event(v: Int32(i))) }
          let events = world.collectors[0].drain()
          for event in events { sum += Int(event.get(Event.self)?.v ?? 0) }
          for event in events { event.destroy() }
        }
        return Double(sum)
      },
      check: { world, sum in
        Checksum(sum, expected: 10 * triangle(world.n / 10 - 1))
          .and(world.context.entities.count, expected: 0)
      })
  }

  private static var background: Workload {
    Workload(
      plain: .fresh, setUp: EventLoopWorld.init,
      run: { world in
        world.produce()
        world.waitForAll()
        return 0
      },
      check: { world, _ in
        Checksum(Double(world.sum), expected: 2 * triangle(world.n / 2 - 1))
          .and(world.context.count, expected: 0)
      })
  }
}

/// A context with a loop that its owner runs.
final class EventWorld: ContextWorld {
  let summing: SummingSystem
  let loop: Loop

  init(_ n: Int, _ cleaning: (Context) -> any CleanupSystem) {
    let context = Context()
    summing = SummingSystem(context)
    loop = Loop(name: "events", systems: [summing, cleaning(context)])
    super.init(n, context)
  }
}

/// Adds up the values of new events.
final class SummingSystem: ReactiveSystem {
  let collector: Collector
  private(set) var sum = 0

  init(_ context: Context) {
    collector = context.collector(for: Event.matcher)
  }

  func execute(entities: EntitySet) {
    var sum = 0
    for entity in entities { sum += Int(entity.get(Event.self)?.v ?? 0) }
    self.sum += sum
  }
}

/// Destroys all events, one at a time.
final class DestroyingSystem: CleanupSystem {
  private let events: Group

  init(_ context: Context) {
    events = context.group(Event.matcher)
  }

  func cleanup() {
    for event in events { event.destroy() }
  }
}

/// Destroys all events in one call.
final class ClearingSystem: CleanupSystem {
  private let events: Group

  init(_ context: Context) {
    events = context.group(Event.matcher)
  }

  func cleanup() { events.destroyAll() }
}

/// A context whose events are worked on in the background.
final class EventLoopWorld {
  let n: Int
  let context = Context()
  private let consumption = Consumption()
  private let loop: ReactiveLoop

  init(_ n: Int) {
    self.n = n
    loop = ReactiveLoop(
      ctx: context, queue: DispatchQueue(label: "events"),
      systems: [ConsumingSystem(context, count: n / 2 * 2, consumption)])
  }

  /// Creates events on two threads at once.
  func produce() {
    let context = context
    let count = n / 2
    DispatchQueue.concurrentPerform(iterations: 2) { _ in
      for i in 0..<count { _ = context.createEntity(with: Event(v: Int32(i))) }
    }
  }

  /// Waits until as many events were worked on as there should be, or so long that some are lost.
  func waitForAll() { _ = consumption.finished.wait(timeout: .now() + .seconds(60)) }

  var sum: Int { consumption.sum.load(ordering: .sequentiallyConsistent) }
}

/// What a consuming system and its world share.
final class Consumption: Sendable {
  let finished = DispatchSemaphore(value: 0)
  let sum = Atomic(0)
}

/// Adds up the values of new events, and destroys them when all systems have seen them.
final class ConsumingSystem: ReactiveSystem, CleanupSystem {
  let collector: Collector
  private let count: Int
  private let consumption: Consumption
  private var handled: [EntitySet] = []
  private var sum = 0
  private var consumed = 0

  init(_ context: Context, count: Int, _ consumption: Consumption) {
    collector = context.collector(for: Event.matcher)
    self.count = count
    self.consumption = consumption
  }

  func execute(entities: EntitySet) {
    for entity in entities { sum += Int(entity.get(Event.self)?.v ?? 0) }
    handled.append(entities)
  }

  func cleanup() {
    for entities in handled {
      for entity in entities { entity.destroy() }
      consumed += entities.count
    }
    handled = []
    guard consumed >= count else { return }
    // After the destruction, so that a thread that waits finds the context empty.
    consumption.sum.store(sum, ordering: .sequentiallyConsistent)
    consumption.finished.signal()
  }
}
