#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// How the time that something takes grows with its size.
package enum Growth {
  /// The processor time of the calling thread in nanoseconds: other programs do not count.
  package static var threadTime: UInt64 { nanoseconds(of: CLOCK_THREAD_CPUTIME_ID) }

  private static func nanoseconds(of clock: clockid_t) -> UInt64 {
    var time = timespec()
    clock_gettime(clock, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
  }

  /// The exponents of the power functions by which the times of some phases grow from a size to
  /// four times that: 1 if they are linear, 2 if they are quadratic.
  ///
  /// Each size is measured several times, and the least time counts, since whatever disturbs only
  /// adds. That goes on until no exponent is more than the limit, or patience ends.
  package static func exponents(
    from size: Int, limit: Double, rounds: Int = 40, _ run: (Int) -> [UInt64]
  ) -> [Double] {
    let sizes = [size, size * 2, size * 4]
    var least: [[UInt64]] = []
    var exponents: [Double] = []
    for round in 0..<rounds {
      let times = sizes.map(run)
      least = least.isEmpty ? times : zip(least, times).map { zip($0, $1).map { min($0, $1) } }
      exponents = least[0].indices.map { phase in
        let (first, last) = (max(1, least[0][phase]), max(1, least[2][phase]))
        return log2(Double(last) / Double(first)) / 2
      }
      if round >= 1, exponents.allSatisfy({ $0 <= limit }) { break }
    }
    return exponents
  }
}
