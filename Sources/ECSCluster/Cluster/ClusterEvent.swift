/// An event that is to be applied.
public struct ClusterEvent<Value: Sendable>: Sendable {
  /// Tells it from all others; for code that may see it more than once.
  public let id: EventID

  /// The event itself.
  public let value: Value
}
