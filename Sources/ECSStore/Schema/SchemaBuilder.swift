#if SQLite
  /// Lists tables.
  @resultBuilder
  public enum SchemaBuilder {
    /// Takes one.
    public static func buildExpression(_ table: any StoredTable) -> [any StoredTable] { [table] }

    /// Takes those that are listed elsewhere.
    public static func buildExpression(_ tables: [any StoredTable]) -> [any StoredTable] { tables }

    /// Joins them.
    public static func buildBlock(_ all: [any StoredTable]...) -> [any StoredTable] {
      all.flatMap(\.self)
    }

    /// Takes those that are listed under a condition.
    public static func buildOptional(_ all: [any StoredTable]?) -> [any StoredTable] { all ?? [] }
  }
#endif
