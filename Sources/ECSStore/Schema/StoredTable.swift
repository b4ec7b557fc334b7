#if SQLite
  public import ECSRecipes

  /// A table of any types, for ``Schema``; nothing else conforms to it.
  public protocol StoredTable: Sendable {
    /// The name of the table.
    var name: String { get }

    /// The mapping.
    var recipe: Recipe { get }

    /// What a schema needs of it.
    var parts: TableParts { get }
  }
#endif
