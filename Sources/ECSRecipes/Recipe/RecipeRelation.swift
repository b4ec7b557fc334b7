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

  /// Where the entity, or its key, is in the data of a link; nil if all of that is the entity's, or
  /// the entity's and the value's.
  public let entityPath: JSONPath?

  /// The mapping of the values of the links, with paths in the data of a link; nil if they have
  /// none, or if data says nothing about these.
  public let values: RecipeComponent?

  /// What a new link starts from, if that is given with the link; nil if the mapping says it, or if
  /// links have no values.
  public let defaultValue: (any Component)?

  /// The part of the data of a link, which is an element of a list or all that stands at the path,
  /// that is about the entity, or is its key; nil if there is none.
  ///
  /// If the fields of the value stand among those of the entity, that is all of it.
  public func entityData(in link: JSONValue) -> JSONValue? {
    guard let entityPath else { return link }
    return link[entityPath]
  }

  /// The living entities that an entity is related to, in order.
  public func targets(of entity: Entity) -> [Entity] { link.targets(entity) }
}

extension RecipeRelation: CustomStringConvertible {
  /// The path, the recipe and the link, such as `author: one user as key, targets of WrittenBy`,
  /// with the fields of values.
  public var description: String {
    "\(path): \(isMany ? "many" : "one") \(isItself ? "of itself" : recipe.name)"
      + "\(form == .key ? " as key" : "")\(entityPath.map { " at \($0)" } ?? ""), \(link.name)"
      + "\(isOwned ? ", owned" : "")"
      + (values?.fields.map { "\n    \($0)" }.joined() ?? "")
  }
}
