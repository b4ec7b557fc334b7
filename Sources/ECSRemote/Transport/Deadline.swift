import Dispatch
import Foundation

/// The result of an operation, or an error when its time is over or the task is cancelled: whatever the
/// operation does meanwhile, and whether or not it ends.
func withDeadline<Value: Sendable>(
  _ time: Duration, _ operation: @escaping @Sendable () async -> Result<Value, TransportError>
) async throws(TransportError) -> Value {
  let race = Race<Value>()
  let result = await withTaskCancellationHandler {
    await withCheckedContinuation { continuation in
      race.begin(continuation)
      let task = Task { race.end(await operation()) }
      race.onEnd { task.cancel() }
      let (seconds, attoseconds) = time.components
      DispatchQueue.global().asyncAfter(
        deadline: .now() + (Double(seconds) + Double(attoseconds) / 1e18)
      ) { [weak race] in race?.end(.failure(.timedOut)) }
    }
  } onCancel: {
    race.end(.failure(.cancelled))
  }
  return try result.get()
}

/// The first of several results.
// Guarded by its lock.
private final class Race<Value: Sendable>: @unchecked Sendable {
  private let lock = NSLock()
  private var continuation: CheckedContinuation<Result<Value, TransportError>, Never>?
  private var result: Result<Value, TransportError>?
  private var cleanUp: (@Sendable () -> Void)?

  /// Whoever waits; at once if it is over already.
  func begin(_ waiting: CheckedContinuation<Result<Value, TransportError>, Never>) {
    let early = lock.withLock {
      if result == nil { continuation = waiting }
      return result
    }
    if let early { waiting.resume(returning: early) }
  }

  /// What to do when it is over.
  func onEnd(_ body: @escaping @Sendable () -> Void) {
    let isOver = lock.withLock {
      if result == nil { cleanUp = body }
      return result != nil
    }
    if isOver { body() }
  }

  func end(_ new: Result<Value, TransportError>) {
    lock.lock()
    guard result == nil else { return lock.unlock() }
    result = new
    let (waiting, body) = (continuation, cleanUp)
    (continuation, cleanUp) = (nil, nil)
    lock.unlock()
    body?()
    waiting?.resume(returning: new)
  }
}
