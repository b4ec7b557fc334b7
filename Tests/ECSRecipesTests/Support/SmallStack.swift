import Dispatch
import Foundation

/// Runs a body on a thread with a small stack; a body that needs more crashes.
///
/// It has 512 KB, which is what workers of Dispatch have on some systems, and more under the
/// address sanitizer, where functions take several times as much.
func onSmallStack<Value: Sendable>(
  _ body: @escaping @Sendable () throws -> Value
) throws -> Value {
  let outcome = Outcome<Value>()
  let thread = Thread { outcome.set(Result { try body() }) }
  let isSanitized = ProcessInfo.processInfo.environment["ASAN_OPTIONS"] != nil
  thread.stackSize = isSanitized ? 4 << 20 : 512 << 10
  thread.start()
  return try outcome.wait().get()
}

/// The outcome of a thread.
// Guarded by `isSet`: written before it is signaled, read after that.
private final class Outcome<Value: Sendable>: @unchecked Sendable {
  private var result: Result<Value, any Error>?
  private let isSet = DispatchSemaphore(value: 0)

  func set(_ result: Result<Value, any Error>) {
    self.result = result
    isSet.signal()
  }

  func wait() -> Result<Value, any Error> {
    isSet.wait()
    return result ?? .failure(CancellationError())
  }
}
