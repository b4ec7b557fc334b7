/// The template that an entity was made from: entities that are made from a ``Template`` with a
/// name have this component.
///
/// It is a component as any other: group by it, index it, observe it, remove it where it is not
/// needed.
///
/// ```swift
/// let byTemplate = context.index { (made: InstanceOf) in made.template }
/// byTemplate["orc"].count
/// ```
public struct InstanceOf: Component, Hashable, Codable {
  /// The name of the template.
  public let template: TemplateName

  /// Makes the component.
  public init(_ template: TemplateName) { self.template = template }
}

extension Entity {
  /// The name of the template that the entity was made from; nil if there is none.
  ///
  /// - Complexity: O(1).
  public var template: TemplateName? { self.get(InstanceOf.self)?.template }
}
