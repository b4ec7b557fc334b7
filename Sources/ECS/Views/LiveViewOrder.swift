/// In which direction a live view is sorted.
public enum LiveViewOrder: Hashable, Sendable {
  /// The smallest first.
  case ascending

  /// The greatest first.
  case descending
}
