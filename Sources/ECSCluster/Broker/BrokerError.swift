/// Why a broker did not do what it was asked to.
public enum BrokerError: Error, Hashable, Sendable {
  /// There is no connection, or it ended; with why.
  case unreachable(String)

  /// There was no answer in time.
  case timedOut(Duration)

  /// It does not let this program in: a wrong password, no permission.
  case refused(String)

  /// It answered something that is no answer.
  case protocolViolation(String)

  /// It can't keep more: its disk or its memory is full.
  case full(String)

  /// It can't answer now: it is loading its data, or is no primary.
  case unavailable(String)

  /// It answered with another error.
  case failed(String)

  /// The cluster is there, with other settings; with which.
  case mismatch(String)

  /// Another sender of the same producer has begun; with which producer.
  case superseded(String)

  /// Whether the same call may succeed later by itself.
  public var isTransient: Bool {
    switch self {
    case .unreachable, .timedOut, .unavailable, .full: true
    case .refused, .protocolViolation, .failed, .mismatch, .superseded: false
    }
  }

  /// Whether what was asked for may have been done, or may be done later.
  var leavesDoubt: Bool {
    switch self {
    case .unreachable, .timedOut, .protocolViolation: true
    default: false
    }
  }

  /// Whether something may be wrong with what is kept of one partition, and not with the others.
  var mayBeOfOnePartition: Bool {
    switch self {
    case .protocolViolation, .failed: true
    default: false
    }
  }
}

extension BrokerError: CustomStringConvertible {
  /// A sentence that says so.
  public var description: String {
    switch self {
    case .unreachable(let reason): "The broker can't be reached: \(reason)"
    case .timedOut(let time): "The broker did not answer within \(time)"
    case .refused(let reason): "The broker refuses this program: \(reason)"
    case .protocolViolation(let reason): "The broker did not keep to its protocol: \(reason)"
    case .full(let reason): "The broker is full: \(reason)"
    case .unavailable(let reason): "The broker is not available: \(reason)"
    case .failed(let reason): "The broker answered with an error: \(reason)"
    case .superseded(let producer): "Another sender of the producer \(producer) has begun"
    case .mismatch(let reason): "The cluster has other settings: \(reason)"
    }
  }
}

extension BrokerError {
  /// The broker answered something that is no answer.
  @available(*, unavailable, renamed: "protocolViolation(_:)")
  public static func nonsense(_ reason: String) -> BrokerError { .protocolViolation(reason) }
}
