import Foundation

/// A value that comes once; what comes later is dropped. One task waits for it.
// Guarded by its lock.
final class Promise<Value: Sendable>: @unchecked Sendable {
  private let lock = NSLock()
  private var value: Value?
  private var continuation: CheckedContinuation<Value, Never>?

  /// Gives the value, if there is none yet.
  func fire(_ new: Value) {
    let waiting = lock.withLock { () -> CheckedContinuation<Value, Never>? in
      guard value == nil else { return nil }
      value = new
      defer { continuation = nil }
      return continuation
    }
    waiting?.resume(returning: new)
  }

  /// The value, when it is there.
  func wait() async -> Value {
    await withCheckedContinuation { waiting in
      let early = lock.withLock {
        if value == nil { continuation = waiting }
        return value
      }
      if let early { waiting.resume(returning: early) }
    }
  }
}
