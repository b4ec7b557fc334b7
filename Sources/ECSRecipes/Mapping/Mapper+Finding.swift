public import ECS
public import JSONValues

extension Mapper {
  /// The entity that has a key.
  ///
  /// ```swift
  /// let ada = try mapper.entity(withKey: 7, of: users)
  /// ```
  ///
  /// - Parameters:
  ///   - key: The key, as data has it.
  ///   - recipe: The mapping, whose identity it is.
  /// - Returns: The entity; nil if no entity has the key, or the recipe has no identity.
  /// - Throws: ``RecipeError``, if it can't be a key, or entities had the same one before the
  ///   identity was first used.
  /// - Complexity: O(1) on average.
  public func entity(
    withKey key: JSONValue, of recipe: Recipe
  ) throws(RecipeError) -> Entity? {
    guard let path = recipe.identityPath else { return nil }
    let record = try DecodedRecord(
      recipe, key.wrapped(at: path), at: .root, only: FieldSelection([]))
    return try context.perform { () throws(RecipeError) in
      try ChangePlan(self).holder(of: record)
    }
  }
}

extension Mapper {
  /// The key of an entity, as data.
  ///
  /// - Returns: The key; nil if the entity lacks the component that holds it, or the recipe has no
  ///   identity.
  /// - Throws: ``RecipeError``; ``RecipeError/Reason/deadEntity`` if it is dead or of another
  ///   context.
  /// - Complexity: O(1).
  public func key(of entity: Entity, with recipe: Recipe) throws(RecipeError) -> JSONValue? {
    try context.sectionToRead { () throws(RecipeError) in
      guard entity.isAlive, entity.belongs(to: context) else {
        throw RecipeError(recipe: recipe.name, path: .root, reason: .deadEntity)
      }
      guard let field = recipe.key, entity.has(field.component) else { return nil }
      let fields: [AnyKeyPath]? = field.keyPath.map { [$0] }
      let key = try decompose(entity, with: recipe, only: fields)[field.path]
      return key == .null ? nil : key
    }
  }

  /// A key, as the identity of a recipe holds it; nil if the recipe has none.
  package func identity(
    of key: JSONValue, in recipe: Recipe
  ) throws(RecipeError) -> AnyHashable? {
    guard let path = recipe.identityPath, let number = recipe.identityNumber else { return nil }
    let record = try DecodedRecord(
      recipe, key.wrapped(at: path), at: .root, only: FieldSelection([]))
    return recipe.identity?.key(in: record.patches[number], field: recipe.identityField)
  }
}
