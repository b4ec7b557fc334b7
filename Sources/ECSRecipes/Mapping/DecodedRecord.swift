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

  init(
    _ recipe: Recipe, _ data: JSONValue, at path: JSONPath, only selection: FieldSelection? = nil,
    isReference: Bool = false, depth: Int = 0
  ) throws(RecipeError) {
    self.recipe = recipe
    self.path = path
    self.isReference = isReference
    isSelective = selection != nil
    guard depth <= Recipe.maximumNesting else {
      throw RecipeError(recipe: recipe.name, path: path, reason: .tooDeep)
    }
    do throws(TransformFailure) {
      try DecodedRecord.checkOutermost(recipe, data)
      patches = try DecodedRecord.patches(recipe, data, selection)
    } catch {
      throw RecipeError(recipe: recipe.name, path: path.appending(error.path), reason: error.reason)
    }
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
    _ recipe: Recipe, _ data: JSONValue
  ) throws(TransformFailure) {
    if data.isNull {
      switch recipe.shape {
      case .object, .presence: throw .mismatch(expected: "object", found: data)
      case .array: throw .mismatch(expected: "array", found: data)
      case .leaf, nil: break
      }
    }
    if recipe.unknownKeys == .refuse, let path = recipe.shape?.firstUnknownKey(in: data) {
      throw TransformFailure(.unknownKey, at: path)
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
    let value: JSONValue?
    do throws(TransformFailure) {
      value = try data.lookUp(relation.path)
    } catch {
      throw RecipeError(recipe: recipe.name, path: path.appending(error.path), reason: error.reason)
    }
    guard let value else { return nil }
    let fullPath = path.appending(relation.path)
    if !relation.nested.isMany {
      return value.isNull
        ? [] : [try target(of: relation, recipe, value, at: fullPath, depth)]
    }
    guard case .array(let elements) = value else {
      throw RecipeError(
        recipe: recipe.name, path: fullPath,
        reason: .typeMismatch(expected: "array", found: value.kind))
    }
    var targets: [DecodedRecord] = []
    targets.reserveCapacity(elements.count)
    for (index, element) in elements.enumerated() {
      targets.append(
        try target(
          of: relation, recipe, element, at: fullPath.appending(index: index), depth))
    }
    return targets
  }

  private static func target(
    of relation: NestedMapping, _ owner: Recipe, _ value: JSONValue, at path: JSONPath,
    _ depth: Int
  ) throws(RecipeError) -> DecodedRecord {
    let recipe = relation.recipe(in: owner)
    guard relation.nested.form == .key, let keyPath = relation.keyPath else {
      switch (value, recipe.shape) {
      case (.string, .object?), (.number, .object?):
        guard recipe.identity != nil else { break }
        throw RecipeError(
          recipe: recipe.name, path: path, reason: .keyInsteadOfObject(found: value.kind))
      default: break
      }
      return try DecodedRecord(recipe, value, at: path, depth: depth)
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
