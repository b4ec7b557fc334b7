/// That a sender is the one of a producer whose name lasts, in a partition.
public struct ProducerClaim: Hashable, Sendable {
  /// Tells it from all senders of the producer before; they have smaller ones.
  public var epoch: UInt64

  /// Tells it from a sender that claims the same epoch at the same time.
  public var sender: String

  /// Makes one of its parts.
  public init(epoch: UInt64, sender: String) { (self.epoch, self.sender) = (epoch, sender) }
}
