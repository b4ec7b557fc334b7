// Facts about processors come from the platform's C library.
#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Bionic)
  import Bionic
#endif

/// The processors of the machine.
enum Processor {
  /// How many there are.
  static let count = Int(sysconf(Int32(_SC_NPROCESSORS_ONLN)))

  /// Waits for another thread, longer with each round: at first actively, then by letting others
  /// run, and at last by sleeping, since a thread of lower priority runs only then.
  static func wait(round: Int) {
    switch round {
    case ..<200 where count > 1: WaitClock.pause(2)
    case ..<250: _ = sched_yield()
    default: _ = usleep(50 << UInt32(min((round - 250) / 16, 4)))
    }
  }
}
