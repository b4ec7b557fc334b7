import JSONValues

/// A mapping between JSON-like data and the components of entities, in both directions.
///
/// ```swift
/// let users = try Recipe("user") {
///   Identity(\UserID.value, at: "id", of: UserID(value: 0))
///   Fields(of: User(name: "", email: nil)) {
///     Field(\.name, at: "name").required()
///     Field(\.email, at: "contact.emails[0]")
///   }
/// }
/// let mapper = Mapper(context)
/// try mapper.make(users, from: ["id": 7, "name": "Ada"])
/// ```
///
/// A recipe is a value, made once and used for any context by a ``Mapper``. Its rules:
///
/// - A key that is absent leaves the field as it is; so does a position beyond the end of a list.
/// - `null` clears an optional field, and is an error for any other; a container that is `null`
///   counts as `null` for all fields in it. `null` alone makes no component.
/// - A value of the wrong type is an error. Everything is converted before anything is written, so
///   an error changes nothing.
/// - Values that are already equal are not written, and no observer is notified.
///
/// It can be read: ``fields``, ``relations`` and ``components`` say what it maps. Derive others
/// from it with ``adding(_:)``, ``removing(at:)`` and ``renaming(_:)``.
public struct Recipe: Sendable {
  /// A rule for keys of objects that no field and no relation is mapped to.
  public enum UnknownKeys: Sendable, Hashable {
    /// They are ignored.
    case ignore

    /// They are an error.
    case refuse
  }

  /// How deep entities may be nested in each other by recipes that nest themselves.
  public static let maximumNesting = RecipeError.maximumNesting

  /// The name, for messages and ``RecipeBox``; may be empty.
  public var name: String { definition.name }

  /// What happens to keys that are not mapped.
  public var unknownKeys: UnknownKeys { definition.unknownKeys }

  // PERFORMANCE: One object, since each record that is applied passes its recipe on (P1).
  let definition: RecipeDefinition

  var mappings: [any ComponentMapping] { definition.mappings }
  var identity: (any IdentityMapping)? { definition.identity }
  var identityNumber: Int? { definition.identityPosition?.mapping }
  var identityField: Int { definition.identityPosition?.field ?? 0 }
  var identityPath: JSONPath? { definition.identityPath }
  var nested: [NestedMapping] { definition.nested }
  var hasHierarchies: Bool { definition.hasHierarchies }
  var hasParts: Bool { definition.hasParts }
  var leaves: [Shape.Leaf] { definition.leaves }
  var shape: Shape? { definition.shape }

  /// Builds a recipe and checks it.
  ///
  /// - Parameters:
  ///   - name: The name, for messages and ``RecipeBox``.
  ///   - unknownKeys: What happens to keys that are not mapped.
  ///   - parts: The components with their fields, the identity and the relations.
  /// - Throws: ``RecipeDefinitionError`` if paths are invalid or contradict each other, a field or
  ///   a relation is mapped twice, a transformer or the identity names a field that is not mapped,
  ///   or the identity is optional.
  public init(
    _ name: String = "", unknownKeys: UnknownKeys = .ignore,
    @RecipeBuilder _ parts: () -> [RecipePart]
  ) throws(RecipeDefinitionError) {
    definition = try RecipeDefinition(name, unknownKeys, parts())
  }

  init(_ definition: RecipeDefinition) { self.definition = definition }
}

extension Recipe: Hashable {
  /// Whether both have the same name and map the same fields in the same way.
  ///
  /// Transformers are distinguished by their types and names, links by their names.
  public static func == (left: Recipe, right: Recipe) -> Bool {
    if left.definition === right.definition { return true }
    return left.name == right.name && left.unknownKeys == right.unknownKeys
      && left.fields == right.fields && left.signatures == right.signatures
      && left.components.map(\.signature) == right.components.map(\.signature)
  }

  /// Feeds what is compared to a hasher.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(name)
    hasher.combine(unknownKeys)
    hasher.combine(fields)
    hasher.combine(signatures)
  }

  /// The parts of a relation that are compared.
  private struct Signature: Hashable {
    var path: JSONPath
    var link: String
    var isMany: Bool
    var isOwned: Bool
    var form: Nested.Form
    var recipe: Recipe?
    var entityPath: JSONPath?
    var values: [RecipeField]?
  }

  private var signatures: [Signature] {
    nested.map {
      Signature(
        path: $0.path, link: $0.nested.link.name, isMany: $0.nested.isMany,
        isOwned: $0.nested.isOwned, form: $0.nested.form, recipe: $0.nested.recipe,
        entityPath: $0.values?.entityPath, values: $0.values?.mapping?.fields)
    }
  }
}
