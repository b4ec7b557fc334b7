import ECSTestSupport
import Testing

/// Programs that mix what the other models try one by one.
@Suite(.longRunning, .noHangs) struct MixedModelTests {
  @Test(arguments: Effort.seeds())
  func `everything together does what it does alone`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let limit = random.oneIn(3) ? 1 + random.below(6) : 1000
    let seeds = (0..<40).map { _ in random.next() }
    guard let failure = try Self.failure(of: seeds, limit) else { return }
    // What is left when no section can be left out is easier to read.
    var (least, shortest, size) = (seeds, failure, seeds.count / 2)
    while size > 0 {
      var place = 0
      while place < least.count {
        var fewer = least
        fewer.removeSubrange(place..<min(place + size, least.count))
        if let failure = try Self.failure(of: fewer, limit) {
          (least, shortest) = (fewer, failure)
        } else {
          place += size
        }
      }
      size /= 2
    }
    Issue.record("seed \(seed): \(failure.text)\nshorter: \(shortest.text)\n\(shortest.program)")
  }

  private static func failure(
    of seeds: [UInt64], _ limit: Int
  ) throws -> (text: String, program: String)? {
    var run = try MixedRun(limit: limit)
    for seed in seeds {
      do {
        guard let text = try run.section(seed: seed) else { continue }
        return (text, run.program.joined(separator: "\n"))
      } catch {
        return ("\(error)", run.program.joined(separator: "\n"))
      }
    }
    return nil
  }
}
