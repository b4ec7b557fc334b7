public import ECS

extension Mapper {
  /// Turns an entity back into data: what the recipe would make it of.
  ///
  /// Keys come in the order in which the recipe lists its fields. A component that the entity lacks
  /// is left out; gaps in lists are filled with `null`. Applying the result changes nothing; it is
  /// refused if a related entity lacks the identity that its recipe asks for.
  ///
  /// - Parameters:
  ///   - entity: The entity.
  ///   - recipe: The mapping.
  ///   - fields: The fields that count, without relations. By default, all count.
  /// - Returns: The data.
  /// - Throws: ``RecipeError``: ``RecipeError/Reason/oneWay(_:)`` if a transformer can't write,
  ///   ``RecipeError/Reason/gap`` if a list can't be written so that reading it changes nothing.
  public func decompose(
    _ entity: Entity, with recipe: Recipe, only fields: [AnyKeyPath]? = nil
  ) throws(RecipeError) -> JSONValue {
    let selection = try recipe.selection(fields)
    return try context.perform { () throws(RecipeError) in
      guard entity.isAlive, entity.context === context else {
        throw RecipeError(recipe: recipe.name, path: .root, reason: .deadEntity)
      }
      return try decomposed(entity, recipe, selection)
    }
  }

  private func decomposed(
    _ entity: Entity, _ recipe: Recipe, _ selection: FieldSelection?
  ) throws(RecipeError) -> JSONValue {
    var values: [JSONValue?] = []
    values.reserveCapacity(recipe.leaves.count)
    do throws(TransformFailure) {
      for mapping in recipe.mappings {
        values += try mapping.encode(entity, only: selection)
      }
    } catch {
      throw RecipeError(recipe: recipe.name, path: error.path, reason: error.reason)
    }
    for relation in recipe.nested {
      values.append(selection == nil ? try targets(of: entity, relation) : nil)
    }
    do throws(TransformFailure) {
      return try recipe.shape?.filled(with: values, recipe.leaves) ?? recipe.emptyData
    } catch {
      throw RecipeError(recipe: recipe.name, path: error.path, reason: error.reason)
    }
  }

  private func targets(
    of entity: Entity, _ relation: NestedMapping
  ) throws(RecipeError) -> JSONValue {
    var values: [JSONValue] = []
    for (index, target) in relation.nested.link.targets(entity).enumerated() {
      do throws(RecipeError) {
        values.append(try decomposed(target: target, of: relation))
      } catch {
        let place = relation.path
        throw error.below(relation.nested.isMany ? place.appending(index: index) : place)
      }
    }
    return relation.nested.isMany ? .array(values) : values.first ?? .null
  }

  private func decomposed(
    target: Entity, of relation: NestedMapping
  ) throws(RecipeError) -> JSONValue {
    let recipe = relation.nested.recipe
    guard relation.nested.form == .key, let keyPath = relation.keyPath else {
      return try decomposed(target, recipe, nil)
    }
    let selection = FieldSelection([]).adding(recipe.identity?.keyPath)
    guard let key = try decomposed(target, recipe, selection)[keyPath] else {
      throw RecipeError(recipe: recipe.name, path: .root, reason: .missing)
    }
    return key
  }
}

extension Recipe {
  /// What an entity without any of the components is written as.
  var emptyData: JSONValue {
    switch shape {
    case .array: .array([])
    case .leaf: .null
    case .object, nil: .object([:])
    }
  }
}
