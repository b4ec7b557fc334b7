public import ECS

/// The result of applying data: what was done, and to which entity.
public struct RecipeResult: Sendable, Hashable {
  /// The entity that the data is about.
  public let entity: Entity

  /// Whether it was made, or anything was changed.
  public let outcome: RecipeOutcome

  /// What was changed, with the values before and after, in the order of the data, including
  /// changes of related entities.
  public let changes: [RecipeDifference]
}
