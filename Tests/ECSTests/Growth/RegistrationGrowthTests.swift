import ECS
import ECSTestSupport
import Testing

/// That registering anything, and ending it, costs the same however many there are.
@Suite(.serialized, .timeLimit(.minutes(5))) struct RegistrationGrowthTests {
  /// Between linear growth, which is 1, and quadratic growth.
  private static let limit = 1.3

  @Test(arguments: RegistrationKind.all)
  func `The time to begin and to end grows in proportion to the number`(kind: RegistrationKind) {
    let exponents = Growth.exponents(from: kind.size, limit: Self.limit) { count in
      let trial = kind.prepare(count)
      let start = Growth.threadTime
      trial.begin()
      let middle = Growth.threadTime
      trial.end()
      return [middle - start, Growth.threadTime - middle]
    }
    #expect(exponents[0] <= Self.limit, "beginning \(kind.name)")
    #expect(exponents[1] <= Self.limit, "ending \(kind.name)")
  }

  @Test func `The measure tells quadratic growth from linear growth`() {
    let exponents = Growth.exponents(from: 500, limit: Self.limit, rounds: 2) { count in
      var sum = 0
      let start = Growth.threadTime
      for one in 0..<count { for other in 0..<count { sum &+= one ^ other } }
      let middle = Growth.threadTime
      for number in 0..<count * 100 { sum &+= number ^ sum }
      #expect(sum != 1)
      return [middle - start, Growth.threadTime - middle]
    }
    #expect(exponents[0] > 1.7)
    #expect(exponents[1] <= Self.limit)
  }
}
