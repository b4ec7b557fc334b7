#if SQLite
  /// The key of a table whose rows have one of three fields together.
  public struct KeyTriple<First: StoreKey, Second: StoreKey, Third: StoreKey>: TableKey {
    /// The fields as text, for messages.
    public var keyText: String { "\(first.keyText), \(second.keyText), \(third.keyText)" }

    /// The first field.
    public var first: First

    /// The second field.
    public var second: Second

    /// The third field.
    public var third: Third

    /// Makes a key.
    public init(_ first: First, _ second: Second, _ third: Third) {
      (self.first, self.second, self.third) = (first, second, third)
    }
  }
#endif
