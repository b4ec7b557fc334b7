public import ECS
public import JSONValues

/// A relation that a recipe maps.
public struct RecipeRelation: Sendable {
  /// Where it is in the data.
  public let path: JSONPath

  /// The recipe of the related entities; the recipe itself, if it nests itself.
  public let recipe: Recipe

  /// Whether there may be more than one related entity.
  public let isMany: Bool

  /// How related entities are written.
  public let form: Nested.Form

  /// Whether related entities are parts, which are destroyed with the entity.
  public let isOwned: Bool

  /// Whether the recipe nests itself.
  public let isItself: Bool

  /// What the relation leads through.
  public let link: RecipeLink

  /// The living entities that an entity is related to, in order.
  public func targets(of entity: Entity) -> [Entity] { link.targets(entity) }
}

extension RecipeRelation: CustomStringConvertible {
  /// The path, the recipe and the link, such as `author: one user as key, targets of WrittenBy`.
  public var description: String {
    "\(path): \(isMany ? "many" : "one") \(isItself ? "of itself" : recipe.name)"
      + "\(form == .key ? " as key" : ""), \(link.name)\(isOwned ? ", owned" : "")"
  }
}
