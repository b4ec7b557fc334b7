extension Entity {
  /// A link from an entity to a target, whatever the relation.
  public struct Link: Sendable {
    /// The relation.
    public let relation: any Relation.Type

    /// The target.
    public let target: Entity

    /// The value of the link; nil if links of the relation have none.
    public let value: (any Component)?
  }
}
