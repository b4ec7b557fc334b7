/// An entity would have become a child of itself or of one of its descendants.
public struct HierarchyCycle: Error, Hashable, Sendable {
  /// The entity.
  public let child: Entity

  /// The entity that would have become its parent.
  public let parent: Entity
}

extension HierarchyCycle: CustomStringConvertible {
  /// Which entity would have become the parent of which.
  public var description: String {
    "\(parent) cannot be the parent of \(child), because it is the same entity or a descendant of it."
  }
}
