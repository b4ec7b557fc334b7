/// Lists fields.
@resultBuilder
public enum FieldsBuilder<Root: Sendable> {
  /// Takes a field.
  public static func buildExpression(_ field: Field<Root>) -> [Field<Root>] { [field] }

  /// Takes fields that are listed elsewhere.
  public static func buildExpression(_ fields: [Field<Root>]) -> [Field<Root>] { fields }

  /// Joins the fields.
  public static func buildBlock(_ fields: [Field<Root>]...) -> [Field<Root>] {
    fields.flatMap(\.self)
  }

  /// Takes fields that are listed under a condition.
  public static func buildOptional(_ fields: [Field<Root>]?) -> [Field<Root>] { fields ?? [] }

  /// Takes the fields of a true condition.
  public static func buildEither(first fields: [Field<Root>]) -> [Field<Root>] { fields }

  /// Takes the fields of a false condition.
  public static func buildEither(second fields: [Field<Root>]) -> [Field<Root>] { fields }

  /// Takes fields that are listed in a loop.
  public static func buildArray(_ fields: [[Field<Root>]]) -> [Field<Root>] {
    fields.flatMap(\.self)
  }
}
