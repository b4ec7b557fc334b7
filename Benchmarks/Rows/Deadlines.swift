import Dispatch
import ECS

extension Benchmark {
  /// Deadlines that a loop waits for.
  static var deadlines: [Benchmark] {
    [
      Benchmark(
        "DL1", "replace the deadline of each entity by a random one, and let a loop note them",
        .nanoseconds(per: "deadline"), sizes: [100_000, 1_000_000],
        ecs: Workload(
          plain: .kept, setUp: DeadlineWorld.init, run: { $0.replaceAll() },
          check: { world, count in Checksum(count, expected: Double(world.n)) })),
      Benchmark(
        "DL2", "take the deadline of each entity back", .nanoseconds(per: "deadline"),
        sizes: [100_000, 1_000_000],
        ecs: Workload(
          plain: .kept, setUp: DeadlineWorld.init, prepare: { _ = $0.replaceAll() },
          run: { $0.takeAllBack() },
          check: { _, count in Checksum(count, expected: 0) })),
      Benchmark(
        "DL3", "a loop sets what is due, of all entities",
        .nanoseconds(per: "deadline"), sizes: [100_000, 1_000_000],
        ecs: Workload(
          plain: .kept, setUp: DeadlineWorld.init, prepare: { $0.makeAllDue() },
          run: { $0.setAll() },
          check: { world, count in Checksum(count, expected: Double(world.n)) })),
    ]
  }
}

/// A context with a loop that waits for deadlines, by a clock that stands still.
final class DeadlineWorld {
  let n: Int
  private let context = Context()
  private let entities: [Entity]
  private let loop: ReactiveLoop
  private var generator = Seed.Generator()

  init(_ n: Int) {
    self.n = n
    let clock = LoopClock(now: { .zero }, wallTime: { .seconds(1000) }, run: { _, _, _ in })
    loop = ReactiveLoop(
      ctx: context, queue: DispatchQueue(label: "deadlines"), systems: [], clock: clock)
    loop.addDeadlines(of: Health.self)
    entities = Array(context.createEntities(n, with: Position(x: 0, y: 0)))
    _ = replaceAll()
  }

  deinit { loop.cancel() }

  /// Sets a deadline of each entity; returns how many there are when the loop has them all.
  func replaceAll() -> Double {
    set(from: 1000)
    loop.resume()
    settle()
    return Double(context.group(Deadline<Health>.matcher).count)
  }

  func takeAllBack() -> Double {
    for entity in entities { entity.remove(Deadline<Health>.self) }
    return Double(context.group(Deadline<Health>.matcher).count)
  }

  /// Sets deadlines that have passed, in random order, while the loop pauses.
  func makeAllDue() {
    context.group(Health.matcher).remove(Health.self)
    set(from: 0)
  }

  /// Sets a deadline of each entity within a thousand seconds, while the loop pauses: it has them
  /// together, so that no run depends on how the threads meet.
  private func set(from seconds: Int) {
    loop.pause()
    for entity in entities {
      let delay = Int.random(in: 0..<1_000_000_000, using: &generator)
      entity.set(Deadline(Health(v: 1), at: .seconds(seconds) + .microseconds(delay)))
    }
  }

  func setAll() -> Double {
    loop.resume()
    settle()
    return Double(context.group(Health.matcher).count)
  }

  private func settle() {
    let isSettled = DispatchSemaphore(value: 0)
    Task.detached { [loop] in
      await loop.settled()
      isSettled.signal()
    }
    isSettled.wait()
  }
}
