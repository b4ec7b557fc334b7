import ECS
import ECSTestSupport
import Testing

/// Random programs, parts of which are taken back, and what their journal says of them.
@Suite(.longRunning, .noHangs) struct JournalModelTests {
  @Test func `What a journal tells makes an empty context equal, commit by commit`() {
    for seed in Effort.seeds() {
      let counter = LifeCounter()
      do {
        if let failure = run(seed, counter) {
          Issue.record("Seed \(seed): \(failure)")
          return
        }
      }
      expectEqual(counter.living, 0, "Seed \(seed) leaves values behind.")
    }
  }

  private func run(_ seed: UInt64, _ counter: LifeCounter) -> String? {
    var random = SplitMix64(seed: seed)
    let world = TransactionWorld(counter)
    let replica = JournalReplica { [weak world] in world?.text($0) ?? "" }
    let subscription = world.context.journal().observe { replica.apply($0) }
    for step in 0..<80 {
      switch random.below(8) {
      case 0: world.fail { () throws(TransactionWorld.Failure) in steps(world, &random) }
      case 1: world.context.perform { steps(world, &random) }
      case 2:
        world.context.transaction {
          steps(world, &random)
          world.fail { () throws(TransactionWorld.Failure) in steps(world, &random) }
          steps(world, &random)
        }
      case 3: world.context.perform { world.makeWatched(&random) }
      default: world.context.perform { world.step(&random) }
      }
      if let failure = replica.failures.first { return "step \(step): \(failure)" }
      let expected = JournalReplica.digest(of: world.context, world.text)
      let found = replica.digest()
      if expected != found {
        return "step \(step): \(found.difference(from: expected).map { "\($0)" })"
      }
    }
    subscription.cancel()
    return nil
  }

  private func steps(_ world: TransactionWorld, _ random: inout SplitMix64) {
    for _ in 0..<random.below(8) { world.step(&random) }
  }
}
