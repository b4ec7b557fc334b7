public import ECS
public import ECSRecipes

extension Mapper {
  /// Keeps what a recipe maps of an entity, by default under `<recipe>/<key>`, such as `user/7`.
  ///
  /// ```swift
  /// try mapper.save(user, with: users, to: storage)
  /// ```
  ///
  /// What is kept is what the entity has at one moment. The context is not held while it is
  /// written.
  ///
  /// - Parameters:
  ///   - entity: The entity.
  ///   - recipe: The mapping. By default its name and its identity give the key.
  ///   - storage: Where to keep it.
  ///   - key: Another key.
  /// - Throws: ``StorageError/recipe(_:)`` if the entity can't be decomposed,
  ///   ``StorageError/missingKey(recipe:)``, and what the storage throws.
  public func save(
    _ entity: Entity, with recipe: Recipe, to storage: any KeyValueStorage, key: String? = nil
  ) throws(StorageError) {
    let (key, value) = try context.perform { () throws(StorageError) in
      (try storageKey(key, of: entity, with: recipe), try decomposedForStorage(entity, recipe))
    }
    try storage.set(value, for: key)
  }

  /// Changes an entity to what is kept of it, under the key that ``save(_:with:to:key:)`` gives it.
  ///
  /// As for any data of a recipe, what is not mentioned stays, and equal values are not written.
  ///
  /// - Returns: Whether anything is kept.
  /// - Throws: ``StorageError/recipe(_:)`` if the entity is dead or what is kept does not fit,
  ///   ``StorageError/missingKey(recipe:)``, and what the storage throws; nothing has changed then.
  @discardableResult
  public func load(
    _ entity: Entity, with recipe: Recipe, from storage: any KeyValueStorage, key: String? = nil
  ) throws(StorageError) -> Bool {
    let key = try storageKey(key, of: entity, with: recipe)
    guard let value = try storage.value(for: key) else { return false }
    do throws(RecipeError) {
      try update(entity, with: recipe, from: value)
      return true
    } catch {
      throw StorageError.recipe(error)
    }
  }

  /// Makes or updates the entity that is kept under a key, by the identity that it has there.
  ///
  /// - Returns: The entity; nil if nothing is kept.
  /// - Throws: ``StorageError/recipe(_:)`` if what is kept does not fit, and what the storage
  ///   throws; nothing has changed then.
  @discardableResult
  public func load(
    _ recipe: Recipe, from storage: any KeyValueStorage, key: String
  ) throws(StorageError) -> Entity? {
    guard let value = try storage.value(for: key) else { return nil }
    do throws(RecipeError) {
      return try make(recipe, from: value)
    } catch {
      throw StorageError.recipe(error)
    }
  }

  /// Takes out what is kept of an entity; false if nothing is.
  ///
  /// - Throws: ``StorageError/missingKey(recipe:)``, and what the storage throws.
  @discardableResult
  public func forget(
    _ entity: Entity, with recipe: Recipe, in storage: any KeyValueStorage, key: String? = nil
  ) throws(StorageError) -> Bool {
    try storage.removeValue(for: try storageKey(key, of: entity, with: recipe))
  }

  // MARK: Lists

  /// Keeps a list of entities as one value, by default under `<recipe>[]`.
  ///
  /// - Throws: ``StorageError/recipe(_:)`` if one can't be decomposed,
  ///   ``StorageError/missingKey(recipe:)`` if the recipe has no name and no key is given, and what
  ///   the storage throws.
  public func saveList(
    _ entities: some Sequence<Entity>, with recipe: Recipe, to storage: any KeyValueStorage,
    key: String? = nil
  ) throws(StorageError) {
    let key = try listKey(key, recipe)
    let values = try context.perform { () throws(StorageError) in
      try listForStorage(entities, recipe)
    }
    try storage.set(values, for: key)
  }

  func listForStorage(
    _ entities: some Sequence<Entity>, _ recipe: Recipe
  ) throws(StorageError) -> JSONValue {
    var values: [JSONValue] = []
    for entity in entities { values.append(try decomposedForStorage(entity, recipe)) }
    return .array(values)
  }

  /// Makes or updates the entities of a list that is kept, in one section.
  ///
  /// - Returns: The entities, in the order of the list; nil if none is kept.
  /// - Throws: ``StorageError/recipe(_:)`` if something that is kept does not fit, and what the
  ///   storage throws; nothing has changed then.
  @discardableResult
  public func loadList(
    _ recipe: Recipe, from storage: any KeyValueStorage, key: String? = nil
  ) throws(StorageError) -> [Entity]? {
    guard let value = try storage.value(for: try listKey(key, recipe)) else { return nil }
    guard let records = value.array else {
      throw StorageError.recipe(
        RecipeError(
          recipe: recipe.name, path: .root,
          reason: .typeMismatch(expected: "array", found: value.kind)))
    }
    do throws(ImportError) {
      return try importList(records, with: recipe, policy: .allOrNothing).entities.compactMap(
        \.self)
    } catch {
      // There is one, or nothing would have been thrown.
      guard let first = error.failures.first else { return [] }
      throw StorageError.recipe(
        RecipeError(
          recipe: first.error.recipe,
          path: JSONPath.root.appending(index: first.position).appending(first.error.path),
          reason: first.error.reason))
    }
  }

  // MARK: Keys

  private func storageKey(
    _ key: String?, of entity: Entity, with recipe: Recipe
  ) throws(StorageError) -> String {
    if let key { return key }
    guard !recipe.name.isEmpty, let field = recipe.key, let keyPath = field.keyPath else {
      throw StorageError.missingKey(recipe: recipe.name)
    }
    guard let value = try decomposedForStorage(entity, recipe, only: [keyPath])[field.path] else {
      throw StorageError.missingKey(recipe: recipe.name)
    }
    return "\(recipe.name)/\(value.string ?? value.json())"
  }

  func listKey(_ key: String?, _ recipe: Recipe) throws(StorageError) -> String {
    if let key { return key }
    if recipe.name.isEmpty { throw StorageError.missingKey(recipe: recipe.name) }
    return "\(recipe.name)[]"
  }

  private func decomposedForStorage(
    _ entity: Entity, _ recipe: Recipe, only fields: [AnyKeyPath]? = nil
  ) throws(StorageError) -> JSONValue {
    do throws(RecipeError) {
      return try decompose(entity, with: recipe, only: fields)
    } catch {
      throw StorageError.recipe(error)
    }
  }
}
