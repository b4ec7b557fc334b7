/// An entity that comes of a ``Template`` with another one, to which it is linked.
public struct Child: Sendable {
  let template: Template
  let relation: any Relation.Type

  /// The value of the link to the parent; nil if links of the relation have none.
  let value: (any Component)?

  /// Makes a child of its components.
  ///
  /// - Parameters:
  ///   - relation: The relation from the child to its parent.
  ///   - parts: The components, and the child's own children.
  /// - Precondition: As of a template; links of the relation have no values.
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
  /// - Precondition: Links of the relation have no values.
  public init(_ template: Template, by relation: any Relation.Type = ChildOf.self) {
    require(
      relation.valueIdentifier == nil,
      "A child of a template was to be linked by \(relation), whose links have values: pass one with init(_:by:_:)."
    )
    (self.template, self.relation, value) = (template, relation, nil)
  }

  /// Makes a child of a template, with a value of the link to its parent.
  ///
  /// ```swift
  /// let crew = Template {
  ///   Ship()
  ///   Child(sailor, by: MemberOf.self, Membership(role: .captain))
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - template: What the child is made from.
  ///   - relation: The relation from the child to its parent.
  ///   - value: The value that the link of each such child has.
  public init<R: Relation>(
    _ template: Template, by relation: R.Type, _ value: R.Value
  ) where R.Value: Component {
    (self.template, self.relation, self.value) = (template, relation, value)
  }
}
