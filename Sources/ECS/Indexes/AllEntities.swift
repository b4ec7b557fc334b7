/// The key of an ``Aggregate`` that has only one: that of all entities that count.
public enum AllEntities: Hashable, Sendable {
  /// All that count.
  case all
}
