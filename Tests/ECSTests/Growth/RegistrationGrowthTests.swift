import ECS
import ECSTestSupport
import Testing

/// That registering anything, and ending it, costs the same however many there are.
@Suite(.optimizedOrSanitized, .longRunning, .serialized) struct RegistrationGrowthTests {
  @Test(arguments: RegistrationKind.all)
  func `The time to begin and to end grows linearly with the number`(kind: RegistrationKind) {
    let exponents = Growth.exponents(from: kind.size) { count in
      let trial = kind.prepare(count)
      return [ThreadTime.of(trial.begin), ThreadTime.of(trial.end)]
    }
    expectLessThanOrEqual(exponents[0], Growth.limit, "beginning \(kind.name)")
    expectLessThanOrEqual(exponents[1], Growth.limit, "ending \(kind.name)")
  }

  @Test func `The measure tells quadratic growth from linear growth`() {
    // Work that takes one step after the other in optimized builds, too.
    func time(of steps: Int) -> Double {
      var sum: UInt = 1
      defer { expectNotEqual(sum, 0) }
      return ThreadTime.of {
        for step in 0..<UInt(steps) { sum = (sum ^ sum >> 29 ^ step) &* 0x9E37_79B9_7F4A_7C15 | 1 }
      }
    }
    let size = 1_000
    let exponents = Growth.exponents(from: size, rounds: 2) { count in
      [time(of: count * count), time(of: count * size)]
    }
    expectGreaterThan(exponents[0], (Growth.limit + 2) / 2)
    expectLessThanOrEqual(exponents[1], Growth.limit)
  }

  @Test func `The exponents of given times are what they are, however often one is disturbed`() {
    func exponents(_ times: @escaping (_ count: Double, _ run: Int) -> [Double]) -> [Double] {
      var run = 0
      return Growth.exponents(from: 100) { count in
        run += 1
        return times(Double(count), run)
      }
    }
    func isNear(_ found: [Double], _ expected: [Double]) -> Bool {
      found.count == expected.count && zip(found, expected).allSatisfy { abs($0 - $1) < 0.01 }
    }
    expectTrue(isNear(exponents { count, _ in [1, count, count * count] }, [0, 1, 2]))
    // Every third run is one of the largest number.
    let isDisturbed: Set<Int> = [2, 3, 6, 12]
    let disturbed = exponents { count, run in
      let extra: Double = isDisturbed.contains(run) ? 1e6 : 0
      return [count + extra, count * count + extra]
    }
    expectTrue(isNear(disturbed, [1, 2]))
  }
}
