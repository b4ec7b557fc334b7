/// The behavior of senders while too many events wait in a partition.
public enum FullPolicy: Hashable, Sendable {
  /// They wait.
  case wait

  /// They throw ``ClusterError/full(partition:)``, and the events are not sent.
  case fail
}
