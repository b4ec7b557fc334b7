import Foundation

/// What ends a program early: a message for the user and the exit code.
package struct Failure: Error {
  package let message: String
  package let exitCode: Int32

  /// What the system says, if that is all there is to it.
  package let reason: String?

  package init(message: String, exitCode: Int32 = 1, reason: String? = nil) {
    self.message = message
    self.exitCode = exitCode
    self.reason = reason
  }
}

/// What the system says of an error, without a full stop and without the prose of Foundation.
package func reason(of error: any Error) -> String {
  if let failure = error as? Failure { return failure.reason ?? failure.message }
  let error = error as NSError
  let cause = error.userInfo[NSUnderlyingErrorKey] as? NSError ?? error
  if cause.domain == NSPOSIXErrorDomain {
    return unsafe String(cString: strerror(Int32(cause.code)))
  }
  let text = error.localizedFailureReason ?? error.localizedDescription
  return text.last == "." ? String(text.dropLast()) : text
}
