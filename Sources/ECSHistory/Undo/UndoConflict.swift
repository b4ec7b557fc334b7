public import ECS

/// A step was not taken back, or not made again, because others have changed meanwhile what it
/// would change.
public struct UndoConflict: Error, Sendable {
  /// The entity that is not as the step left it.
  public let entity: Entity

  /// The component whose value is not what the step left; nil if it is about the entity as a whole,
  /// or about a link.
  public let component: CID?

  /// The relation of a link that is not as the step left it; else nil.
  public let relation: (any Relation.Type)?

  /// The name of the step.
  public let step: String

  init(
    _ entity: Entity, component: CID? = nil, relation: (any Relation.Type)? = nil, step: String
  ) {
    self.entity = entity
    self.component = component
    self.relation = relation
    self.step = step
  }
}

extension UndoConflict: CustomStringConvertible {
  /// Which step is concerned, and what is not as it was left.
  public var description: String {
    let what =
      if let component {
        "\(component.name) of \(entity)"
      } else if let relation {
        "the \(relation) of \(entity)"
      } else {
        "\(entity)"
      }
    return "'\(step)' cannot be taken back or made again: \(what) was changed by somebody else."
  }
}
