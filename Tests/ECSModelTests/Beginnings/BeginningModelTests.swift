import ECS
import ECSTestSupport
import Testing

/// Random programs in which listeners of all kinds begin, pause and end at any point: inside of
/// transactions within each other that stay or are taken back, inside of iterations, and inside of
/// observers.
@Suite(.longRunning, .noHangs) struct BeginningModelTests {
  @Test func `Listeners that begin, pause and end at any point are exact`() async {
    for seed in Effort.seeds() {
      let world = BeginningWorld(seed: seed)
      for step in 0..<Effort.beginningSteps {
        world.step()
        if let failure = world.failures.first {
          let end = world.log.suffix(Effort.onlyModelSeed == nil ? 20 : 400)
          Issue.record("Seed \(seed), step \(step): \(failure)\n\(end.joined(separator: "\n"))")
          return
        }
      }
      for feed in world.listeners.feeds {
        if let flaw = await feed.read() { Issue.record("Seed \(seed), a feed: \(flaw)") }
      }
    }
  }
}
