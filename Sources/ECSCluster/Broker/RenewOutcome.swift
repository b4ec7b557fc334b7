/// The outcome of an attempt to prolong a lease.
public enum RenewOutcome: Hashable, Sendable {
  /// It is prolonged, and so many events were sent to the partition.
  case renewed(sent: UInt64)

  /// It is another's.
  case lost

  /// What is kept of the partition is damaged.
  case failed(BrokerError)
}
