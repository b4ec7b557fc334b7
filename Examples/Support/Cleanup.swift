import Foundation
import Synchronization

/// Something that has to be undone if the program ends before its time: a file that is not complete,
/// a terminal that is not as it was.
///
/// It is undone when the user or the system ends the program by a signal, and by ``runAll()``.
package final class Cleanup: Sendable {
  private struct Pending {
    var actions: [Int: @Sendable () -> Void] = [:]
    var count = 0
  }

  private static let pending = Mutex(Pending())

  /// The signals by which users and systems end programs.
  private static let endingSignals = [SIGINT, SIGTERM, SIGHUP, SIGQUIT]
  private static let isListening: Void = {
    for number in endingSignals {
      Signals.on(number) {
        runAll()
        Signals.end(by: number)
      }
    }
    atexit { Cleanup.runAll() }
  }()

  private let number: Int

  /// Remembers what is to be done.
  ///
  /// - Parameter action: Runs at most once, on any thread.
  package init(_ action: @escaping @Sendable () -> Void) {
    number = Cleanup.pending.withLock { pending in
      pending.count += 1
      pending.actions[pending.count] = action
      return pending.count
    }
    Cleanup.isListening
  }

  deinit { cancel() }

  /// Forgets it: there is nothing to be undone any more.
  package func cancel() {
    _ = Cleanup.pending.withLock { $0.actions.removeValue(forKey: number) }
  }

  /// Does all that is left to be done, the latest first.
  package static func runAll() {
    while let action = pending.withLock({ pending in
      pending.actions.keys.max().flatMap { pending.actions.removeValue(forKey: $0) }
    }) {
      action()
    }
  }
}
