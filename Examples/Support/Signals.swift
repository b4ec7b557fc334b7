import Foundation
import Synchronization

/// Runs closures when signals come, on a thread of its own, where everything is allowed.
package enum Signals {
  private static let handlers = Mutex<[Int32: @Sendable () -> Void]>([:])

  /// Whether a signal was ignored when the program was started, as `nohup` has it.
  private static let ignored = Mutex<Set<Int32>>([])

  /// Has a closure run whenever a signal comes, instead of the one before.
  ///
  /// A signal that was to be ignored when the program was started stays ignored.
  package static func on(_ number: Int32, _ body: @escaping @Sendable () -> Void) {
    let isKnown = handlers.withLock { $0.updateValue(body, forKey: number) != nil }
    if !isKnown { listen(to: number) }
  }

  /// Ends the program by a signal, as if nothing had listened to it.
  package static func end(by number: Int32) -> Never {
    signal(number, SIG_DFL)
    kill(getpid(), number)
    // The signal is on its way.
    while true { pause() }
  }

  /// Stops the program by a signal until it is continued, and listens again then.
  static func stop(by number: Int32) {
    signal(number, SIG_DFL)
    kill(getpid(), number)
    listen(to: number)
  }

  private static func listen(to number: Int32) {
    let writeEnd = wakeUpCalls
    let previous = signal(number) { number in
      // Nothing but this is allowed in a handler; the thread that reads does the rest.
      let error = errno
      var byte = UInt8(truncatingIfNeeded: number)
      _ = unsafe write(Signals.wakeUpCalls, &byte, 1)
      errno = error
    }
    precondition(writeEnd >= 0, "There is no pipe for signals.")
    let isIgnored = unsafe unsafeBitCast(previous, to: UInt.self) == 1
    if isIgnored, ignored.withLock({ $0.insert(number).inserted }) { signal(number, SIG_IGN) }
  }

  /// Where a handler writes the number of its signal.
  private static let wakeUpCalls: Int32 = {
    var ends: [Int32] = [-1, -1]
    guard unsafe pipe(&ends) == 0 else { return -1 }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    let readEnd = ends[0]
    Thread.detachNewThread {
      // Threads of the system may block all signals, and programs that these start inherit it.
      var all = sigset_t()
      unsafe sigemptyset(&all)
      unsafe pthread_sigmask(SIG_SETMASK, &all, nil)
      var byte: UInt8 = 0
      while true {
        guard unsafe read(readEnd, &byte, 1) == 1 else { continue }
        let body = handlers.withLock { $0[Int32(byte)] }
        body?()
      }
    }
    return ends[1]
  }()
}
