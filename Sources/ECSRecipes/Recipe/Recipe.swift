import ECS

/// A mapping between JSON-like data and the components of entities, in both directions.
///
/// ```swift
/// let users = try Recipe("user") {
///   Identity(\UserID.value)
///   Fields(of: UserID(value: 0)) { Field(\.value, at: "id") }
///   Fields(of: User(name: "", email: nil)) {
///     Field(\.name, at: "name").required()
///     Field(\.email, at: "contact.emails[0]")
///   }
/// }
/// let mapper = Mapper(context)
/// try mapper.make(users, from: ["id": 7, "name": "Ada"])
/// ```
///
/// A recipe is a value, made once and used for any context by a ``Mapper``. It says:
///
/// - A key that is absent leaves the field as it is; so does a position that a list does not have.
/// - `null` clears an optional field, and is an error for any other; a container that is `null` is
///   that for all fields in it. Null alone makes no component.
/// - Another type than is wanted is an error. All is converted before anything is written, so an
///   error changes nothing.
/// - What is equal already is not written, and nobody is notified.
public struct Recipe: Sendable {
  /// What happens to keys of objects that no field and no relation is mapped to.
  public enum UnknownKeys: Sendable, Hashable {
    /// They are left alone.
    case ignore

    /// They are an error.
    case refuse
  }

  /// The name, for messages and ``RecipeBox``; may be empty.
  public let name: String

  /// What happens to keys that are not mapped.
  public let unknownKeys: UnknownKeys

  let mappings: [any ComponentMapping]
  let identity: (any IdentityMapping)?

  /// The position of the identity's component among the mappings.
  let identityNumber: Int?
  let identityPath: JSONPath?
  let nested: [NestedMapping]
  let leaves: [Shape.Leaf]
  let shape: Shape?
  let signatures: [Signature]

  /// Builds a recipe and checks it.
  ///
  /// - Parameters:
  ///   - name: The name, for messages and ``RecipeBox``.
  ///   - unknownKeys: What happens to keys that are not mapped.
  ///   - parts: The components with their fields, the identity and the relations.
  /// - Throws: ``RecipeDefinitionError``, if paths are none or contradict each other, a field is
  ///   mapped twice, or a transformer or the identity is about a field that is not mapped.
  public init(
    _ name: String = "", unknownKeys: UnknownKeys = .ignore,
    @RecipeBuilder _ parts: () -> [RecipePart]
  ) throws(RecipeDefinitionError) {
    self.name = name
    self.unknownKeys = unknownKeys
    var mappings: [any ComponentMapping] = []
    var identities: [any IdentityMapping] = []
    var nested: [NestedMapping] = []
    for part in parts() {
      switch part.content {
      case .component(let make):
        let mapping = try make(name)
        guard !mappings.contains(where: { $0.cid == mapping.cid }) else {
          throw RecipeDefinitionError(
            recipe: name, path: "\(mapping.leaves.first?.path ?? .root)",
            reason: .componentTwice(mapping.cid.name))
        }
        mappings.append(mapping)
      case .identity(let mapping): identities.append(mapping)
      case .nested(let relation): nested.append(try NestedMapping(relation, in: name))
      }
    }
    (self.mappings, self.nested) = (mappings, nested)
    (identity, identityNumber, identityPath) = try Recipe.checked(identities, mappings, name)
    leaves =
      mappings.flatMap(\.leaves) + nested.map { Shape.Leaf(path: $0.path, isOptional: true) }
    signatures =
      mappings.flatMap(\.signatures) + nested.map(\.signature)
      + identities.map { Signature(field: $0.keyPath) }
    do throws(Shape.Conflict) {
      shape = try Shape.joining(leaves)
    } catch {
      throw RecipeDefinitionError(recipe: name, path: "\(error.path)", reason: error.reason)
    }
  }

  private static func checked(
    _ identities: [any IdentityMapping], _ mappings: [any ComponentMapping], _ name: String
  ) throws(RecipeDefinitionError) -> ((any IdentityMapping)?, Int?, JSONPath?) {
    guard let identity = identities.first else { return (nil, nil, nil) }
    guard identities.count == 1 else {
      throw RecipeDefinitionError(recipe: name, path: "", reason: .identityTwice)
    }
    guard let number = mappings.firstIndex(where: { $0.cid == identity.cid }),
      let place = mappings[number].keyPaths.firstIndex(of: identity.keyPath)
    else {
      throw RecipeDefinitionError(
        recipe: name, path: "", reason: .identityUnmapped(identity.fieldName))
    }
    return (identity, number, mappings[number].leaves[place].path)
  }
}

extension Recipe: Equatable {
  /// What is compared of a field or relation.
  struct Signature: Hashable, @unchecked Sendable {
    // Immutable: a key path is made once and never changes; the owner is the recipe.
    var field: AnyKeyPath?
    var path = JSONPath.root
    var transformer = ""
    var isRequired = false
    var initial: JSONValue?
  }

  /// Whether both have the same name and map the same fields in the same way.
  ///
  /// Transformers are told apart by their types and names.
  public static func == (left: Recipe, right: Recipe) -> Bool {
    left.name == right.name && left.unknownKeys == right.unknownKeys
      && left.signatures == right.signatures
      && left.nested.map(\.nested.recipe) == right.nested.map(\.nested.recipe)
  }
}
