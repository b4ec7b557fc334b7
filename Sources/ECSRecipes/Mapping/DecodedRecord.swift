import JSONValues

/// A record about an entity, converted but not applied.
// PERFORMANCE: An object, since records are passed on often (P1, P2).
final class DecodedRecord {
  let recipe: Recipe

  /// Where the data stands.
  let path: JSONPath

  /// One for each component of the recipe; nil if the data says nothing about it.
  let patches: [(any Patch)?]

  /// One for each relation of the recipe; nil if the data says nothing about it.
  let targets: [[DecodedRecord]?]

  /// Whether it only names an entity by its key.
  let isReference: Bool

  /// Whether only some fields count.
  let isSelective: Bool

  /// What the data says about the value of the link by which it is nested, and where that stands.
  private(set) var linkPatch: (any Patch)?
  private(set) var linkPath: JSONPath = .root

  init(
    _ recipe: Recipe, _ data: JSONValue, at path: JSONPath, only selection: FieldSelection? = nil,
    isReference: Bool = false, depth: Int = 0, shape: Shape? = nil
  ) throws(RecipeError) {
    self.recipe = recipe
    self.path = path
    self.isReference = isReference
    isSelective = selection != nil
    // Records nest as deeply as 64, on stacks as small as 512 KB: what does not nest is in
    // functions that have returned when the next record begins.
    patches = try DecodedRecord.checkedPatches(recipe, data, at: path, selection, depth, shape)
    var targets: [[DecodedRecord]?] = []
    for relation in recipe.nested {
      // A selection of fields leaves relations out.
      targets.append(
        selection == nil
          ? try DecodedRecord.targets(of: relation, recipe, data, at: path, depth + 1)
          : nil)
    }
    self.targets = targets
  }

  /// A record of which all is known.
  init(
    _ recipe: Recipe, at path: JSONPath, _ patches: [(any Patch)?], _ targets: [[DecodedRecord]?],
    isReference: Bool
  ) {
    (self.recipe, self.path, self.patches, self.targets) = (recipe, path, patches, targets)
    (self.isReference, isSelective) = (isReference, isReference)
  }

  static func checkOutermost(
    _ recipe: Recipe, _ data: JSONValue, _ shape: Shape?
  ) throws(TransformFailure) {
    if data.isNull {
      switch shape {
      case .object, .presence: throw .mismatch(expected: "object", found: data)
      case .array: throw .mismatch(expected: "array", found: data)
      case .leaf, nil: break
      }
    }
    if recipe.unknownKeys == .refuse, let path = shape?.firstUnknownKey(in: data) {
      throw TransformFailure(.unknownKey, at: path)
    }
  }

  private static func checkedPatches(
    _ recipe: Recipe, _ data: JSONValue, at path: JSONPath, _ selection: FieldSelection?,
    _ depth: Int, _ shape: Shape?
  ) throws(RecipeError) -> [(any Patch)?] {
    guard depth <= Recipe.maximumNesting else {
      throw RecipeError(recipe: recipe.name, path: path, reason: .tooDeep)
    }
    do throws(TransformFailure) {
      try checkOutermost(recipe, data, shape ?? recipe.shape)
      return try patches(recipe, data, selection)
    } catch {
      throw RecipeError(recipe: recipe.name, path: path.appending(error.path), reason: error.reason)
    }
  }

  static func patches(
    _ recipe: Recipe, _ data: JSONValue, _ selection: FieldSelection?
  ) throws(TransformFailure) -> [(any Patch)?] {
    let mappings = recipe.mappings
    var patches: [(any Patch)?] = []
    patches.reserveCapacity(mappings.count)
    for (index, mapping) in mappings.enumerated() {
      // The identity says which entity it is, whatever else is selected.
      let isIdentity = index == recipe.identityNumber
      let selection = isIdentity ? selection?.adding(recipe.identity?.keyPath) : selection
      patches.append(try mapping.decode(data, only: selection))
    }
    return patches
  }

  private static func targets(
    of relation: NestedMapping, _ recipe: Recipe, _ data: JSONValue, at path: JSONPath,
    _ depth: Int
  ) throws(RecipeError) -> [DecodedRecord]? {
    guard let links = try links(of: relation, recipe, data, at: path) else { return nil }
    var targets: [DecodedRecord] = []
    targets.reserveCapacity(links.count)
    for var link in links {
      if let values = relation.values { try readValue(of: &link, values, of: relation, recipe) }
      let record = try target(
        of: relation, recipe, link.data, at: link.path, depth, shape: link.shape)
      (record.linkPatch, record.linkPath) = (link.patch, link.linkPath)
      targets.append(record)
    }
    return targets
  }

  /// The data of an entity to which a relation leads.
  private struct LinkData {
    var data: JSONValue
    var path: JSONPath

    /// What the data says about the value of the link, and where that stands.
    var patch: (any Patch)?
    var linkPath: JSONPath = .root

    /// The shape of the data of an entity that the value of the link is mixed with.
    var shape: Shape?
  }

  /// The data of what a relation leads to; nil if the data says nothing of it.
  private static func links(
    of relation: NestedMapping, _ recipe: Recipe, _ data: JSONValue, at path: JSONPath
  ) throws(RecipeError) -> [LinkData]? {
    let value: JSONValue?
    do throws(TransformFailure) {
      value = try data.lookUp(relation.path)
    } catch {
      throw RecipeError(recipe: recipe.name, path: path.appending(error.path), reason: error.reason)
    }
    guard let value else { return nil }
    let fullPath = path.appending(relation.path)
    var links: [LinkData] = []
    if !relation.nested.isMany {
      if !value.isNull { links = [LinkData(data: value, path: fullPath)] }
    } else if case .array(let elements) = value {
      for (index, element) in elements.enumerated() {
        links.append(LinkData(data: element, path: fullPath.appending(index: index)))
      }
    } else {
      throw RecipeError(
        recipe: recipe.name, path: fullPath,
        reason: .typeMismatch(expected: "array", found: value.kind))
    }
    return links
  }

  /// Takes the value of a link out of its data.
  private static func readValue(
    of link: inout LinkData, _ values: NestedValues, of relation: NestedMapping, _ owner: Recipe
  ) throws(RecipeError) {
    let path = link.path
    if values.areMixed { try checkIsNoKey(link.data, relation.recipe(in: owner), at: path) }
    do throws(TransformFailure) {
      (link.data, link.patch) = try values.read(
        link.data, refusesUnknownKeys: owner.unknownKeys == .refuse)
    } catch {
      throw RecipeError(recipe: owner.name, path: path.appending(error.path), reason: error.reason)
    }
    link.linkPath = path
    if let entityPath = values.entityPath { link.path = path.appending(entityPath) }
    if values.areMixed { link.shape = values.shape }
  }

  /// Throws if there is a key in place of the object of an entity that has one.
  private static func checkIsNoKey(
    _ value: JSONValue, _ recipe: Recipe, at path: JSONPath
  ) throws(RecipeError) {
    switch (value, recipe.shape) {
    case (.string, .object?), (.number, .object?):
      guard recipe.identity != nil else { break }
      throw RecipeError(
        recipe: recipe.name, path: path, reason: .keyInsteadOfObject(found: value.kind))
    default: break
    }
  }

  private static func target(
    of relation: NestedMapping, _ owner: Recipe, _ value: JSONValue, at path: JSONPath,
    _ depth: Int, shape: Shape? = nil
  ) throws(RecipeError) -> DecodedRecord {
    let recipe = relation.recipe(in: owner)
    guard relation.nested.form == .key, let keyPath = relation.keyPath else {
      try checkIsNoKey(value, recipe, at: path)
      return try DecodedRecord(recipe, value, at: path, depth: depth, shape: shape)
    }
    do throws(RecipeError) {
      let data = value.wrapped(at: keyPath)
      let keyOnly = FieldSelection([])
      return try DecodedRecord(
        recipe, data, at: .root, only: keyOnly, isReference: true)
    } catch {
      throw RecipeError(recipe: recipe.name, path: path, reason: error.reason)
    }
  }
}

extension JSONValue {
  /// The value that has this one at a path, and nothing else.
  func wrapped(at path: JSONPath) -> JSONValue {
    var value = self
    for step in path.steps.reversed() {
      switch step {
      case .key(let key): value = .object(JSONObject(uniqueKeysWithValues: [(key, value)]))
      case .index(let index): value = .array(Array(repeating: .null, count: index) + [value])
      }
    }
    return value
  }
}
