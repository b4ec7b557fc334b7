import Foundation
import Sockets

/// A thread that waits for a broker, outside of those of Swift's concurrency, until it is asked to
/// stop.
// Guarded by the lock.
final class ServiceThread: @unchecked Sendable {
  private let lock = NSLock()
  private var isStopping = false
  private var isRung = false

  /// Waits by a clock that is never set, unlike conditions; nil if the system has no more files.
  private let poll = try? SocketPoll()

  /// Whether it is to end.
  var isStopped: Bool { lock.withLock { isStopping } }

  func stop() {
    lock.withLock { isStopping = true }
    poll?.wake()
  }

  /// Ends its rest, or the next one.
  func ring() {
    lock.withLock { isRung = true }
    poll?.wake()
  }

  /// Waits for some time, or until it is rung or stopped.
  func rest(_ time: Duration) {
    if time <= .zero { return }
    let end = ContinuousClock.now + time
    while !takeRing() {
      let left = ContinuousClock.now.duration(to: end)
      guard left > .zero else { return }
      if let poll {
        _ = poll.wait(for: [], atMost: left)
      } else {
        Thread.sleep(forTimeInterval: min(left, .milliseconds(10)) / .seconds(1))
      }
    }
  }

  private func takeRing() -> Bool {
    lock.withLock {
      defer { isRung = false }
      return isStopping || isRung
    }
  }

  /// Runs a body on the thread.
  func start(_ name: String, _ body: @escaping @Sendable () -> Void) {
    let thread = Thread(block: body)
    thread.name = name
    thread.start()
  }
}
