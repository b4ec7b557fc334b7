public import ECS

/// Applies recipes to the entities of a context.
///
/// ```swift
/// let mapper = Mapper(context)
/// let user = try mapper.make(users, from: ["id": 7, "name": "Ada"])
/// try mapper.update(user, with: users, from: ["name": "Ada Lovelace"])
/// try mapper.decompose(user, with: users)  // {"id":7,"name":"Ada Lovelace"}
/// ```
///
/// Data is converted first, and applied after that in one critical section of the context. So an
/// error changes nothing; otherwise each component is written at most once, and observers hear of
/// the whole when it is complete.
///
/// For each field that is an ``Identity`` it keeps one primary index, made when it is first needed.
/// From then on, the field is unique in the context, as `PrimaryIndex` explains.
///
/// It may be used from any thread. Inside of an iteration over components, reads see the state before
/// it, and so does a mapper: data about one entity belongs into one call there, since a later one does
/// not know what an earlier one has written.
public final class Mapper: Sendable {
  /// The context.
  public let context: Context

  // Guarded by the critical section of `context`.
  nonisolated(unsafe) private var indexes: [AnyKeyPath: any IdentityIndex] = [:]

  // Guarded by the critical section of `context`.
  nonisolated(unsafe) private var indexesByComponent: [CID: [any IdentityIndex]] = [:]

  /// The index that was last asked for: looking a key path up takes longer than all the rest.
  // Guarded by the critical section of `context`.
  nonisolated(unsafe) private var recent: (identity: any IdentityMapping, index: any IdentityIndex)?

  /// Makes a mapper of a context.
  public init(_ context: Context) {
    self.context = context
  }

  /// Uses a primary index that is there already, instead of making one.
  ///
  /// - Parameters:
  ///   - index: An index of the mapper's context, whose key is the value of the field.
  ///   - field: The field that recipes give as their ``Identity``.
  /// - Precondition: The index is of the mapper's context. It is not paused, and is not while the
  ///   mapper is used: a paused one finds nobody, so that the same key would make entity after entity.
  public func use<C: Component, Key: Hashable & Sendable>(
    _ index: PrimaryIndex<C, Key>, for field: any KeyPath<C, Key> & Sendable
  ) {
    require(
      index.context === context, "The index for \(field) finds entities of another context.")
    require(
      !index.isPaused, "The index for \(field) is paused and finds nobody: resume it first.")
    context.perform { add(KeyPathIndex(index: index, field: field)) }
  }

  // MARK: Operations

  /// Makes an entity of data, or updates the one that the data identifies.
  ///
  /// - Parameters:
  ///   - recipe: The mapping. Without an ``Identity``, each call makes an entity.
  ///   - data: The data.
  ///   - fields: The fields that count, besides the identity, such as `[\User.name]`; relations are
  ///     left out then. By default, all count.
  /// - Returns: The entity.
  /// - Throws: ``RecipeError``; nothing has changed then.
  @discardableResult
  public func make(
    _ recipe: Recipe, from data: JSONValue, only fields: [AnyKeyPath]? = nil
  ) throws(RecipeError) -> Entity {
    let record = try decoded(recipe, data, fields)
    let entity = try context.perform { () throws(RecipeError) -> Entity? in
      var plan = ChangePlan(self)
      let target = try plan.add(making: record)
      try plan.check()
      _ = plan.apply()
      return plan.targets[target].entity
    }
    guard let entity else {
      throw RecipeError(recipe: recipe.name, path: .root, reason: .deadEntity)
    }
    return entity
  }

  /// Changes an entity to what data says; what the data does not say stays.
  ///
  /// - Returns: Whether anything had to be changed.
  /// - Throws: ``RecipeError``; nothing has changed then.
  @discardableResult
  public func update(
    _ entity: Entity, with recipe: Recipe, from data: JSONValue, only fields: [AnyKeyPath]? = nil
  ) throws(RecipeError) -> RecipeOutcome {
    let record = try decoded(recipe, data, fields)
    return try context.perform { () throws(RecipeError) in
      var plan = ChangePlan(self)
      try plan.add(updating: entity, by: record)
      try plan.check()
      return plan.apply() ? .updated : .unchanged
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

  // In the critical section only.
  func index(
    of identity: any IdentityMapping, for record: DecodedRecord
  ) throws(RecipeError) -> any IdentityIndex {
    if let index = index(of: identity) { return index }
    guard let index = identity.makeIndex(in: context) else {
      throw RecipeError(recipe: record.recipe.name, path: record.path, reason: .duplicateIdentity)
    }
    add(index)
    return index
  }

  private func add(_ index: any IdentityIndex) {
    indexes[index.keyPath] = index
    recent = nil
    indexesByComponent[index.cid, default: []].removeAll { $0.keyPath == index.keyPath }
    indexesByComponent[index.cid, default: []].append(index)
  }

  // In the critical section only.
  var hasManyKeys: Bool { indexes.count > indexesByComponent.count }

  // In the critical section only.
  func indexes(of component: CID) -> [any IdentityIndex] { indexesByComponent[component] ?? [] }

  // In the critical section only. Nil if the recipe has no identity.
  func create(_ change: ChangePlan.TargetChange) -> Entity? {
    guard let identity = change.recipe.identity, let number = change.recipe.identityNumber,
      let index = index(of: identity)
    else { return nil }
    return index.create(change.patches[number])
  }

  private func index(of identity: any IdentityMapping) -> (any IdentityIndex)? {
    if let recent, recent.identity === identity { return recent.index }
    guard let index = indexes[identity.keyPath] else { return nil }
    recent = (identity, index)
    return index
  }
}

extension Recipe {
  /// The fields that a call is about; nil for all.
  func selection(_ fields: [AnyKeyPath]?) throws(RecipeError) -> FieldSelection? {
    guard let fields else { return nil }
    for field in fields where !mappings.contains(where: { $0.keyPaths.contains(field) }) {
      throw RecipeError(recipe: name, path: .root, reason: .unknownField("\(field)"))
    }
    return FieldSelection(fields)
  }
}
