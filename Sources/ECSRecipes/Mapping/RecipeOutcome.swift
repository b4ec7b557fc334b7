/// The outcome of applying data.
public enum RecipeOutcome: Sendable, Hashable {
  /// The entity was made.
  case made

  /// The entity, or one that it is related to, was changed.
  case updated

  /// Everything was already as the data says: nothing was written and no observer was notified.
  case unchanged
}
