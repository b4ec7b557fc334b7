/// The syntax of ``Component/requires``: components, one below the other, also in conditions.
@resultBuilder
public enum RequirementBuilder {
  /// A component, which may be removed freely.
  public static func buildExpression<C: Component>(
    _ component: @autoclosure @escaping @Sendable () -> C
  ) -> Requirement {
    Requirement(making: component, whenRemoved: .free)
  }

  /// A component with a rule for removing it, or several.
  public static func buildExpression(_ requirement: Requirement) -> Requirement { requirement }

  /// Components, one after the other.
  public static func buildBlock(_ requirements: Requirement...) -> Requirement {
    Requirement(parts: requirements.flatMap(\.parts))
  }

  /// The components of a condition that may not hold.
  public static func buildOptional(_ requirement: Requirement?) -> Requirement {
    requirement ?? Requirement()
  }

  /// The components of a condition that holds.
  public static func buildEither(first requirement: Requirement) -> Requirement { requirement }

  /// The components of a condition that does not hold.
  public static func buildEither(second requirement: Requirement) -> Requirement { requirement }
}
