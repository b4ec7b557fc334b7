/// An entity was to become a child of itself or of one of its descendants.
public struct HierarchyCycle: Error, Hashable, Sendable {
  /// The entity.
  public let child: Entity

  /// What was to be its parent.
  public let parent: Entity
}

extension HierarchyCycle: CustomStringConvertible {
  /// What was to be whose parent.
  public var description: String {
    "\(parent) cannot be the parent of \(child), because it is the same entity or a descendant of it."
  }
}
