internal import CPlatform
import Dispatch

/// The time for threads that wait a few microseconds for each other.
enum WaitClock {
  /// Nanoseconds since some moment in the past; takes about 30 of them.
  static var now: UInt64 { DispatchTime.now().uptimeNanoseconds }

  /// Does nothing for so many of the processor's pauses, 10 to 50 ns each.
  static func pause(_ count: Int) {
    for _ in 0..<count { c_pause() }
  }
}
