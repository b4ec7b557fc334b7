import ECS
import ECSTestSupport
import Foundation
import Testing

/// Nothing that can be observed depends on the seed of `Hasher`, which is another one in each
/// process.
@Suite(.longRunning, .noHangs) struct TraceTests {
  @Test func `The same program gives the same events in the same order in every process`()
    async throws
  {
    var traces: Set<String> = []
    var hashes: Set<String> = []
    for _ in 0..<4 {
      let result = await #expect(
        processExitsWith: .success, observing: [\.standardOutputContent]
      ) {
        print("\nhash \("seed".hashValue)")
        print("trace \(Program.digest(seeds: 0..<UInt64(Effort.full(6, debug: 3)), steps: 400))")
        fflush(nil)
      }
      let output = String(decoding: try #require(result).standardOutputContent, as: UTF8.self)
      let lines = output.split(separator: "\n").map(String.init)
      hashes.insert(try #require(lines.first { $0.hasPrefix("hash ") }))
      traces.insert(try #require(lines.first { $0.hasPrefix("trace ") }))
    }
    expectEqual(traces.count, 1)
    expectGreaterThan(
      hashes.count, 1, "All processes had the same hash seed, so the test shows nothing.")
  }
}

extension Program {
  /// A number that stands for all that programs could observe, in order.
  static func digest(seeds: Range<UInt64>, steps: Int) -> UInt64 {
    var digest = FNV()
    for seed in seeds {
      let comparison = Comparison()
      var generator = Generator(seed: seed, reference: comparison.reference)
      var program = generator.opening()
      for number in 0..<steps {
        if number == program.count { program.append(generator.step()) }
        if let difference = comparison.play(program[number]) { digest.add(difference) }
        for event in comparison.live.trace { digest.add("\(event)") }
        digest.add("\(comparison.reference.orders.orders)")
      }
    }
    return digest.value
  }
}

/// The hash function of Fowler, Noll and Vo, the same in every process.
private struct FNV {
  private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

  mutating func add(_ text: String) {
    for byte in text.utf8 { value = (value ^ UInt64(byte)) &* 0x100_0000_01B3 }
  }
}
