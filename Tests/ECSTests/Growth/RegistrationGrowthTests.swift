import ECS
import ECSTestSupport
import Testing

/// That registering anything, and ending it, costs the same however many there are.
@Suite(.serialized, .timeLimit(.minutes(5))) struct RegistrationGrowthTests {
  @Test(arguments: RegistrationKind.all)
  func `The time to begin and to end grows linearly with the number`(kind: RegistrationKind) {
    let exponents = Growth.exponents(from: kind.size) { count in
      let trial = kind.prepare(count)
      return [ThreadTime.of(trial.begin), ThreadTime.of(trial.end)]
    }
    #expect(exponents[0] <= Growth.limit, "beginning \(kind.name)")
    #expect(exponents[1] <= Growth.limit, "ending \(kind.name)")
  }

  @Test func `The measure tells quadratic growth from linear growth`() {
    let exponents = Growth.exponents(from: 500, rounds: 2) { count in
      var sum = 0
      defer { #expect(sum != 1) }
      return [
        ThreadTime.of {
          for one in 0..<count { for other in 0..<count { sum &+= one ^ other } }
        },
        ThreadTime.of { for number in 0..<count * 100 { sum &+= number ^ sum } },
      ]
    }
    #expect(exponents[0] > 1.7)
    #expect(exponents[1] <= Growth.limit)
  }
}
