#if SQLite
  public import ECSRecipes
  public import Foundation

  /// A value that can be the key of a table: `Int`, `Int64`, `String`, `UUID`, and what you add,
  /// such as an enum of strings.
  public protocol StoreKey: RecipeValue, TableKey {}

  extension StoreKey {
    /// The key as text, for messages.
    public var keyText: String { "\(self)" }
  }

  extension Int: StoreKey {}
  extension Int64: StoreKey {}
  extension String: StoreKey {}
  extension UUID: StoreKey {}

#endif
