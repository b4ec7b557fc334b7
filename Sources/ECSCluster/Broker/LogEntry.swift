/// An entry of a log of changes: what a batch of events has changed.
public struct LogEntry: Hashable, Sendable {
  /// The partition.
  public var partition: Int

  /// Its number in the log of changes.
  public var number: UInt64

  /// The number of the last event that is part of it.
  public var offset: UInt64

  /// The changes.
  public var bytes: [UInt8]

  /// Makes one of its parts.
  public init(partition: Int, number: UInt64, offset: UInt64, bytes: [UInt8]) {
    (self.partition, self.number, self.offset, self.bytes) = (partition, number, offset, bytes)
  }
}
