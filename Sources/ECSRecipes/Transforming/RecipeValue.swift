/// A type that fields can have without naming a transformer.
public protocol RecipeValue: Sendable, Equatable {
  /// What turns JSON-like values into values of this type, and back.
  static var transformer: Transformer<Self> { get }
}
