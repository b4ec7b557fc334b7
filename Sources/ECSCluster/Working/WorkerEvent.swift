/// A notice of what happens to a worker.
public enum WorkerEvent: Sendable {
  /// It has a partition, but not yet its entities.
  case acquired(partition: Int, epoch: UInt64)

  /// The entities of a partition are there.
  case restored(partition: Int, entities: Int, in: Duration)

  /// It has given a partition back, and its entities are gone.
  case released(partition: Int)

  /// It has lost a partition, because it did not renew its lease in time or another worker has it;
  /// the entities are gone, and what was not committed is taken back.
  case fenced(partition: Int)

  /// Events were applied and taken back, since it is not known whether they were committed, or
  /// since they were not: they are applied again, here or elsewhere.
  case rolledBack(partition: Int, events: Int)

  /// An event was set aside, with why; also reported when a lost answer of the broker is made up
  /// for.
  case setAside(EventID, String)

  /// The broker has lost something of a partition that this worker had: entities become what is
  /// there yet, and events are applied from there on.
  case lost(PartitionLoss)

  /// A partition has a new snapshot, up to a number of its log of changes.
  case snapshot(partition: Int, number: UInt64, bytes: Int)

  /// Something does not work; it is tried again until it does. Reported once as long as it stays
  /// the same.
  case failed(ClusterError)

  /// It works again.
  case recovered
}
