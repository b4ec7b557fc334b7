public import ECS

/// Something that applying data would change.
public struct RecipeDifference: Sendable, Hashable {
  /// The name of the recipe.
  public let recipe: String

  /// The entity; nil if it would be made.
  public let entity: Entity?

  /// Where in the data.
  public let path: JSONPath

  /// What the entity says now; nil if it has nothing there.
  ///
  /// Of a field that can't be written as data, its description; of a relation, the descriptions of
  /// the targets.
  public let old: JSONValue?

  /// What the entity would say.
  public let new: JSONValue?
}

/// What applying data did.
public enum RecipeOutcome: Sendable, Hashable {
  /// The entity was made.
  case made

  /// The entity, or one that it is related to, was changed.
  case updated

  /// Everything was as the data says already: nothing was written and nobody was notified.
  case unchanged
}
