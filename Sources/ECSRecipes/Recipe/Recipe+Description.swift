public import ECS

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

/// A relation that a recipe maps.
public struct RecipeRelation: Sendable {
  /// Where it is in the data.
  public let path: JSONPath

  /// The recipe of the related entities; the recipe itself, if it nests itself.
  public let recipe: Recipe

  /// Whether there may be more than one related entity.
  public let isMany: Bool

  /// How related entities are written.
  public let form: Nested.Form

  /// Whether related entities are parts, which are destroyed with the entity.
  public let isOwned: Bool

  /// Whether the recipe nests itself.
  public let isItself: Bool

  /// What the relation leads through.
  public let link: RecipeLink
}

extension RecipeRelation: CustomStringConvertible {
  /// The path, the recipe and the link, such as `author: one user as key, targets of WrittenBy`.
  public var description: String {
    "\(path): \(isMany ? "many" : "one") \(isItself ? "of itself" : recipe.name)"
      + "\(form == .key ? " as key" : ""), \(link.name)\(isOwned ? ", owned" : "")"
  }
}

/// A component that a recipe maps.
public struct RecipeComponent: Sendable {
  /// How a component is mapped.
  public enum Kind: Sendable, Hashable {
    /// By ``Fields``, or by a key that it is made from.
    case fields

    /// By ``AutomaticFields``.
    case automatic

    /// As a ``Flag``.
    case flag

    /// As a ``Whole``.
    case whole
  }

  /// The component.
  public let component: CID

  /// How it is mapped.
  public let kind: Kind

  /// What a new one starts from; nil if it is made only from data.
  public let template: (any Component)?

  /// The object that it comes and goes with; nil if there is none.
  public let presence: JSONPath?

  /// Its fields.
  public let fields: [RecipeField]

  var signature: [String] { ["\(kind)", component.name, presence.map { "\($0)" } ?? ""] }
}

extension Recipe {
  /// The components with their fields, in the order in which they are listed.
  ///
  /// - Complexity: O(*n*), where *n* is the number of fields.
  public var components: [RecipeComponent] {
    mappings.enumerated().map { number, mapping in
      var fields = mapping.fields
      if number == identityNumber { fields[identityField].isIdentity = true }
      return RecipeComponent(
        component: mapping.cid, kind: mapping.kind, template: mapping.anyTemplate,
        presence: mapping.presence, fields: fields)
    }
  }

  /// All fields, in the order in which they are listed.
  ///
  /// - Complexity: O(*n*), where *n* is their number.
  public var fields: [RecipeField] { components.flatMap(\.fields) }

  /// The field that identifies the entity that data is about; nil if there is none.
  public var key: RecipeField? { fields.first(where: \.isIdentity) }

  /// The relations, in the order in which they are listed.
  public var relations: [RecipeRelation] {
    nested.map { mapping in
      RecipeRelation(
        path: mapping.path, recipe: mapping.recipe(in: self), isMany: mapping.nested.isMany,
        form: mapping.nested.form, isOwned: mapping.nested.isOwned,
        isItself: mapping.nested.recipe == nil, link: mapping.nested.link)
    }
  }
}

extension Recipe: CustomStringConvertible {
  /// The name, and a line for each field and each relation.
  public var description: String {
    ([name.isEmpty ? "recipe" : "recipe \(name)"] + fields.map { "  \($0)" }
      + relations.map { "  \($0)" }).joined(separator: "\n")
  }
}
