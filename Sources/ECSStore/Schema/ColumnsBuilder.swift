#if SQLite
  /// A builder of lists of what SQL needs of a table.
  @resultBuilder
  public enum ColumnsBuilder {
    /// Takes one.
    public static func buildExpression(_ one: ColumnAdjustment) -> [ColumnAdjustment] { [one] }

    /// Joins them.
    public static func buildBlock(_ all: [ColumnAdjustment]...) -> [ColumnAdjustment] {
      all.flatMap(\.self)
    }

    /// Takes those that are listed under a condition.
    public static func buildOptional(_ all: [ColumnAdjustment]?) -> [ColumnAdjustment] { all ?? [] }

    /// Takes those of a true condition.
    public static func buildEither(first all: [ColumnAdjustment]) -> [ColumnAdjustment] { all }

    /// Takes those of a false condition.
    public static func buildEither(second all: [ColumnAdjustment]) -> [ColumnAdjustment] { all }

    /// Takes those that are listed in a loop.
    public static func buildArray(_ all: [[ColumnAdjustment]]) -> [ColumnAdjustment] {
      all.flatMap(\.self)
    }
  }
#endif
