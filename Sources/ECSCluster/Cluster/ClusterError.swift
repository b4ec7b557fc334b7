public import ECSSnapshots

/// Why something of a cluster did not happen.
public enum ClusterError: Error, Sendable {
  /// The broker's address is none.
  case badAddress(String)

  /// A file with certificates or a key is not there, or is none; with which.
  case badCertificate(String)

  /// The broker did not do what it was asked to.
  case broker(BrokerError)

  /// The broker was asked to keep events and has not answered in time: they may be kept.
  case undecided(BrokerError)

  /// So many events of the partition wait that it takes no more.
  case full(partition: Int)

  /// An event was refused, and events of its producer with greater numbers were sent since: it
  /// can't be sent any more with its number.
  case outOfOrder(number: UInt64)

  /// The broker had taken events with these numbers of the producer, and has lost them: events of
  /// the call, or some that should be before them. What is left of the call is not sent.
  case lost(partition: Int, numbers: ClosedRange<UInt64>)

  /// Events or entities can't be written or read by the schema.
  case schema(SnapshotError)

  /// The schema has something that clusters do not carry, such as fields that are entities; with
  /// what.
  case unsupported(String)

  /// Events that were not applied were removed from outside: `expected` is the first of them.
  case eventsMissing(partition: Int, expected: UInt64)

  /// Changes that are nowhere else were removed from outside: `expected` is the first of them.
  case changesMissing(partition: Int, expected: UInt64)

  /// An event could not be applied, and the worker was set up to stop then.
  case poisoned(EventID, String)

  /// A worker's systems could not be initialised; with which.
  case systems(String)

  /// The sender was closed.
  case closed
}

extension ClusterError: CustomStringConvertible {
  /// A sentence that says so.
  public var description: String {
    switch self {
    case .badAddress(let text): "\(text) is no address of a broker that this program can connect to"
    case .badCertificate(let reason): "Connections can't be encrypted: \(reason)"
    case .broker(let error): "\(error)"
    case .undecided(let error): "Events were sent, and may be kept or not. \(error)"
    case .full(let partition): "Too many events wait in partition \(partition)"
    case .outOfOrder(let number):
      "Event \(number) was refused, and others with greater numbers were sent since"
    case .lost(let partition, let numbers):
      "The broker has lost the producer's events \(numbers.lowerBound) to \(numbers.upperBound) of partition \(partition)"
    case .schema(let error): "\(error)"
    case .unsupported(let what): what
    case .eventsMissing(let partition, let expected):
      "Event \(expected) of partition \(partition) is not there, and was not applied"
    case .changesMissing(let partition, let expected):
      "Change \(expected) of partition \(partition) is not there, and is part of no snapshot"
    case .poisoned(let id, let reason): "Event \(id) can't be applied: \(reason)"
    case .systems(let names): "Systems could not be initialised: \(names)"
    case .closed: "The sender is closed"
    }
  }
}

extension ClusterError {
  /// Whether it is the same as far as observers can see.
  func isAlike(_ other: ClusterError?) -> Bool { other.map { "\($0)" == "\(self)" } ?? false }
}

extension ClusterError {
  /// An event was refused after later ones were sent.
  @available(*, unavailable, renamed: "outOfOrder(number:)")
  public static func passed(number: UInt64) -> ClusterError { .outOfOrder(number: number) }
}
