/// Behind which number of a partition's log to read.
public struct ReadPosition: Hashable, Sendable {
  /// The partition.
  public var partition: Int

  /// The last number that is known; 0 for the start.
  public var number: UInt64

  /// Makes one of its parts.
  public init(partition: Int, number: UInt64) {
    (self.partition, self.number) = (partition, number)
  }
}
