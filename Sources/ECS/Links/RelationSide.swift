/// From which end a relation is looked at.
enum RelationSide: Hashable, Sendable {
  /// What an entity is related to.
  case targets

  /// What is related to an entity.
  case sources

  var other: RelationSide { self == .targets ? .sources : .targets }
}
