import Dispatch
import ECS

/// The result of an operation, or an error when its time is over or the task is cancelled: whatever
/// the operation does meanwhile, and whether or not it ends.
func withDeadline<Value: Sendable>(
  _ time: Duration, _ clock: LoopClock = .dispatch,
  _ operation: @escaping @Sendable () async -> Result<Value, TransportError>
) async throws(TransportError) -> Value {
  let first = Promise<Result<Value, TransportError>>()
  let task = Task { first.fire(await operation()) }
  clock.run(time, .global()) { [weak first] in first?.fire(.failure(.timedOut)) }
  let result = await withTaskCancellationHandler {
    await first.wait()
  } onCancel: {
    first.fire(.failure(.cancelled))
  }
  task.cancel()
  return try result.get()
}

extension LoopClock {
  /// Waits, unless the task is cancelled.
  ///
  /// - Throws: ``RemoteError/cancelled``.
  func sleep(for time: Duration) async throws(RemoteError) {
    let end = Promise<Bool>()
    run(time, .global()) { [weak end] in end?.fire(true) }
    let isOver = await withTaskCancellationHandler {
      await end.wait()
    } onCancel: {
      end.fire(false)
    }
    if !isOver { throw .cancelled }
  }
}
