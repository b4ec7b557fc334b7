/// A builder of the conditions of a query: each line is one, and all have to hold.
@resultBuilder
public enum QueryBuilder {
  /// One condition.
  public static func buildExpression(_ condition: QueryCondition) -> [QueryCondition] {
    [condition]
  }

  /// Conditions, all of which have to hold.
  public static func buildBlock(_ conditions: [QueryCondition]...) -> [QueryCondition] {
    conditions.flatMap(\.self)
  }

  /// The conditions of an `if` without `else`.
  public static func buildOptional(_ conditions: [QueryCondition]?) -> [QueryCondition] {
    conditions ?? []
  }

  /// The conditions of an `if` that holds.
  public static func buildEither(first conditions: [QueryCondition]) -> [QueryCondition] {
    conditions
  }

  /// The conditions of an `else`.
  public static func buildEither(second conditions: [QueryCondition]) -> [QueryCondition] {
    conditions
  }

  /// The conditions of a loop.
  public static func buildArray(_ conditions: [[QueryCondition]]) -> [QueryCondition] {
    conditions.flatMap(\.self)
  }
}
