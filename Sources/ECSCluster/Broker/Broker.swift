/// The engine that keeps a cluster's logs, leases and snapshots: ``RedisBroker``, or one of your
/// own.
public protocol Broker: Sendable {
  /// Makes a session, which connects when it is first used.
  ///
  /// Each sender, worker, replica and monitor has one of its own.
  ///
  /// - Parameter cluster: The name of the cluster, which keeps its data apart from that of others.
  /// - Returns: The session.
  func makeSession(for cluster: String) -> any BrokerSession
}
