/// Other entities that belong to an entity, and where their data stands.
///
/// ```swift
/// Nested(one: userRecipe, at: "author", through: .toOne(\Article.author, of: Article()))
/// Nested(many: tagRecipe, at: "tags", through: .toMany(\Tags.entities, of: Tags()))
/// ```
///
/// An absent key leaves the relation as it is, and `null` ends a to-one relation. A list sets all
/// targets of a to-many relation, in its order. Data with an identity gives the entity that has
/// it, made if there is none; data without one updates the present target in place (of a list, the
/// one at the same position), and makes one if there is none. Entities that are no targets any
/// more live on.
public struct Nested: Sendable {
  /// How a related entity is written.
  public enum Form: Sendable, Hashable {
    /// As an object, by its recipe.
    case object

    /// As the value of its identity alone: `"author": 7`.
    case key
  }

  let recipe: Recipe
  let path: String
  let isMany: Bool
  let form: Form
  let link: RecipeLink

  /// Maps a relation to at most one entity.
  public init(
    one recipe: Recipe, at path: String, as form: Form = .object, through link: RecipeLink
  ) {
    (self.recipe, self.path, self.form, self.link, isMany) = (recipe, path, form, link, false)
  }

  /// Maps a relation to any number of entities.
  public init(
    many recipe: Recipe, at path: String, as form: Form = .object, through link: RecipeLink
  ) {
    (self.recipe, self.path, self.form, self.link, isMany) = (recipe, path, form, link, true)
  }
}

/// A checked ``Nested``.
struct NestedMapping: Sendable {
  let nested: Nested
  let path: JSONPath

  /// The place of the key in the data of the other recipe.
  let keyPath: JSONPath?

  init(_ nested: Nested, in recipe: String) throws(RecipeDefinitionError) {
    self.nested = nested
    do throws(JSONPathError) {
      path = try JSONPath(nested.path)
    } catch {
      throw RecipeDefinitionError(recipe: recipe, path: nested.path, reason: .badPath(error))
    }
    keyPath = nested.recipe.identityPath
    if nested.form == .key, keyPath == nil {
      throw RecipeDefinitionError(
        recipe: recipe, path: nested.path, reason: .keyWithoutIdentity)
    }
  }

  var signature: Recipe.Signature {
    Recipe.Signature(
      field: nil, path: path, transformer: "\(nested.recipe.name) \(nested.link.name)",
      isRequired: nested.isMany, initial: nested.form == .key ? true : false)
  }
}
