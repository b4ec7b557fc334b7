import ECS
import JSONValues

/// The checked parts of a recipe.
final class RecipeDefinition: Sendable {
  /// The identity: the position of its component, and that of the field therein.
  struct Position: Sendable {
    var mapping: Int
    var field: Int
  }

  let name: String
  let unknownKeys: Recipe.UnknownKeys

  /// The parts as they were given.
  let parts: [RecipePart]
  let mappings: [any ComponentMapping]
  let identity: (any IdentityMapping)?
  let identityPosition: Position?
  let identityPath: JSONPath?

  /// The description of the identity; nil if there is none.
  let key: RecipeField?
  let nested: [NestedMapping]
  let hasHierarchies: Bool

  /// Whether nested entities belong to the entity, and end with it.
  let hasParts: Bool
  let leaves: [Shape.Leaf]
  let shape: Shape?

  /// Whether each value stands at a key of the outermost object, and none is that of a relation.
  let isFlat: Bool

  /// What records have if they are written as they were read; nil if that is not known.
  let plainFields: PlainFields?

  /// How the identity stands in data; nil if that is not known.
  let plainKey: PlainForm?

  /// How records are carried out without a plan; nil if they need one.
  let layout: RecordLayout?

  /// The number of places of components that come and go, which follow those of the leaves.
  let presenceMappings: [Int]

  /// The objects that these components come and go with.
  let presences: [JSONPath]

  init(
    _ name: String, _ unknownKeys: Recipe.UnknownKeys, _ parts: [RecipePart]
  ) throws(RecipeDefinitionError) {
    (self.name, self.unknownKeys, self.parts) = (name, unknownKeys, parts)
    mappings = try RecipeDefinition.mappings(parts, name)
    (identity, identityPosition, identityPath) = try RecipeDefinition.identity(
      parts, mappings, name)
    key = identityPosition.map { [mappings] position in
      var field = mappings[position.mapping].fields[position.field]
      field.isIdentity = true
      return field
    }
    var nested: [NestedMapping] = []
    for case .nested(let relation) in parts.map(\.content) {
      guard !nested.contains(where: { $0.nested.link.name == relation.link.name }) else {
        throw RecipeDefinitionError(
          recipe: name, path: "\(try relation.location.path(in: name))",
          reason: .relationMappedTwice(relation.link.name))
      }
      nested.append(try NestedMapping(relation, in: name, ownKeyPath: identityPath))
    }
    hasHierarchies = nested.contains { $0.nested.link.hierarchy != nil }
    hasParts = nested.contains(where: \.nested.isOwned)
    leaves =
      mappings.flatMap(\.leaves) + nested.map { Shape.Leaf(path: $0.path, isOptional: true) }
    presenceMappings = mappings.indices.filter { [mappings] in mappings[$0].presence != nil }
    presences = presenceMappings.compactMap { [mappings] in mappings[$0].presence }
    isFlat = nested.isEmpty && mappings.allSatisfy { $0.keys != nil }
    plainFields = isFlat ? PlainFields(mappings) : nil
    plainKey = identityPosition.flatMap { [mappings] in mappings[$0.mapping].plainForms[$0.field] }
    do throws(Shape.Conflict) {
      shape = try Shape.joining(leaves, presences: presences)
    } catch {
      throw RecipeDefinitionError(recipe: name, path: "\(error.path)", reason: error.reason)
    }
    for index in nested.indices where nested[index].values != nil {
      nested[index] = try nested[index].joined(in: name, leaves, presences)
    }
    self.nested = nested
    layout = RecordLayout(
      RecordLayout.Parts(
        mappings: mappings, identity: identity, identityPosition: identityPosition, nested: nested,
        unknownKeys: unknownKeys, shape: shape))
  }

  /// What matters of it where it is nested in another one.
  var layoutParts: RecordLayout.Parts {
    RecordLayout.Parts(
      mappings: mappings, identity: identity, identityPosition: identityPosition, nested: nested,
      unknownKeys: unknownKeys, shape: shape)
  }

  private static func mappings(
    _ parts: [RecipePart], _ name: String
  ) throws(RecipeDefinitionError) -> [any ComponentMapping] {
    var components: [any ComponentPart] = []
    for case .component(let part) in parts.map(\.content) {
      guard let index = components.firstIndex(where: { $0.cid == part.cid }) else {
        components.append(part)
        continue
      }
      // An identity stands with the other fields of its component.
      let earlier = components[index]
      guard earlier is any KeyPart || part is any KeyPart,
        let joined = earlier is any KeyPart
          ? earlier.joined(with: part) : part.joined(with: earlier)
      else {
        throw RecipeDefinitionError(
          recipe: name, path: "\(try part.mapping(in: name).leaves.first?.path ?? .root)",
          reason: .componentTwice(part.cid.name))
      }
      components[index] = joined
    }
    var mappings: [any ComponentMapping] = []
    for part in components { mappings.append(try part.mapping(in: name)) }
    return mappings
  }

  private static func identity(
    _ parts: [RecipePart], _ mappings: [any ComponentMapping], _ name: String
  ) throws(RecipeDefinitionError) -> ((any IdentityMapping)?, Position?, JSONPath?) {
    let identities = parts.compactMap { part in
      if case .identity(let identity) = part.content { identity } else { nil }
    }
    guard let identity = identities.first else { return (nil, nil, nil) }
    guard identities.count == 1 else {
      throw RecipeDefinitionError(recipe: name, path: "", reason: .identityTwice)
    }
    guard let position = mappings.firstIndex(where: { $0.cid == identity.cid }),
      let index = mappings[position].fields.firstIndex(where: { $0.isAbout(identity.keyPath) })
    else {
      throw RecipeDefinitionError(
        recipe: name, path: "", reason: .identityUnmapped(identity.fieldName))
    }
    let leaf = mappings[position].leaves[index]
    guard !leaf.isOptional, mappings[position].presence == nil else {
      throw RecipeDefinitionError(
        recipe: name, path: "\(leaf.path)", reason: .identityOptional(identity.fieldName))
    }
    return (identity, Position(mapping: position, field: index), leaf.path)
  }
}
