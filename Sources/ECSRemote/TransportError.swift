/// Why there is no answer.
public enum TransportError: Error, Sendable, Hashable {
  /// The request can't be sent as it is, now or later; with the reason.
  case badRequest(String)

  /// Nothing was sent: trying again is harmless.
  case notConnected(String)

  /// The connection broke: the server may have done what it was asked for.
  case interrupted(String)

  /// The deadline passed: the server may have done what it was asked for.
  case timedOut

  /// The task was cancelled: the server may have done what it was asked for.
  case cancelled

  /// The answer is larger than is allowed, or is no HTTP.
  case badResponse(String)
}

extension TransportError: CustomStringConvertible {
  /// What happened.
  public var description: String {
    switch self {
    case .badRequest(let reason): "the request can't be sent: \(reason)"
    case .notConnected(let reason): "not connected: \(reason)"
    case .interrupted(let reason): "the connection broke: \(reason)"
    case .timedOut: "there was no answer in time"
    case .cancelled: "cancelled"
    case .badResponse(let reason): "the answer can't be used: \(reason)"
    }
  }
}
