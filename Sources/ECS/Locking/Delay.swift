#if Delays
  // The environment and sleep come from the platform's C library.
  #if canImport(Darwin)
    import Darwin
  #elseif canImport(Glibc)
    import Glibc
  #elseif canImport(Musl)
    import Musl
  #elseif canImport(Bionic)
    import Bionic
  #endif
#endif

/// Places where tests let time pass, so that threads take turns in another order than they do on a
/// quiet machine.
///
/// Nothing but with the flag `Delays`, and then where the environment variable `ECS_DELAYS` names
/// them, as in `pass,task`; see `Scripts/long`.
package enum Delay: String, CaseIterable {
  /// In the thread that has woken a loop: each change gets a pass of its own.
  case change

  /// Before a pass that no timer has planned: changes share one.
  case pass

  /// Before what a task does for a system: tasks begin in another order, and end late.
  case task

  #if Delays
    private static let chosen: Set<Delay> = {
      // SAFETY: The text is copied at once, and no code of ours changes the environment.
      guard let names = unsafe getenv("ECS_DELAYS").map({ unsafe String(cString: $0) }) else {
        return []
      }
      return Set(
        names.split(separator: ",").map { name in
          guard let delay = Delay(rawValue: String(name)) else {
            stop("ECS_DELAYS names '\(name)', which is none of \(Delay.allCases.map(\.rawValue)).")
          }
          return delay
        })
    }()
  #endif

  /// Lets time pass if this place is named.
  package func wait() {
    #if Delays
      guard Delay.chosen.contains(self) else { return }
      // A pass takes less than 2.5 ms.
      usleep(self == .change ? 2_500 : .random(in: 0...4_000))
    #endif
  }
}
