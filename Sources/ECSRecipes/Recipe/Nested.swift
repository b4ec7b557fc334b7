import JSONValues

/// Other entities that are related to an entity, and where their data is.
///
/// ```swift
/// Nested(one: userRecipe, at: "author", through: .toOne(\Article.author, of: Article()))
/// Nested(many: tagRecipe, at: "tags", through: .toMany(\Tags.entities, of: Tags()))
/// Nested(many: userRecipe, at: "reader_ids", as: .key, through: .targets(of: ReadBy.self))
/// Nested(many: lineRecipe, at: "lines", through: .sources(of: LineOf.self)).owned()
/// Nested.itself(manyAt: "replies", through: .sources(of: ReplyTo.self))
/// ```
///
/// An absent key leaves the relation as it is, and `null` ends a to-one relation. A list sets all
/// targets of a to-many relation, in order. Data with an identity gives the entity that has it,
/// which is made if there is none; data without one updates the present target in place (in a list,
/// the one at the same position), or makes one if there is none. Entities that are no longer
/// targets stay alive, unless they are ``owned()``. Links that have values are nested through
/// ``RecipeLink/targets(of:at:values:default:)`` or ``RecipeLink/sources(of:at:values:default:)``.
public struct Nested: Sendable {
  /// The form in which a related entity is written.
  public enum Form: Sendable, Hashable {
    /// As an object, by its recipe.
    case object

    /// As just the value of its identity: `"author": 7`.
    case key
  }

  /// The recipe; nil if it is that of the entity itself.
  let recipe: Recipe?
  var location: PartLocation
  let isMany: Bool
  let form: Form
  let link: RecipeLink
  private(set) var isOwned = false

  private init(
    _ recipe: Recipe?, _ path: String, isMany: Bool, _ form: Form, _ link: RecipeLink
  ) {
    (self.recipe, location, self.form, self.link) = (recipe, .text(path), form, link)
    self.isMany = isMany
  }

  /// Maps a relation to at most one entity.
  public init(
    one recipe: Recipe, at path: String, as form: Form = .object, through link: RecipeLink
  ) {
    self.init(recipe, path, isMany: false, form, link)
  }

  /// Maps a relation to any number of entities.
  public init(
    many recipe: Recipe, at path: String, as form: Form = .object, through link: RecipeLink
  ) {
    self.init(recipe, path, isMany: true, form, link)
  }

  /// Maps a relation to at most one entity of the same recipe.
  ///
  /// Data may be nested ``Recipe/maximumNesting`` deep.
  public static func itself(
    oneAt path: String, as form: Form = .object, through link: RecipeLink
  ) -> Nested {
    Nested(nil, path, isMany: false, form, link)
  }

  /// Maps a relation to any number of entities of the same recipe, such as replies to replies.
  ///
  /// Data may be nested ``Recipe/maximumNesting`` deep.
  public static func itself(
    manyAt path: String, as form: Form = .object, through link: RecipeLink
  ) -> Nested {
    Nested(nil, path, isMany: true, form, link)
  }

  /// The nested entities are parts of the entity, and are destroyed with it.
  ///
  /// Those that data removes from the relation are destroyed, unless it gives them to another
  /// entity; and if the entity is destroyed, so are its parts. The link must be `.sources(of:)` of
  /// a relation whose delete rule is `cascade`.
  ///
  /// - Returns: A relation to parts.
  public func owned() -> Nested {
    var nested = self
    nested.isOwned = true
    return nested
  }
}

/// A checked ``Nested``.
struct NestedMapping: Sendable {
  let nested: Nested
  let path: JSONPath

  /// The place of the key in the data of the other recipe.
  let keyPath: JSONPath?

  /// The values of the links; nil if they have none.
  var values: NestedValues?

  /// Checks a relation of a recipe with a key at a path.
  init(
    _ nested: Nested, in recipe: String, ownKeyPath: JSONPath?
  ) throws(RecipeDefinitionError) {
    self.nested = nested
    path = try nested.location.path(in: recipe)
    keyPath = if let other = nested.recipe { other.identityPath } else { ownKeyPath }
    if nested.form == .key, keyPath == nil {
      throw RecipeDefinitionError(recipe: recipe, path: "\(path)", reason: .keyWithoutIdentity)
    }
    if nested.isOwned, nested.link.hasOtherOwner == nil {
      throw RecipeDefinitionError(
        recipe: recipe, path: "\(path)", reason: .ownedWithoutCascade(nested.link.name))
    }
    guard let form = nested.link.values else { return }
    do throws(RecipeDefinitionError) {
      values = try NestedValues(form, in: recipe)
    } catch {
      throw error.below(path)
    }
    if nested.form == .key, values?.areMixed == true {
      throw RecipeDefinitionError(
        recipe: recipe, path: "\(path)", reason: .valuesInKey(nested.link.name))
    }
  }

  /// The mapping with all places in the data of a link, of an owner with these places itself.
  func joined(
    in recipe: String, _ ownLeaves: [Shape.Leaf], _ ownPresences: [JSONPath]
  ) throws(RecipeDefinitionError) -> NestedMapping {
    var mapping = self
    let other = nested.recipe?.definition
    do throws(Shape.Conflict) {
      mapping.values = try values?.joined(
        other?.leaves ?? ownLeaves, presences: other?.presences ?? ownPresences)
    } catch {
      throw RecipeDefinitionError(recipe: recipe, path: "\(error.path)", reason: error.reason)
        .below(path)
    }
    return mapping
  }

  /// The recipe of the nested entities.
  func recipe(in owner: Recipe) -> Recipe { nested.recipe ?? owner }
}
