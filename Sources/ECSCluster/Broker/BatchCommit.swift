/// A commit of what a worker has done with events of a partition.
public struct BatchCommit: Hashable, Sendable {
  /// The partition.
  public var partition: Int

  /// The epoch of the worker's lease.
  public var epoch: UInt64

  /// The number of the last entry of the log of changes, in the worker's view.
  public var logNumber: UInt64

  /// The number of the last event that is part of it.
  public var offset: UInt64

  /// The changes.
  public var bytes: [UInt8]

  /// The events that are set aside.
  public var dead: [DeadEvent]

  /// Makes one of its parts.
  public init(
    partition: Int, epoch: UInt64, logNumber: UInt64, offset: UInt64, bytes: [UInt8],
    dead: [DeadEvent] = []
  ) {
    (self.partition, self.epoch, self.logNumber) = (partition, epoch, logNumber)
    (self.offset, self.bytes, self.dead) = (offset, bytes, dead)
  }
}
