/// An entity that comes of a ``Template`` with another one, to which it is linked.
public struct Child: Sendable {
  let template: Template
  let relation: any Relation.Type

  /// Makes a child of its components.
  ///
  /// - Parameters:
  ///   - relation: The relation from the child to its parent.
  ///   - parts: The components, and the child's own children.
  /// - Precondition: As of a template.
  public init(
    by relation: any Relation.Type = ChildOf.self,
    @TemplateBuilder _ parts: () -> [TemplatePart]
  ) {
    self.init(Template(nil, parts), by: relation)
  }

  /// Makes a child of a template.
  ///
  /// - Parameters:
  ///   - template: What the child is made from.
  ///   - relation: The relation from the child to its parent.
  public init(_ template: Template, by relation: any Relation.Type = ChildOf.self) {
    (self.template, self.relation) = (template, relation)
  }
}
