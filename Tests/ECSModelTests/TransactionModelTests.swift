import ECS
import ECSTestSupport
import Testing

/// Random programs, parts of which are taken back, beside the same programs without these parts.
@Suite(.longRunning, .noHangs) struct TransactionModelTests {
  private struct Run {
    let counter = LifeCounter()
    let world: TransactionWorld

    /// What nothing is ever taken back in.
    let twin: TransactionWorld

    var random: SplitMix64
    var program: [String] = []

    init(seed: UInt64) {
      world = TransactionWorld(counter)
      twin = TransactionWorld(counter)
      random = SplitMix64(seed: seed)
    }

    mutating func step() -> String? {
      let choice = random.below(12)
      let seed = random.next()
      program.append("\(choice) of \(seed)")
      switch choice {
      case 0: both(seed) { world, random in world.context.perform { world.makeWatched(&random) } }
      case 1..<5: both(seed) { world, random in world.context.perform { world.step(&random) } }
      case 5: both(seed) { world, random in world.context.perform { Run.steps(world, &random) } }
      case 6: return attempt(seed)
      case 7, 8: return performWithAttempt(seed)
      case 9, 10: commit(seed)
      default:
        if random.oneIn(3), world.drain() != twin.drain() { return "what collectors hold" }
        if random.oneIn(3) { both(seed) { world, _ in world.context.compact() } }
      }
      return compare()
    }

    private func both(_ seed: UInt64, _ body: (TransactionWorld, inout SplitMix64) -> Void) {
      for world in [world, twin] {
        var random = SplitMix64(seed: seed)
        body(world, &random)
      }
    }

    private static func steps(_ world: TransactionWorld, _ random: inout SplitMix64) {
      for _ in 0..<random.below(8) { world.step(&random) }
    }

    /// Changes something, in transactions of all kinds, and fails.
    private static func fail(
      _ world: TransactionWorld, _ random: inout SplitMix64, depth: Int = 0
    ) {
      world.fail { () throws(TransactionWorld.Failure) in mix(world, &random, depth: depth) }
    }

    private static func mix(
      _ world: TransactionWorld, _ random: inout SplitMix64, depth: Int
    ) {
      for _ in 0..<random.below(14) {
        switch random.below(depth < 4 ? 12 : 10) {
        // Does nothing in a transaction.
        case 3: world.context.compact()
        case 10: fail(world, &random, depth: depth + 1)
        case 11: world.context.transaction { mix(world, &random, depth: depth + 1) }
        case 2: world.context.perform { steps(world, &random) }
        default: world.step(&random)
        }
      }
    }

    private func attempt(_ seed: UInt64) -> String? {
      var random = SplitMix64(seed: seed)
      let before = world.exactDigest()
      Run.fail(world, &random)
      return difference(before, world.exactDigest()) ?? compare()
    }

    private func performWithAttempt(_ seed: UInt64) -> String? {
      var failure: String?
      both(seed) { world, random in
        world.context.perform {
          Run.steps(world, &random)
          var other = SplitMix64(seed: random.next())
          if world === self.world {
            let before = world.exactDigest()
            Run.fail(world, &other)
            failure = difference(before, world.exactDigest())
          }
          Run.steps(world, &random)
        }
      }
      return failure ?? compare()
    }

    private func commit(_ seed: UInt64) {
      both(seed) { world, random in
        guard world === self.world else {
          return world.context.perform { Run.steps(world, &random) }
        }
        world.context.transaction {
          var other = SplitMix64(seed: seed &+ 1)
          Run.fail(world, &other)
          Run.steps(world, &random)
          Run.fail(world, &other)
        }
      }
    }

    /// What differs between the two worlds.
    private func compare() -> String? {
      if let alive = world.undone.first(where: \.isAlive) { return "\(alive) lives, but never was" }
      return difference(twin.digest(), world.digest())
        ?? difference(twin.takeEvents(), world.takeEvents())
    }

    private func difference(_ expected: [String], _ found: [String]) -> String? {
      guard expected != found else { return nil }
      let lines = found.difference(from: expected).map { change in
        switch change {
        case .insert(_, let line, _): "+ \(line)"
        case .remove(_, let line, _): "- \(line)"
        }
      }
      return "what there is to see:\n" + lines.joined(separator: "\n")
    }
  }

  @Test func `After a transaction that throws, everything is as it was before`() {
    for seed in Effort.seeds() {
      var counter: LifeCounter?
      do {
        var run = Run(seed: seed)
        counter = run.counter
        for step in 0..<80 {
          if let failure = run.step() {
            Issue.record("Seed \(seed), step \(step): \(failure)\n\(run.program.suffix(4))")
            return
          }
        }
      }
      expectEqual(counter?.living, 0, "Seed \(seed) leaves values behind.")
    }
  }
}
