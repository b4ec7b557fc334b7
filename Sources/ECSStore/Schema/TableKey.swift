#if SQLite
  /// A key by which rows are found: a ``StoreKey``, a ``KeyPair`` or a ``KeyTriple``.
  public protocol TableKey: Hashable, Sendable {
    /// The key as text, for messages.
    var keyText: String { get }
  }
#endif
