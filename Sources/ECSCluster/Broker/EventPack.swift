/// Events that are sent to a partition together.
public struct EventPack: Hashable, Sendable {
  /// The partition.
  public var partition: Int

  /// The producer that sends it.
  public var producer: String

  /// What the sender has of the partition; nil for a producer whose name no other ever has.
  public var claim: ProducerClaim?

  /// The number of the producer's last event that the partition has, as it has said itself; 0 for
  /// none.
  public var after: UInt64

  /// The number that its producer gave to the first of the events.
  public var first: UInt64

  /// The number that its producer gave to the last of the events.
  public var number: UInt64

  /// The number of events.
  public var count: Int

  /// The events.
  public var bytes: [UInt8]

  /// Makes one of its parts.
  public init(
    partition: Int, producer: String, claim: ProducerClaim? = nil, after: UInt64 = 0,
    first: UInt64, number: UInt64, count: Int, bytes: [UInt8]
  ) {
    (self.partition, self.producer, self.claim, self.after) = (partition, producer, claim, after)
    (self.first, self.number, self.count, self.bytes) = (first, number, count, bytes)
  }
}
