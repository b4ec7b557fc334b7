import ECS
import ECSTestSupport
import Testing

/// Random programs of bulk calls beside the same programs that change one entity after the other.
@Suite(.longRunning, .noHangs) struct BulkModelTests {
  @Test(arguments: BulkWorld.Audience.allCases)
  func `Bulk calls do what changing one entity after the other does`(
    audience: BulkWorld.Audience
  ) {
    for seed in Effort.seeds(Effort.modelSeeds / 10) {
      let counters = (LifeCounter(), LifeCounter())
      do {
        if let failure = run(seed, audience, counters) {
          Issue.record("Seed \(seed): \(failure)")
          return
        }
      }
      expectEqual(counters.0.living, 0, "Seed \(seed) leaves values behind.")
    }
  }

  private func run(
    _ seed: UInt64, _ audience: BulkWorld.Audience, _ counters: (LifeCounter, LifeCounter)
  ) -> String? {
    let bulk = BulkWorld(isBulk: true, audience, counters.0)
    let single = BulkWorld(isBulk: false, audience, counters.1)
    var random = SplitMix64(seed: seed)
    for step in 0..<Effort.steps(100) {
      let seed = random.next()
      let steps = random.oneIn(4) ? 3 : 1
      for world in [bulk, single] {
        var random = SplitMix64(seed: seed)
        if steps == 1 {
          world.step(&random)
        } else {
          world.context.perform { for _ in 0..<steps { world.step(&random) } }
        }
      }
      let (expected, found) = (single.digest(), bulk.digest())
      if expected != found {
        return "step \(step): \(found.difference(from: expected).map { "\($0)" })"
      }
    }
    return nil
  }
}
