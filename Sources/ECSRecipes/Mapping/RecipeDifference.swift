public import ECS

/// Something that applying data would change.
public struct RecipeDifference: Sendable {
  /// The name of the recipe.
  public let recipe: String

  /// The entity; nil if it would be made.
  public let entity: Entity?

  /// Where in the data.
  public let path: JSONPath

  /// The field, such as `\User.name`; nil for relations and for fields without a key path.
  public let field: (any AnyKeyPath & Sendable)?

  /// The entity's present value; nil if it has none.
  ///
  /// For a field that can't be written as data, its description; for a relation, the descriptions
  /// of the targets.
  public let old: JSONValue?

  /// The value that the entity would have.
  public let new: JSONValue?
}

extension RecipeDifference: Hashable {
  /// Whether both are the same change.
  public static func == (left: RecipeDifference, right: RecipeDifference) -> Bool {
    left.recipe == right.recipe && left.entity == right.entity && left.path == right.path
      && left.field as AnyKeyPath? == right.field as AnyKeyPath? && left.old == right.old
      && left.new == right.new
  }

  /// Feeds the place and the values to a hasher.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(recipe)
    hasher.combine(entity)
    hasher.combine(path)
    hasher.combine(old)
    hasher.combine(new)
  }
}

extension RecipeDifference: CustomStringConvertible {
  /// The path with the values before and after, such as `name: "Ada" -> "Ada L."`.
  public var description: String {
    func text(_ value: JSONValue?) -> String { value.map { "\($0)" } ?? "nothing" }
    return "\(path): \(text(old)) -> \(text(new))"
  }
}

/// What applying data did, and to which entity.
public struct RecipeResult: Sendable, Hashable {
  /// The entity that the data is about.
  public let entity: Entity

  /// Whether it was made, or anything was changed.
  public let outcome: RecipeOutcome

  /// What was changed, with the values before and after, in the order of the data, including
  /// changes of related entities.
  public let changes: [RecipeDifference]
}

/// What applying data did.
public enum RecipeOutcome: Sendable, Hashable {
  /// The entity was made.
  case made

  /// The entity, or one that it is related to, was changed.
  case updated

  /// Everything was already as the data says: nothing was written and nobody was notified.
  case unchanged
}
