#if SQLite
  /// The key of a table whose rows have one of two fields together.
  ///
  /// ```swift
  /// seats.find(KeyPair("A", 12))
  /// ```
  public struct KeyPair<First: StoreKey, Second: StoreKey>: TableKey {
    /// The fields as text, for messages.
    public var keyText: String { "\(first.keyText), \(second.keyText)" }

    /// The first field.
    public var first: First

    /// The second field.
    public var second: Second

    /// Makes a key.
    public init(_ first: First, _ second: Second) { (self.first, self.second) = (first, second) }
  }
#endif
