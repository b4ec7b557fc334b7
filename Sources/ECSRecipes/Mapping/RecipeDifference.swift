public import ECS
public import JSONValues

/// A change that applying data would make.
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
