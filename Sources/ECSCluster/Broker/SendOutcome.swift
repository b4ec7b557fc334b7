/// The outcome of sending a pack.
public enum SendOutcome: Hashable, Sendable {
  /// It is there, and so many events of the partition wait.
  case accepted(waiting: Int)

  /// It was there before.
  case duplicate

  /// Events up to a number of their producer were there before, which is that of one of them: none
  /// of the others is.
  case partial(known: UInt64)

  /// Nothing of it is there: the producer's events behind a number, which were there, are lost.
  case lost(known: UInt64)

  /// The broker has answered with an error to this one. It is not there, unless the answer was
  /// ``BrokerError/protocolViolation(_:)``.
  case failed(BrokerError)

  /// It was refused, because so many events of the partition wait.
  case full(waiting: Int)
}
