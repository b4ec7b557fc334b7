#if SQLite
  /// The key of a table without one, which has no values.
  public enum NoKey: Sendable {}
#endif
