/// An entity was not destroyed because other entities are related to it.
public struct DestructionDenied: Error, Hashable, Sendable {
  /// The entity that must not be destroyed: the one in question, or one that would be destroyed
  /// with it.
  public let target: Entity

  /// The entity that is related to it, the first one if there are several.
  public let source: Entity

  /// The name of the relation.
  public let relation: String
}

extension DestructionDenied: CustomStringConvertible {
  /// Which entity must not be destroyed, and why.
  public var description: String {
    "\(target) cannot be destroyed, because \(source) is related to it by \(relation): remove that link first."
  }
}
