import ECS
import ECSTestSupport
import Testing

/// Random programs, run on a context and on a naive reference: all that can be observed agrees
/// after every step.
@Suite(.longRunning) struct ModelTests {
  /// Seeds in parts; the environment variables of ``Effort`` ask for more or for one.
  static let parts: [Range<Int>] = {
    if let only = Effort.onlyModelSeed { return [only..<only + 1] }
    return stride(from: 0, to: Effort.modelSeeds, by: 10).map {
      $0..<min($0 + 10, Effort.modelSeeds)
    }
  }()

  @Test(arguments: parts)
  func `A context behaves as the reference does after every step of random programs`(
    seeds: Range<Int>
  ) {
    for seed in seeds {
      if let failure = Program.failure(seed: UInt64(seed), steps: 1000) {
        Issue.record("\(failure)")
        return
      }
    }
  }
}

/// Programs by their seeds.
enum Program {
  /// Runs the program of a seed; tells what went wrong, if something did, with the whole program.
  static func failure(seed: UInt64, steps: Int) -> String? {
    let comparison = Comparison()
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
