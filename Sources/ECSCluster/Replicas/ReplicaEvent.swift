/// A notice of what happens to a replica.
public enum ReplicaEvent: Sendable {
  /// The entities of a partition are there as of a snapshot, and changes follow.
  case restored(partition: Int, entities: Int)

  /// The broker has lost something of a partition that this replica had: entities become what is
  /// there yet.
  case lost(PartitionLoss)

  /// Something does not work; it is tried again until it does. Reported once as long as it stays
  /// the same.
  case failed(ClusterError)

  /// It works again.
  case recovered
}
