/// The outcome of an attempt to take a lease.
public enum AcquireOutcome: Hashable, Sendable {
  /// It is the worker's.
  case acquired(Lease)

  /// Another worker has it, for so long unless it renews it.
  case taken(Duration)

  /// What is kept of the partition is damaged.
  case failed(BrokerError)
}
