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
