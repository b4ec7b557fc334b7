import ECS

/// The checked parts of a recipe.
final class RecipeDefinition: Sendable {
  /// Where the identity stands: the position of its component, and that of the field therein.
  struct Place: Sendable {
    var mapping: Int
    var field: Int
  }

  let name: String
  let unknownKeys: Recipe.UnknownKeys
  let mappings: [any ComponentMapping]
  let identity: (any IdentityMapping)?
  let identityPlace: Place?
  let identityPath: JSONPath?
  let nested: [NestedMapping]
  let hasHierarchies: Bool
  let leaves: [Shape.Leaf]
  let shape: Shape?
  let signatures: [Recipe.Signature]

  init(
    _ name: String, _ unknownKeys: Recipe.UnknownKeys, _ parts: [RecipePart]
  ) throws(RecipeDefinitionError) {
    self.name = name
    self.unknownKeys = unknownKeys
    var mappings: [any ComponentMapping] = []
    var identities: [any IdentityMapping] = []
    var nested: [NestedMapping] = []
    for part in parts {
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
      case .nested(let relation):
        guard !nested.contains(where: { $0.nested.link.name == relation.link.name }) else {
          throw RecipeDefinitionError(
            recipe: name, path: relation.path, reason: .relationMappedTwice(relation.link.name))
        }
        nested.append(try NestedMapping(relation, in: name))
      }
    }
    (self.mappings, self.nested) = (mappings, nested)
    hasHierarchies = nested.contains { $0.nested.link.hierarchy != nil }
    (identity, identityPlace, identityPath) = try RecipeDefinition.checked(
      identities, mappings, name)
    leaves =
      mappings.flatMap(\.leaves) + nested.map { Shape.Leaf(path: $0.path, isOptional: true) }
    signatures =
      mappings.flatMap(\.signatures) + nested.map(\.signature)
      + identities.map { Recipe.Signature(field: $0.keyPath) }
    do throws(Shape.Conflict) {
      shape = try Shape.joining(leaves)
    } catch {
      throw RecipeDefinitionError(recipe: name, path: "\(error.path)", reason: error.reason)
    }
  }

  private static func checked(
    _ identities: [any IdentityMapping], _ mappings: [any ComponentMapping], _ name: String
  ) throws(RecipeDefinitionError) -> ((any IdentityMapping)?, Place?, JSONPath?) {
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
    let leaf = mappings[number].leaves[place]
    guard !leaf.isOptional else {
      throw RecipeDefinitionError(
        recipe: name, path: "\(leaf.path)", reason: .identityOptional(identity.fieldName))
    }
    return (identity, Place(mapping: number, field: place), leaf.path)
  }
}
