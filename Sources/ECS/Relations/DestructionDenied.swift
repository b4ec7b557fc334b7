/// An entity was not destroyed because other entities are related to it.
public struct DestructionDenied: Error, Hashable, Sendable {
  /// The entity that has to stay: the one to be destroyed, or one that would go with it.
  public let target: Entity

  /// The entity that is related to it, the first one if there are several.
  public let source: Entity

  /// The name of the relation.
  public let relation: String
}

extension DestructionDenied: CustomStringConvertible {
  /// Which entity has to stay, and because of what.
  public var description: String {
    "\(target) cannot be destroyed, because \(source) is related to it by \(relation): remove that link first."
  }
}
