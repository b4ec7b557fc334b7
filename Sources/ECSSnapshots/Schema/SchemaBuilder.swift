public import ECS

/// Lists the parts of a ``Schema``.
@resultBuilder
public enum SchemaBuilder {
  /// Takes a component.
  public static func buildExpression<C: Component>(_ stored: Stored<C>) -> [SchemaPart] {
    [SchemaPart(content: .component(stored))]
  }

  /// Takes a component that is left out.
  public static func buildExpression<C: Component>(_ excluded: Excluded<C>) -> [SchemaPart] {
    [SchemaPart(content: .excluded(C.cid))]
  }

  /// Takes a relation.
  public static func buildExpression<R: Relation>(_ links: Links<R>) -> [SchemaPart] {
    [SchemaPart(content: .links(links))]
  }

  /// Takes parts that are listed elsewhere.
  public static func buildExpression(_ parts: [SchemaPart]) -> [SchemaPart] { parts }

  /// Joins the parts.
  public static func buildBlock(_ parts: [SchemaPart]...) -> [SchemaPart] { parts.flatMap(\.self) }

  /// Takes parts that are listed under a condition.
  public static func buildOptional(_ parts: [SchemaPart]?) -> [SchemaPart] { parts ?? [] }

  /// Takes the parts of a true condition.
  public static func buildEither(first parts: [SchemaPart]) -> [SchemaPart] { parts }

  /// Takes the parts of a false condition.
  public static func buildEither(second parts: [SchemaPart]) -> [SchemaPart] { parts }

  /// Takes parts that are listed in a loop.
  public static func buildArray(_ parts: [[SchemaPart]]) -> [SchemaPart] { parts.flatMap(\.self) }
}
