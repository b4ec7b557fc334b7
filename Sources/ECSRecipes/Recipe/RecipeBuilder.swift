public import ECS

/// Lists the parts of a recipe.
@resultBuilder
public enum RecipeBuilder {
  /// Takes the fields of a component.
  public static func buildExpression<C: Component>(_ fields: Fields<C>) -> [RecipePart] {
    [RecipePart(content: .component(fields))]
  }

  /// Takes all fields of a component.
  public static func buildExpression<C: Component & Codable>(
    _ fields: AutomaticFields<C>
  ) -> [RecipePart] {
    [RecipePart(content: .component(fields))]
  }

  /// Takes a component that comes and goes.
  public static func buildExpression<C: Component>(_ flag: Flag<C>) -> [RecipePart] {
    [RecipePart(content: .component(flag))]
  }

  /// Takes a component that is represented by one value.
  public static func buildExpression<C: Component & Equatable>(_ whole: Whole<C>) -> [RecipePart] {
    [RecipePart(content: .component(whole))]
  }

  /// Takes the identity.
  public static func buildExpression(_ identity: Identity) -> [RecipePart] { identity.parts }

  /// Takes a relation to other entities.
  public static func buildExpression(_ nested: Nested) -> [RecipePart] {
    [RecipePart(content: .nested(nested))]
  }

  /// Takes parts that belong together.
  public static func buildExpression(_ fragment: some RecipeFragment) -> [RecipePart] {
    fragment.parts
  }

  /// Takes parts that are listed elsewhere.
  public static func buildExpression(_ parts: [RecipePart]) -> [RecipePart] { parts }

  /// Joins the parts.
  public static func buildBlock(_ parts: [RecipePart]...) -> [RecipePart] { parts.flatMap(\.self) }

  /// Takes parts that are listed under a condition.
  public static func buildOptional(_ parts: [RecipePart]?) -> [RecipePart] { parts ?? [] }

  /// Takes the parts of a true condition.
  public static func buildEither(first parts: [RecipePart]) -> [RecipePart] { parts }

  /// Takes the parts of a false condition.
  public static func buildEither(second parts: [RecipePart]) -> [RecipePart] { parts }

  /// Takes parts that are listed in a loop.
  public static func buildArray(_ parts: [[RecipePart]]) -> [RecipePart] { parts.flatMap(\.self) }
}
