#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Bionic)
  import Bionic
#endif

/// The time that the running thread has spent at work, in seconds: other processes don't show in it.
package enum ThreadTime {
  package static var now: Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  /// The time that a body takes.
  package static func of(_ body: () -> Void) -> Double {
    let start = now
    body()
    return now - start
  }

  /// With which power of their number the cost of things grows: 1 if each costs the same.
  ///
  /// The least of several attempts, since noise only ever adds.
  package static func exponent(from count: Int, _ cost: (Int) -> Double) -> Double {
    var least = Double.infinity
    for _ in 0..<5 where least >= 1.15 {
      let (one, two, four) = (cost(count), cost(2 * count), cost(4 * count))
      least = min(least, log2(four / one) / 2, max(log2(two / one), log2(four / two)))
    }
    return least
  }
}
