import ECS
import ECSTestSupport
import Testing

/// Random programs, run on a context and on a naive reference: all that can be observed agrees
/// after every step.
@Suite(.longRunning) struct ModelTests {
  /// Seeds in parts; the environment variables of ``Effort`` ask for more or for one.
  static let parts: [Range<UInt64>] = {
    let seeds = Effort.seeds()
    return stride(from: seeds.lowerBound, to: seeds.upperBound, by: 10).map {
      $0..<min($0 + 10, seeds.upperBound)
    }
  }()

  @Test(arguments: parts)
  func `A context behaves as the reference does after every step of random programs`(
    seeds: Range<UInt64>
  ) {
    for seed in seeds {
      if let failure = Program.failure(seed: seed, steps: 1000) {
        Issue.record("\(failure)")
        return
      }
    }
  }
}

/// Planted faults, which the comparison has to find.
@Suite struct ComparisonTests {
  @Test func `One event that is lost is a difference`() throws {
    let failure = try #require(Program.failure(seed: 1, steps: 1000, losesEvent: true))
    expectTrue(failure.contains("Other events:"))
  }
}

/// Programs by their seeds.
enum Program {
  /// Runs the program of a seed; tells what went wrong, if something did, with the whole program.
  static func failure(seed: UInt64, steps: Int, losesEvent: Bool = false) -> String? {
    let comparison = Comparison()
    comparison.losesEvent = losesEvent
    var generator = Generator(seed: seed, reference: comparison.reference)
    var program: [Step] = []
    func play(_ step: Step) -> String? {
      program.append(step)
      if Effort.onlyModelSeed != nil { print("\(program.count - 1): \(step)") }
      return comparison.play(step)
    }
    func report(_ difference: String) -> String {
      let listing = program.enumerated().map { "\($0): \($1)" }.joined(separator: "\n")
      return "Seed \(seed), step \(program.count - 1):\n\(listing)\n\n\(difference)"
    }
    for step in generator.opening() {
      if let difference = play(step) { return report(difference) }
    }
    while program.count < steps {
      if let difference = play(generator.step()) { return report(difference) }
      guard program.count % 50 == 0 else { continue }
      if let difference = comparison.compareAll() { return report(difference) }
    }
    return comparison.compareAll().map(report)
  }
}
