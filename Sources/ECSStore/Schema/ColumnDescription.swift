#if SQLite
  public import ECSRecipes

  /// A column as it is in a database, or is to be.
  public struct ColumnDescription: Sendable, Hashable {
    /// The name.
    public var name: String

    /// The declared type.
    public var type: ColumnType

    /// Whether it may be NULL.
    public var isNullable: Bool

    /// Whether its values differ from each other; NULL may come several times.
    public var isUnique: Bool

    /// What rows have that say nothing about the column.
    public var defaultValue: RowValue?

    /// Describes a column.
    public init(
      _ name: String, _ type: ColumnType, isNullable: Bool = true, isUnique: Bool = false,
      defaultValue: RowValue? = nil
    ) {
      (self.name, self.type, self.isNullable) = (name, type, isNullable)
      (self.isUnique, self.defaultValue) = (isUnique, defaultValue)
    }
  }

#endif
