import ECS
import JSONValues

/// The checked mapping of the values of the links of a ``Nested``.
// An object, since relations are passed on where recursion is deep.
final class NestedValues: Sendable {
  let form: LinkValueForm

  /// Nil if data says nothing about values.
  let mapping: (any ComponentMapping)?

  /// Where the entity is in the data of a link; nil if all of that is the entity's.
  let entityPath: JSONPath?

  /// The places in the data of a link: of the entity, or of all that there is of it, and of the
  /// value; nil until the places of the entity are known, and if there is nothing but the entity.
  let shape: Shape?
  private let leaves: [Shape.Leaf]

  init(_ form: LinkValueForm, in recipe: String) throws(RecipeDefinitionError) {
    self.form = form
    entityPath = try form.location?.path(in: recipe)
    (shape, leaves) = (nil, [])
    guard let part = form.part else {
      mapping = nil
      return
    }
    guard case .component(let component) = part.content, component.cid == form.cid else {
      throw RecipeDefinitionError(recipe: recipe, path: "", reason: .otherValues(form.cid.name))
    }
    mapping = try component.mapping(in: recipe)
  }

  /// Whether the value stands among the fields of the entity.
  var areMixed: Bool { entityPath == nil && mapping != nil }

  /// The same with its places put together, those of the entity being these if value and entity
  /// are mixed.
  func joined(
    _ others: [Shape.Leaf], presences otherPresences: [JSONPath]
  ) throws(Shape.Conflict) -> NestedValues {
    guard entityPath != nil || mapping != nil else { return self }
    let leaves =
      (entityPath.map { [Shape.Leaf(path: $0, isOptional: false)] } ?? others)
      + (mapping?.leaves ?? [])
    let presences =
      (entityPath == nil ? otherPresences : []) + (mapping?.presence.map { [$0] } ?? [])
    return NestedValues(self, leaves, try Shape.joining(leaves, presences: presences))
  }

  private init(_ other: NestedValues, _ leaves: [Shape.Leaf], _ shape: Shape?) {
    (form, mapping, entityPath) = (other.form, other.mapping, other.entityPath)
    (self.leaves, self.shape) = (leaves, shape)
  }

  /// The entity's part of the data of a link, if there is any.
  func entityData(in link: JSONValue) throws(TransformFailure) -> JSONValue? {
    guard let entityPath else { return link }
    return try link.lookUp(entityPath)
  }

  /// What the data of a link says about its entity and about its value.
  func read(
    _ link: JSONValue, refusesUnknownKeys: Bool
  ) throws(TransformFailure) -> (entity: JSONValue, patch: (any Patch)?) {
    if entityPath != nil {
      if link.isNull { throw .mismatch(expected: shape?.expected ?? "object", found: link) }
      if refusesUnknownKeys, let path = shape?.firstUnknownKey(in: link) {
        throw TransformFailure(.unknownKey, at: path)
      }
    }
    guard let entity = try entityData(in: link) else {
      throw TransformFailure(.missing, at: entityPath ?? .root)
    }
    // Null in place of the entity is reported as such, whatever there is for a value.
    if entityPath == nil, link.isNull { return (entity, nil) }
    let patch = try mapping?.decode(link, only: nil)
    if let patch, patch.isRemoval {
      let field = mapping?.fields.first
      throw TransformFailure(
        .typeMismatch(expected: field?.expected ?? "object", found: .null),
        at: mapping?.presence ?? field?.path ?? .root)
    }
    return (entity, patch)
  }

  /// The data of a link, of all there is of its entity and of its value.
  func filled(
    _ entity: [JSONValue?], _ presences: [JSONValue?], _ value: (any Component)?
  ) throws(TransformFailure) -> JSONValue? {
    var values = entity
    try mapping?.encode(value.map { [$0] } ?? [], into: &values)
    values += presences
    if mapping?.presence != nil { values.append(value == nil ? .null : .object([:])) }
    return try shape?.filled(with: values, leaves)
  }
}
