/// Events as a partition has them.
public struct StoredPack: Hashable, Sendable {
  /// The partition.
  public var partition: Int

  /// The number of the last event in the partition.
  public var last: UInt64

  /// The number of events.
  public var count: Int

  /// The events.
  public var bytes: [UInt8]

  /// The number of the first event.
  public var first: UInt64 { last &- UInt64(clamping: count) &+ 1 }

  /// Makes one of its parts.
  public init(partition: Int, last: UInt64, count: Int, bytes: [UInt8]) {
    (self.partition, self.last, self.count, self.bytes) = (partition, last, count, bytes)
  }
}
