#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Bionic)
  import Bionic
#endif

/// The time that the running thread has spent at work, in seconds: other processes don't show in
/// it.
package enum ThreadTime {
  package static var now: Double {
    var time = timespec()
    unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  /// The time that a body takes.
  package static func of(_ body: () -> Void) -> Double {
    let start = now
    body()
    return now - start
  }
}
