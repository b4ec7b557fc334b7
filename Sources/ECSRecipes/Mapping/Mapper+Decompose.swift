public import ECS
public import JSONValues

extension Mapper {
  /// Turns an entity back into data: what the recipe would make it from.
  ///
  /// Keys come in the order in which the recipe lists its fields. A component that the entity lacks
  /// is left out, or written as `null` if it comes and goes with its object. Fields that are only
  /// read are left out, unless `only` asks for them. Gaps in lists are filled with `null`. Applying
  /// the result changes nothing; it is refused if a related entity lacks the identity that its
  /// recipe requires.
  ///
  /// - Parameters:
  ///   - entity: The entity.
  ///   - recipe: The mapping.
  ///   - fields: The fields to write, without relations. By default, everything.
  /// - Returns: The data.
  /// - Throws: ``RecipeError``: ``RecipeError/Reason/oneWay(_:)`` if `only` asks for a field that
  ///   is only read, ``RecipeError/Reason/tooDeep`` if a recipe that nests itself reaches entities
  ///   that are related in a circle, ``RecipeError/Reason/gap`` if a list can't be written so that
  ///   reading it changes nothing.
  public func decompose(
    _ entity: Entity, with recipe: Recipe, only fields: [AnyKeyPath]? = nil
  ) throws(RecipeError) -> JSONValue {
    let selection = try recipe.selection(fields)
    return try context.sectionToRead { () throws(RecipeError) in
      guard entity.isAlive, entity.belongs(to: context) else {
        throw RecipeError(recipe: recipe.name, path: .root, reason: .deadEntity)
      }
      return try decomposed(entity, recipe, selection, 0)
    }
  }

  /// Whether an entity is certainly written as some data, which it was written as before.
  ///
  /// It is asked instead of writing the entity and comparing, so false is no mistake.
  ///
  /// - Complexity: O(*f*), where *f* is the number of fields.
  package func isWritten(_ entity: Entity, with recipe: Recipe, as data: JSONValue) -> Bool {
    guard recipe.definition.isFlat, case .object(let object) = data else { return false }
    let entries = object.entries
    return context.perform {
      guard entity.isAlive, entity.belongs(to: context) else { return false }
      var position = 0
      for mapping in recipe.mappings {
        guard mapping.isWritten(entity, in: entries, at: &position) else { return false }
      }
      return position == entries.list.count
    }
  }

  /// What an entity is written as, and the value of a link among its fields if there is one.
  // Entities nest as deeply as 64, on stacks as small as 512 KB: what does not nest is in functions
  // that have returned when the next entity begins.
  private func decomposed(
    _ entity: Entity, _ recipe: Recipe, _ selection: FieldSelection?, _ depth: Int,
    with link: MixedValue? = nil
  ) throws(RecipeError) -> JSONValue {
    if selection == nil, link == nil, depth <= Recipe.maximumNesting, recipe.definition.isFlat {
      return try decomposedFlat(entity, recipe)
    }
    var values = try fieldValues(of: entity, recipe, selection, depth)
    for relation in recipe.nested {
      // Of a relation that does not count there is nothing, not even null.
      if selection == nil {
        values.append(try targets(of: entity, relation, recipe, depth + 1))
      } else {
        values.append(nil)
      }
    }
    return try filled(values, of: entity, recipe, selection, with: link)
  }

  private func fieldValues(
    of entity: Entity, _ recipe: Recipe, _ selection: FieldSelection?, _ depth: Int
  ) throws(RecipeError) -> [JSONValue?] {
    guard depth <= Recipe.maximumNesting else {
      throw RecipeError(recipe: recipe.name, path: .root, reason: .tooDeep)
    }
    var values: [JSONValue?] = []
    values.reserveCapacity(recipe.leaves.count + recipe.definition.presenceMappings.count)
    do throws(TransformFailure) {
      for mapping in recipe.mappings {
        try mapping.encode(entity, only: selection, into: &values)
      }
    } catch {
      throw RecipeError(recipe: recipe.name, path: error.path, reason: error.reason)
    }
    return values
  }

  /// The data of an entity whose fields and targets have some values.
  private func filled(
    _ known: [JSONValue?], of entity: Entity, _ recipe: Recipe, _ selection: FieldSelection?,
    with link: MixedValue?
  ) throws(RecipeError) -> JSONValue {
    var values = known
    for number in recipe.definition.presenceMappings {
      let isThere = entity.has(recipe.mappings[number].cid)
      values.append(selection == nil ? .some(isThere ? .object([:]) : .null) : .none)
    }
    do throws(TransformFailure) {
      if let link { return try link.filled(values, known.count) ?? recipe.emptyData }
      return try recipe.shape?.filled(with: values, recipe.leaves) ?? recipe.emptyData
    } catch {
      throw RecipeError(recipe: recipe.name, path: error.path, reason: error.reason)
    }
  }

  // PERFORMANCE: Without the paths, most of which are one key (P3).
  private func decomposedFlat(
    _ entity: Entity, _ recipe: Recipe
  ) throws(RecipeError) -> JSONValue {
    var entries = JSONEntries(capacity: recipe.leaves.count)
    do throws(TransformFailure) {
      for mapping in recipe.mappings { try mapping.encode(entity, into: &entries) }
    } catch {
      throw RecipeError(recipe: recipe.name, path: error.path, reason: error.reason)
    }
    return entries.list.isEmpty ? recipe.emptyData : .object(JSONObject(entries))
  }

  private func targets(
    of entity: Entity, _ relation: NestedMapping, _ owner: Recipe, _ depth: Int
  ) throws(RecipeError) -> JSONValue {
    var values: [JSONValue] = []
    for (index, target) in relation.nested.link.targets(entity).enumerated() {
      do throws(RecipeError) {
        if relation.values?.shape == nil {
          values.append(try decomposed(target: target, of: relation, owner, depth))
        } else {
          values.append(try decomposedLink(from: entity, to: target, of: relation, owner, depth))
        }
      } catch {
        let path = relation.path
        throw error.below(relation.nested.isMany ? path.appending(index: index) : path)
      }
    }
    return relation.nested.isMany ? .array(values) : values.first ?? .null
  }

  /// The data of a link that has a value.
  private func decomposedLink(
    from entity: Entity, to target: Entity, of relation: NestedMapping, _ owner: Recipe,
    _ depth: Int
  ) throws(RecipeError) -> JSONValue {
    guard let values = relation.values else { return .null }
    let value = values.form.value(from: entity, to: target)
    let data: JSONValue
    do throws(RecipeError) {
      if relation.nested.form == .key, relation.keyPath != nil {
        data = try decomposed(target: target, of: relation, owner, depth)
      } else {
        let mixed = values.entityPath == nil ? MixedValue(values, value) : nil
        data = try decomposed(target, relation.recipe(in: owner), nil, depth, with: mixed)
        if mixed != nil { return data }
      }
    } catch {
      throw values.entityPath.map { error.below($0) } ?? error
    }
    return try filled(data, values, value, owner)
  }

  /// The data of a link, with that of its entity and its value beside.
  private func filled(
    _ entity: JSONValue, _ values: NestedValues, _ value: (any Component)?, _ owner: Recipe
  ) throws(RecipeError) -> JSONValue {
    do throws(TransformFailure) {
      return try values.filled([entity], [], value) ?? .object([:])
    } catch {
      throw RecipeError(recipe: owner.name, path: error.path, reason: error.reason)
    }
  }

  private func decomposed(
    target: Entity, of relation: NestedMapping, _ owner: Recipe, _ depth: Int
  ) throws(RecipeError) -> JSONValue {
    let recipe = relation.recipe(in: owner)
    guard relation.nested.form == .key, let keyPath = relation.keyPath else {
      return try decomposed(target, recipe, nil, depth)
    }
    let selection = FieldSelection([]).adding(recipe.identity?.keyPath)
    guard let key = try decomposed(target, recipe, selection, depth)[keyPath] else {
      throw RecipeError(recipe: recipe.name, path: .root, reason: .missing)
    }
    return key
  }
}

/// The value of a link that is written among the fields of an entity.
private final class MixedValue {
  private let values: NestedValues
  private let value: (any Component)?

  init(_ values: NestedValues, _ value: (any Component)?) {
    (self.values, self.value) = (values, value)
  }

  /// The data of both, of what there is of the entity, of which so many are places.
  func filled(_ all: [JSONValue?], _ count: Int) throws(TransformFailure) -> JSONValue? {
    try values.filled(Array(all[..<count]), Array(all[count...]), value)
  }
}

extension Recipe {
  /// What an entity without any of the components is written as.
  var emptyData: JSONValue {
    switch shape {
    case .array: .array([])
    case .leaf: .null
    case .presence: .null
    case .object, nil: .object([:])
    }
  }
}
