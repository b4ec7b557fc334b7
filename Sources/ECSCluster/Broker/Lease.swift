/// That a partition is a worker's for some time, and where its logs were when that began.
public struct Lease: Hashable, Sendable {
  /// Tells it from all leases of the partition before; they have smaller ones.
  public var epoch: UInt64

  /// The number of the last event that was committed.
  public var offset: UInt64

  /// The number of the last entry of the log of changes.
  public var logNumber: UInt64

  /// Makes one of its parts.
  public init(epoch: UInt64, offset: UInt64, logNumber: UInt64) {
    (self.epoch, self.offset, self.logNumber) = (epoch, offset, logNumber)
  }
}
