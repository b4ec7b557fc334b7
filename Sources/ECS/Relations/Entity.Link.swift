extension Entity {
  /// A link from an entity to a target, whatever the relation.
  public struct Link: Sendable {
    /// The relation.
    public let relation: any Relation.Type

    /// The target.
    public let target: Entity
  }
}
