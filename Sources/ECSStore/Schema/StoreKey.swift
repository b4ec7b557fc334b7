#if SQLite
  public import ECSRecipes
  public import Foundation

  /// A key by which rows are found: a ``StoreKey``, a ``KeyPair`` or a ``KeyTriple``.
  public protocol TableKey: Hashable, Sendable {
    /// The key as text, for messages.
    var keyText: String { get }
  }

  /// A value that can be the key of a table: `Int`, `Int64`, `String`, `UUID`, and what you add, such as
  /// an enum of strings.
  public protocol StoreKey: RecipeValue, TableKey {}

  extension StoreKey {
    /// The key as text, for messages.
    public var keyText: String { "\(self)" }
  }

  extension Int: StoreKey {}
  extension Int64: StoreKey {}
  extension String: StoreKey {}
  extension UUID: StoreKey {}

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

  /// The key of a table without one, which has no values.
  public enum NoKey: Sendable {}
#endif
