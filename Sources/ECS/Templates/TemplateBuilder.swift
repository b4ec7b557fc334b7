/// The syntax of the parts of a ``Template``: components and children, one below the other, also in
/// conditions and loops.
@resultBuilder
public enum TemplateBuilder {
  /// A component.
  public static func buildExpression(_ component: some Component) -> [TemplatePart] {
    [TemplatePart(content: .component(component))]
  }

  /// A component of a type that is not known.
  @_disfavoredOverload
  public static func buildExpression(_ component: any Component) -> [TemplatePart] {
    [TemplatePart(content: .component(component))]
  }

  /// A child.
  public static func buildExpression(_ child: Child) -> [TemplatePart] {
    [TemplatePart(content: .child(child))]
  }

  /// Parts, one after the other.
  public static func buildBlock(_ parts: [TemplatePart]...) -> [TemplatePart] {
    parts.flatMap(\.self)
  }

  /// The parts of a condition that may not hold.
  public static func buildOptional(_ parts: [TemplatePart]?) -> [TemplatePart] { parts ?? [] }

  /// The parts of a condition that holds.
  public static func buildEither(first parts: [TemplatePart]) -> [TemplatePart] { parts }

  /// The parts of a condition that does not hold.
  public static func buildEither(second parts: [TemplatePart]) -> [TemplatePart] { parts }

  /// The parts of a loop.
  public static func buildArray(_ parts: [[TemplatePart]]) -> [TemplatePart] {
    parts.flatMap(\.self)
  }
}
