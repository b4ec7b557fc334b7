import ECSTestSupport
import Testing

@Suite(.noHangs, .ownThread) struct ConvergenceTests {
  private static let count = Effort.isUnlimited ? 10_000 : Effort.full(500, debug: 60)

  /// Seeds of long runs that have shown a fault.
  private static let found = [2358, 6356]

  @Test func `Whatever fails, and whenever the process dies, client and server agree in the end`()
    async throws
  {
    var deaths = 0
    for seed in Array(1...ConvergenceTests.count) + ConvergenceTests.found {
      let script = try DeviceScript(seed: seed)
      try await script.run(steps: 40)
      deaths += script.deaths
      if script.problems.isEmpty { continue }
      let lines = script.problems + script.server.history
      Issue.record("seed \(seed): \(lines.joined(separator: "\n"))")
      return
    }
    expectGreaterThan(deaths, ConvergenceTests.count / 4)
  }

  @Test func `Whatever a feed tells, and whatever overtakes it, they agree or it is said`()
    async throws
  {
    for seed in 1...ConvergenceTests.count {
      let script = try DeviceScript(seed: seed, following: true)
      try await script.run(steps: 40)
      if script.problems.isEmpty { continue }
      let lines = script.problems + script.server.history
      Issue.record("seed \(seed): \(lines.joined(separator: "\n"))")
      return
    }
  }

  @Test(arguments: [
    DeviceScript.Plant.forgetfulServer, .unkept, .unconditional,
  ])
  func `A planted fault is noticed`(_ plant: DeviceScript.Plant) async throws {
    for seed in 1...100 {
      let script = try DeviceScript(seed: seed, plant: plant)
      try await script.run(steps: 40)
      if !script.problems.isEmpty { return }
    }
    Issue.record("\(plant) was not noticed")
  }
}
