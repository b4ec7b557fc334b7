import Foundation

/// The progress of a call.
struct CallProgress: Sendable {
  /// When it has to be over.
  let end: Duration

  /// How many attempts have failed.
  var attempts = 0

  /// When the next one may be made; nil for at once.
  var next: Duration?

  /// Whether what it is allowed by was renewed for it.
  var isRenewed = false

  /// What it has come to, if no attempt is left.
  var failure: RequestFailure?
}

/// The progress of a call, for the task that goes on with it if the one that began it is cancelled.
// Guarded by its lock.
final class CallMemory: @unchecked Sendable {
  private let lock = NSLock()
  private var value: CallProgress?

  /// How far the call has come; nil if it has not begun.
  var progress: CallProgress? {
    get { lock.withLock { value } }
    set { lock.withLock { value = newValue } }
  }
}
