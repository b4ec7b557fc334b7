/// An event that was set aside.
public struct DeadEvent: Hashable, Sendable {
  /// Its number in the partition.
  public var number: UInt64

  /// Why.
  public var reason: String

  /// A pack with the event, or with several if it can't be read.
  public var bytes: [UInt8]

  /// Makes one of its parts.
  public init(number: UInt64, reason: String, bytes: [UInt8]) {
    (self.number, self.reason, self.bytes) = (number, reason, bytes)
  }
}
