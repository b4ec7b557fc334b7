public import ECS

/// One part of a recipe; made of ``Fields``, ``Identity`` or ``Nested``.
public struct RecipePart: Sendable {
  enum Content: Sendable {
    case component(
      @Sendable (_ recipe: String) throws(RecipeDefinitionError) -> any ComponentMapping)
    case identity(any IdentityMapping)
    case nested(Nested)
  }

  let content: Content
}

/// The fields of one component, listed one by one.
///
/// ```swift
/// Fields(of: Article(title: "", body: nil)) {
///   Field(\.title, at: "title").required()
///   Field(\.body, at: "text.body")
/// }
/// ```
public struct Fields<C: Component>: Sendable {
  let template: C
  let fields: [Field<C>]

  /// Lists the fields of a component.
  ///
  /// - Parameters:
  ///   - template: What a new component starts from: the values of fields that the data lacks.
  ///   - fields: The fields.
  public init(of template: C, @FieldsBuilder<C> _ fields: () -> [Field<C>]) {
    self.template = template
    self.fields = fields()
  }
}

/// The field that tells which entity data is about.
///
/// It must be one of the mapped fields, and not optional. The same key always gives the same
/// entity, through a primary index; see ``Mapper``.
public struct Identity: Sendable {
  let mapping: any IdentityMapping

  /// Names the field.
  public init<C: Component, Key: Hashable & Sendable>(_ field: any KeyPath<C, Key> & Sendable) {
    mapping = KeyPathIdentity(field: field)
  }
}

/// Lists the parts of a recipe.
@resultBuilder
public enum RecipeBuilder {
  /// Takes the fields of a component.
  public static func buildExpression<C: Component>(_ fields: Fields<C>) -> [RecipePart] {
    [
      RecipePart(
        content: .component { (recipe) throws(RecipeDefinitionError) in
          FieldwiseMapping(
            fields: try FieldsMapping(fields.fields, template: fields.template, recipe: recipe))
        })
    ]
  }

  /// Takes all fields of a component.
  public static func buildExpression<C: Component & Codable>(
    _ fields: AutomaticFields<C>
  ) -> [RecipePart] {
    [
      RecipePart(
        content: .component { (recipe) throws(RecipeDefinitionError) in
          try AutomaticMapping(fields, recipe: recipe)
        })
    ]
  }

  /// Takes the identity.
  public static func buildExpression(_ identity: Identity) -> [RecipePart] {
    [RecipePart(content: .identity(identity.mapping))]
  }

  /// Takes a relation to other entities.
  public static func buildExpression(_ nested: Nested) -> [RecipePart] {
    [RecipePart(content: .nested(nested))]
  }

  /// Takes parts that are listed elsewhere.
  public static func buildExpression(_ parts: [RecipePart]) -> [RecipePart] { parts }

  /// Joins the parts.
  public static func buildBlock(_ parts: [RecipePart]...) -> [RecipePart] { parts.flatMap(\.self) }

  /// Takes parts that are listed under a condition.
  public static func buildOptional(_ parts: [RecipePart]?) -> [RecipePart] { parts ?? [] }

  /// Takes the parts of a condition that holds.
  public static func buildEither(first parts: [RecipePart]) -> [RecipePart] { parts }

  /// Takes the parts of a condition that does not hold.
  public static func buildEither(second parts: [RecipePart]) -> [RecipePart] { parts }

  /// Takes parts that are listed in a loop.
  public static func buildArray(_ parts: [[RecipePart]]) -> [RecipePart] { parts.flatMap(\.self) }
}
