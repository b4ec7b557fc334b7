/// What happens to a sender.
public enum SenderEvent: Sendable {
  /// Something does not work; it is tried again until it does, or until ``ClusterOptions/patience`` ends. Told
  /// once as long as it stays the same.
  case failed(ClusterError)

  /// It works again.
  case recovered
}
