/// The metrics of a partition, as its broker has them.
public struct PartitionMetrics: Hashable, Sendable {
  /// How many events were sent to it.
  public var sent: UInt64

  /// The number of the last event that was committed.
  public var offset: UInt64

  /// The number of the last entry of its log of changes.
  public var logNumber: UInt64

  /// The number of its snapshot; 0 if there is none.
  public var snapshotNumber: UInt64

  /// How often its lease was acquired.
  public var epoch: UInt64

  /// The worker that has the lease; nil if none has it.
  public var owner: String?

  /// How many events were set aside; nil if what is kept of them is damaged.
  public var deadEvents: Int?

  /// Makes one of its parts.
  public init(
    sent: UInt64 = 0, offset: UInt64 = 0, logNumber: UInt64 = 0, snapshotNumber: UInt64 = 0,
    epoch: UInt64 = 0, owner: String? = nil, deadEvents: Int? = 0
  ) {
    (self.sent, self.offset, self.logNumber) = (sent, offset, logNumber)
    (self.snapshotNumber, self.epoch, self.owner) = (snapshotNumber, epoch, owner)
    self.deadEvents = deadEvents
  }
}

/// The figures of a partition.
@available(*, unavailable, renamed: "PartitionMetrics")
public typealias PartitionFigures = PartitionMetrics
