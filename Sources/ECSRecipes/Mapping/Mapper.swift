public import ECS
public import JSONValues

/// Applies recipes to the entities of a context.
///
/// ```swift
/// let mapper = Mapper(context)
/// let user = try mapper.make(users, from: ["id": 7, "name": "Ada"])
/// try mapper.update(user, with: users, from: ["name": "Ada Lovelace"])
/// try mapper.decompose(user, with: users)  // {"id":7,"name":"Ada Lovelace"}
/// ```
///
/// Data is converted first, and then applied in one critical section of the context. So an
/// error changes nothing; otherwise each component is written at most once, and observers hear of
/// all changes when they are complete.
///
/// For each field that is an ``Identity`` there is one primary index in a context, made when it is
/// first needed and shared by all mappers of the context. From then on, as long as there are
/// mappers, the field is unique in the context, as `PrimaryIndex` explains. Texts are compared byte
/// by byte: `é` in one scalar and in two are two keys, although `String` takes them for equal.
///
/// It can be used from any thread. Inside an iteration over components, changes wait for its end:
/// there, apply all data about an entity in one call.
public final class Mapper: Sendable {
  /// The context.
  public let context: Context
  let indexes: IdentityIndexes

  /// Makes a mapper of a context.
  ///
  /// - Complexity: O(1).
  public init(_ context: Context) {
    self.context = context
    indexes = IdentityIndexes.of(context)
  }

  /// Uses an existing primary index, instead of making one.
  ///
  /// All mappers of the context use it, and compare keys as it does: texts that look the same are
  /// one key then. Mappers use no other indexes: data that gives a key
  /// of any other primary index to a second entity stops the process.
  ///
  /// - Parameters:
  ///   - index: An index of the mapper's context, whose key is the value of the field.
  ///   - field: The field that recipes give as their ``Identity``.
  /// - Precondition: The index belongs to the mapper's context. It is not paused, now or while the
  ///   mapper is used: a paused one finds nothing, so the same key would make one entity after
  ///   another.
  public func use<C: Component, Key: Hashable & Sendable>(
    _ index: PrimaryIndex<C, Key>, for field: any KeyPath<C, Key> & Sendable
  ) {
    require(
      index.context === context,
      "The index for \(field) belongs to another context: use one of the mapper's context.")
    require(
      !index.isPaused, "The index for \(field) is paused and finds nothing: resume it first.")
    context.perform {
      indexes.add(IdentityIndex.over(index, FieldKeyReader(FieldReader(field)), field))
    }
  }

  // MARK: Operations

  /// Makes an entity from data, or updates the one that the data identifies.
  ///
  /// To learn what happened, use ``apply(_:to:with:only:)``.
  ///
  /// - Parameters:
  ///   - recipe: The mapping. Without an ``Identity``, each call makes an entity.
  ///   - data: The data.
  ///   - fields: The fields to apply, in addition to the identity, such as `[\User.name]`;
  ///     relations are then left out. A component that is made takes its required fields as well.
  ///     By default, everything is applied.
  /// - Returns: The entity.
  /// - Throws: ``RecipeError``; nothing has changed then.
  @discardableResult
  public func make(
    _ recipe: Recipe, from data: JSONValue, only fields: [AnyKeyPath]? = nil
  ) throws(RecipeError) -> Entity {
    if fields == nil, let entity = makeDirectly(recipe, data) { return entity }
    let record = try decoded(recipe, data, fields)
    return try context.perform("recipe \(recipe.name)") { () throws(RecipeError) in
      var plan = ChangePlan(self)
      return try apply(record, in: &plan).entity
    }
  }

  /// Changes an entity to what data says; what the data does not mention stays.
  ///
  /// To learn which fields changed, use ``apply(_:to:with:only:)``.
  ///
  /// - Returns: Whether anything had to be changed.
  /// - Throws: ``RecipeError``; nothing has changed then.
  @discardableResult
  public func update(
    _ entity: Entity, with recipe: Recipe, from data: JSONValue, only fields: [AnyKeyPath]? = nil
  ) throws(RecipeError) -> RecipeOutcome {
    if fields == nil, let outcome = updateDirectly(entity, recipe, data) { return outcome }
    let record = try decoded(recipe, data, fields)
    return try context.perform("recipe \(recipe.name)") { () throws(RecipeError) in
      var plan = ChangePlan(self)
      try plan.add(updating: entity, by: record)
      try plan.check()
      return plan.apply() ? .updated : .unchanged
    }
  }

  /// Does what ``make(_:from:only:)`` or ``update(_:with:from:only:)`` does, and returns what
  /// happened.
  ///
  /// ```swift
  /// let result = try mapper.apply(["id": 7, "name": "Ada L."], with: users)
  /// result.outcome  // .updated
  /// result.changes.map(\.path)  // name
  /// ```
  ///
  /// - Parameters:
  ///   - data: The data.
  ///   - entity: The entity to update; by default, the one that the data identifies, made if there
  ///     is none.
  ///   - recipe: The mapping.
  ///   - fields: The fields to apply, as for ``make(_:from:only:)``.
  /// - Returns: The entity, whether it was made, and what changed, if anything.
  /// - Throws: ``RecipeError``; nothing has changed then.
  @discardableResult
  public func apply(
    _ data: JSONValue, to entity: Entity? = nil, with recipe: Recipe,
    only fields: [AnyKeyPath]? = nil
  ) throws(RecipeError) -> RecipeResult {
    let record = try decoded(recipe, data, fields)
    return try context.perform("recipe \(recipe.name)") { () throws(RecipeError) in
      var plan = ChangePlan(self)
      var target = 0
      if let entity {
        try plan.add(updating: entity, by: record)
      } else {
        target = try plan.add(making: record)
      }
      try plan.check()
      let changes = plan.differences()
      let hasChanged = plan.apply()
      let outcome: RecipeOutcome =
        plan.targets[target].isNew ? .made : hasChanged ? .updated : .unchanged
      return RecipeResult(
        entity: try plan.entity(of: target), outcome: outcome,
        changes: outcome == .unchanged ? [] : changes)
    }
  }

  /// Whether ``update(_:with:from:only:)`` would change anything.
  ///
  /// - Throws: ``RecipeError``, if updating would.
  public func wouldChange(
    _ entity: Entity, with recipe: Recipe, from data: JSONValue, only fields: [AnyKeyPath]? = nil
  ) throws(RecipeError) -> Bool {
    let record = try decoded(recipe, data, fields)
    return try context.perform { () throws(RecipeError) in
      var plan = ChangePlan(self)
      try plan.add(updating: entity, by: record)
      try plan.check()
      return plan.wouldChange
    }
  }

  /// What ``update(_:with:from:only:)`` would change, with the values before and after.
  ///
  /// - Throws: ``RecipeError``, if updating would.
  public func differences(
    _ entity: Entity, with recipe: Recipe, from data: JSONValue, only fields: [AnyKeyPath]? = nil
  ) throws(RecipeError) -> [RecipeDifference] {
    let record = try decoded(recipe, data, fields)
    return try context.perform { () throws(RecipeError) in
      var plan = ChangePlan(self)
      try plan.add(updating: entity, by: record)
      try plan.check()
      return plan.differences()
    }
  }

  /// What ``make(_:from:only:)`` would change, with the values before and after.
  ///
  /// - Throws: ``RecipeError``, if making would.
  public func differences(
    making recipe: Recipe, from data: JSONValue, only fields: [AnyKeyPath]? = nil
  ) throws(RecipeError) -> [RecipeDifference] {
    let record = try decoded(recipe, data, fields)
    return try context.perform { () throws(RecipeError) in
      var plan = ChangePlan(self)
      _ = try plan.add(making: record)
      try plan.check()
      return plan.differences()
    }
  }

  // MARK: What plans need

  private func decoded(
    _ recipe: Recipe, _ data: JSONValue, _ fields: [AnyKeyPath]?
  ) throws(RecipeError) -> DecodedRecord {
    try DecodedRecord(recipe, data, at: .root, only: try recipe.selection(fields))
  }
}

extension Recipe {
  /// The fields that a call is about; nil for all.
  func selection(_ fields: [AnyKeyPath]?) throws(RecipeError) -> FieldSelection? {
    guard let fields else { return nil }
    let known = self.fields
    for field in fields where !known.contains(where: { $0.isAbout(field) }) {
      throw RecipeError(recipe: name, path: .root, reason: .unknownField("\(field)"))
    }
    return FieldSelection(fields)
  }
}
