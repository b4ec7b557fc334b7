/// The format in which records follow each other in a stream.
public enum JSONStreamFormat: Sendable, Hashable {
  /// Like ``array`` if the first character is `[`, otherwise like ``lines``.
  case automatic

  /// One record per line; empty lines are skipped.
  case lines

  /// The elements of one JSON list.
  case array
}
