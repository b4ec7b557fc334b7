/// All entities of a partition.
public struct StoredSnapshot: Hashable, Sendable {
  /// The number of the last entry of the log of changes that is part of it.
  public var number: UInt64

  /// The entities.
  public var bytes: [UInt8]

  /// Makes one of its parts.
  public init(number: UInt64, bytes: [UInt8]) { (self.number, self.bytes) = (number, bytes) }
}
