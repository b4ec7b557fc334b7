import Dispatch
import Synchronization

/// Stops the process if something that is counted comes to a standstill.
///
/// For tests in processes of their own that would hang if they failed.
package final class Watchdog: Sendable {
  private let end = DispatchSemaphore(value: 0)

  /// Begins to watch.
  ///
  /// - Parameters:
  ///   - tally: What has to be counted up.
  ///   - patience: For how many seconds it may stand still.
  package init(_ tally: Tally, patience: Int = 60) {
    DispatchQueue(label: "watchdog").async { [end] in
      var last = tally.value
      while end.wait(timeout: .now() + .seconds(patience)) == .timedOut {
        let value = tally.value
        if value == last { fatalError("Nothing went on for \(patience) s, after \(value) steps.") }
        last = value
      }
    }
  }

  /// Ends the watch.
  package func stop() { end.signal() }
}
