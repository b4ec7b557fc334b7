#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Bionic)
  import Bionic
#endif

/// How the time that something takes grows with its number.
package enum Growth {
  /// What linear growth stays below, which is 1, and quadratic growth is above.
  package static let limit = 1.3

  /// The exponents of the power functions by which the times of some phases grow with their number:
  /// 1 if they are linear, 2 if they are quadratic.
  ///
  /// Each number is measured several times, and the least time counts, since whatever disturbs only
  /// adds. That goes on until no exponent is more than the limit. If patience ends before, larger
  /// numbers are tried, up to four times as many: where a cache gets too small, beside other
  /// programs above all, time grows faster for a while, but what is quadratic shows the more, the
  /// more there is.
  ///
  /// - Parameters:
  ///   - count: The number to begin with; twice and four times as many are measured as well.
  ///   - rounds: How often each number is measured before larger ones are tried.
  ///   - run: Returns the time that each phase takes for a number.
  /// - Returns: An exponent for each phase.
  package static func exponents(
    from count: Int, rounds: Int = 15, _ run: (Int) -> [Double]
  ) -> [Double] {
    var exponents: [Double] = []
    for factor in [1, 2, 4] {
      exponents = attempt(count * factor, rounds, run)
      if exponents.allSatisfy({ $0 <= limit }) { break }
    }
    return exponents
  }

  private static func attempt(
    _ count: Int, _ rounds: Int, _ run: (Int) -> [Double]
  ) -> [Double] {
    var least: [[Double]] = []
    var exponents: [Double] = []
    for round in 0..<rounds {
      let times = [run(count), run(2 * count), run(4 * count)]
      least = least.isEmpty ? times : zip(least, times).map { zip($0, $1).map(min) }
      // Of the least times, or of those of one round, which are disturbed alike.
      let found = zip(powers(least), powers(times)).map(min)
      exponents = exponents.isEmpty ? found : zip(exponents, found).map(min)
      if round >= 1, exponents.allSatisfy({ $0 <= limit }) { break }
    }
    return exponents
  }

  private static func powers(_ times: [[Double]]) -> [Double] {
    zip(times[0], times[2]).map { log2(max(1e-9, $1) / max(1e-9, $0)) / 2 }
  }
}
