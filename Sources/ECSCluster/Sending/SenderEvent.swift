/// A notice of what happens to a sender.
public enum SenderEvent: Sendable {
  /// The broker had taken events with numbers of this producer, and has lost them: calls that
  /// returned have been in vain.
  ///
  /// Calls of which it had taken a part, or else the first one that comes behind what is gone,
  /// throw ``ClusterError/lost(partition:numbers:)``.
  ///
  /// Of the numbers, only those are meant that were sent to this partition.
  case lost(partition: Int, numbers: ClosedRange<UInt64>)

  /// Something does not work; it is tried again until it does, or until ``ClusterOptions/patience``
  /// ends. Said once as long as it stays the same.
  case failed(ClusterError)

  /// It works again.
  case recovered
}
