/// A call that failed, with the number of its attempts.
struct RequestFailure: Error {
  let error: RemoteError
  let attempts: Int
  let isFinal: Bool

  /// How long the server asks to wait.
  var retryAfter: Duration?

  /// Whether the server has done it nevertheless, and has refused what it led to.
  var isDone = false

  /// The failure as callers get it: no refusal, if it was done.
  var reported: RequestFailure {
    guard isDone else { return self }
    return RequestFailure(
      error: .transport(.interrupted("it was done, but not what that has led to: \(error)")),
      attempts: attempts, isFinal: isFinal, isDone: true)
  }

  /// Does something whose failure no further attempt can change.
  static func final<Value>(
    _ body: () throws(RemoteError) -> Value
  ) throws(RequestFailure) -> Value {
    do throws(RemoteError) {
      return try body()
    } catch {
      throw RequestFailure(error: error, attempts: 1, isFinal: true)
    }
  }
}
