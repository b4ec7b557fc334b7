public import ECS
public import JSONValues

/// A field that a recipe maps.
public struct RecipeField: Sendable {
  /// Where it is in the data.
  public let path: JSONPath

  /// The component.
  public let component: CID

  /// The key path from the component, such as `\User.name`.
  ///
  /// For a ``Whole``, the one to the component itself; nil for fields of ``AutomaticFields``, which
  /// have only names, and for a ``Flag``.
  public let keyPath: (any AnyKeyPath & Sendable)?

  /// The name, such as `User.name`.
  public let name: String

  /// The type of its values, without the optional; nil for fields of ``AutomaticFields``.
  public let valueType: (any Sendable.Type)?

  /// Whether it may be nil, which is written as `null`.
  public let isOptional: Bool

  /// Whether the data must have it for the component to be made.
  public let isRequired: Bool

  /// Whether it is only read from data and never written.
  public let isOneWay: Bool

  /// The name of the transformer.
  public let transformer: String

  /// What kind of data it accepts, such as `string`.
  public let expected: String

  /// Its value in the template of the component, as data; nil if there is no template.
  public let initial: JSONValue?

  /// Whether it is the identity of its recipe.
  public internal(set) var isIdentity = false
}

extension RecipeField {
  /// Whether the key path leads to the field.
  func isAbout(_ other: AnyKeyPath) -> Bool {
    guard let keyPath else { return false }
    return keyPath as AnyKeyPath == other
  }
}

extension RecipeField: Hashable {
  /// Whether both are the same field, mapped in the same way.
  public static func == (left: RecipeField, right: RecipeField) -> Bool {
    left.path == right.path && left.component == right.component
      && left.keyPath as AnyKeyPath? == right.keyPath as AnyKeyPath?
      && left.name == right.name && left.transformer == right.transformer
      && left.isOptional == right.isOptional && left.isRequired == right.isRequired
      && left.isOneWay == right.isOneWay && left.isIdentity == right.isIdentity
      && left.initial == right.initial
  }

  /// Feeds the place and the name to a hasher.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(path)
    hasher.combine(component)
    hasher.combine(name)
    hasher.combine(transformer)
  }
}

extension RecipeField: CustomStringConvertible {
  /// The path, the name and what it accepts, such as `contact.email: User.email, string, optional`.
  public var description: String {
    let traits = [
      (isIdentity, "identity"), (isOptional, "optional"), (isRequired, "required"),
      (isOneWay, "read-only"),
    ]
    return (["\(path): \(name)", expected] + traits.filter(\.0).map(\.1)).joined(separator: ", ")
  }
}
