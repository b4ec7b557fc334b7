public import ECS

/// The status of a partition: a component of an entity for each, in a ``ClusterMonitor``'s context.
public struct PartitionStatus: Component, Equatable {
  /// The name of the cluster.
  public var cluster: String

  /// The partition.
  public var partition: Int

  /// The worker that has it; nil for none.
  public var owner: String?

  /// How often it has got another owner.
  public var epoch: UInt64

  /// How many events were sent.
  public var sent: UInt64

  /// How many of them were applied or set aside.
  public var applied: UInt64

  /// How many events were sent a second, since it was last looked at.
  public var sentPerSecond: Double = 0

  /// How many events were applied a second, since it was last looked at.
  public var appliedPerSecond: Double = 0

  /// How many events are set aside.
  public var deadLetters: Int

  /// Whether something that the broker keeps of it is damaged; what is not known then is zero.
  public var isDamaged = false

  /// How many entries of the log of changes came behind the last snapshot.
  public var changesSinceSnapshot: UInt64

  /// How many events wait.
  public var lag: UInt64 { sent > applied ? sent - applied : 0 }

  init(_ cluster: String, _ partition: Int, _ known: PartitionMetrics?) {
    let metrics = known ?? PartitionMetrics()
    (self.cluster, self.partition, owner) = (cluster, partition, metrics.owner)
    (epoch, sent, applied) = (metrics.epoch, metrics.sent, metrics.offset)
    deadLetters = metrics.deadEvents ?? 0
    isDamaged = known == nil || metrics.deadEvents == nil
    changesSinceSnapshot =
      metrics.logNumber > metrics.snapshotNumber ? metrics.logNumber - metrics.snapshotNumber : 0
  }

  /// Adds the rates since an earlier look.
  mutating func compare(with earlier: PartitionStatus, after time: Duration) {
    let seconds = time / .seconds(1)
    guard seconds > 0 else { return }
    if sent >= earlier.sent { sentPerSecond = Double(sent - earlier.sent) / seconds }
    if applied >= earlier.applied { appliedPerSecond = Double(applied - earlier.applied) / seconds }
  }
}
