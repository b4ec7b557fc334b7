/// The record that a partition has of a producer whose name lasts.
public struct ProducerPosition: Hashable, Sendable {
  /// Whose packs it takes.
  public var claim: ProducerClaim

  /// The number of the last event; 0 for none.
  public var number: UInt64

  /// Makes one of its parts.
  public init(claim: ProducerClaim, number: UInt64) { (self.claim, self.number) = (claim, number) }
}

/// The record that a partition has of a producer.
@available(*, unavailable, renamed: "ProducerPosition")
public typealias ProducerPlace = ProducerPosition
