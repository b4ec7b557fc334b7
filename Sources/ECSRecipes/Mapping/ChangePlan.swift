import ECS

/// What is to be done to entities: complete and checked before the first write.
///
/// Made and carried out in one critical section of the context.
final class ChangePlan {
  /// An entity, there already or to be made.
  final class Target {
    var entity: Entity?
    let isNew: Bool
    var changes: [TargetChange] = []
    var hasChanged = false

    /// Whether a report has counted it.
    var isCounted = false

    init(_ entity: Entity?) {
      self.entity = entity
      isNew = entity == nil
    }
  }

  /// What one recipe says about a target.
  final class TargetChange {
    let recipe: Recipe
    let target: Target
    let path: JSONPath

    /// The position of the record that it comes from.
    let position: Int
    var patches: [(any Patch)?]
    var links: [[Target]?]
    var isReference: Bool

    init(_ record: DecodedRecord, _ target: Target, _ position: Int) {
      self.position = position
      recipe = record.recipe
      self.target = target
      path = record.path
      patches = record.patches
      links = Array(repeating: nil, count: record.targets.count)
      isReference = record.isReference
    }

    /// Adds what later data says.
    func merge(_ later: DecodedRecord) {
      isReference = isReference && later.isReference
      for (number, patch) in later.patches.enumerated() {
        guard let patch else { continue }
        if patches[number]?.merge(patch) == nil { patches[number] = patch }
      }
    }
  }

  private struct Key: Hashable {
    var field: AnyKeyPath
    var key: AnyHashable
  }

  private let mapper: Mapper

  /// The position of the record that is added.
  var position = 0
  private(set) var changes: [TargetChange] = []
  private var targetsByKey: [Key: Target] = [:]
  private var targetsByEntity: [Entity: Target] = [:]

  init(_ mapper: Mapper) { self.mapper = mapper }

  // MARK: Planning

  /// Plans to make the entity of a record, or to update the one that its identity finds.
  func add(making record: DecodedRecord) throws(RecipeError) -> Target {
    try add(record, to: try target(identifiedBy: record) ?? Target(nil))
  }

  /// Plans to update an entity.
  func add(updating entity: Entity, by record: DecodedRecord) throws(RecipeError) -> Target {
    guard entity.isAlive, entity.context === mapper.context else {
      throw failure(.deadEntity, record)
    }
    if let identity = record.recipe.identity, let key = key(of: record) {
      let ownKey = identity.key(of: entity)
      guard ownKey == nil || ownKey == key else {
        throw failure(.identityMismatch, record, record.recipe.identityPath)
      }
      if ownKey == nil, let holder = try mapper.index(for: record).find(key), holder != entity {
        throw failure(.duplicateIdentity, record, record.recipe.identityPath)
      }
    }
    return try add(record, to: target(of: entity))
  }

  private func add(_ record: DecodedRecord, to target: Target) throws(RecipeError) -> Target {
    let change: TargetChange
    if let earlier = target.changes.first(where: { $0.recipe == record.recipe }) {
      change = earlier
      change.merge(record)
    } else {
      change = TargetChange(record, target, position)
      target.changes.append(change)
      changes.append(change)
    }
    for (number, records) in record.targets.enumerated() {
      guard let records else { continue }
      change.links[number] = try links(records, of: change, number)
    }
    return target
  }

  private func links(
    _ records: [DecodedRecord], of change: TargetChange, _ number: Int
  ) throws(RecipeError) -> [Target] {
    let link = change.recipe.nested[number].nested.link
    let present =
      change.links[number] ?? change.target.entity.map { link.targets($0).map(target(of:)) } ?? []
    var targets: [Target] = []
    var known: Set<ObjectIdentifier> = []
    for (position, record) in records.enumerated() {
      let keyless = position < present.count ? present[position] : nil
      let found = try target(identifiedBy: record) ?? keyless ?? Target(nil)
      let target = try add(record, to: found)
      // What is listed twice is related once.
      if known.insert(ObjectIdentifier(target)).inserted { targets.append(target) }
    }
    return targets
  }

  private func target(of entity: Entity) -> Target {
    if let target = targetsByEntity[entity] { return target }
    let target = Target(entity)
    targetsByEntity[entity] = target
    return target
  }

  /// The entity that a record's identity finds or is to find; nil if its recipe has none.
  private func target(identifiedBy record: DecodedRecord) throws(RecipeError) -> Target? {
    guard let identity = record.recipe.identity else { return nil }
    guard let key = key(of: record) else {
      throw failure(.missing, record, record.recipe.identityPath)
    }
    if let entity = try mapper.index(for: record).find(key) { return target(of: entity) }
    let place = Key(field: identity.keyPath, key: key)
    if let target = targetsByKey[place] { return target }
    let target = Target(nil)
    targetsByKey[place] = target
    return target
  }

  private func key(of record: DecodedRecord) -> AnyHashable? {
    guard let number = record.recipe.identityNumber else { return nil }
    return record.recipe.identity?.key(
      in: record.patches[number], field: record.recipe.identityField)
  }

  private func failure(
    _ reason: RecipeError.Reason, _ record: DecodedRecord, _ path: JSONPath? = nil
  ) -> RecipeError {
    RecipeError(
      recipe: record.recipe.name, path: record.path.appending(path ?? .root), reason: reason)
  }

  // MARK: Checking

  /// Throws if something can't be carried out; afterwards nothing can fail.
  func check() throws(RecipeError) {
    for change in changes { try check(change) }
  }

  /// All that can't be carried out.
  func failures() -> [ImportReport.Failure] {
    changes.compactMap { change in
      do throws(RecipeError) {
        try check(change)
        return nil
      } catch {
        return ImportReport.Failure(position: change.position, line: nil, error: error)
      }
    }
  }

  private func check(_ change: TargetChange) throws(RecipeError) {
    for (number, mapping) in change.recipe.mappings.enumerated() {
      let patch = change.patches[number]
      do throws(TransformFailure) {
        try patch?.check(on: change.target.entity)
        let isMade = patch?.hasValue == true || change.target.isNew
        guard !change.isReference, isMade, change.target.entity?.has(mapping.cid) != true,
          let path = mapping.missing(in: patch)
        else { continue }
        throw TransformFailure(.missing, at: path)
      } catch {
        throw RecipeError(
          recipe: change.recipe.name, path: change.path.appending(error.path), reason: error.reason)
      }
    }
  }

  /// Whether carrying it out would change anything.
  var wouldChange: Bool {
    changes.contains { change in
      change.target.isNew
        || change.patches.contains { $0?.wouldChange(change.target.entity) == true }
        || change.links.enumerated().contains { number, targets in
          targets.map { differ(from: $0, change, number) } ?? false
        }
    }
  }

  private func differ(from targets: [Target], _ change: TargetChange, _ number: Int) -> Bool {
    guard let entity = change.target.entity else { return !targets.isEmpty }
    return change.recipe.nested[number].nested.link.targets(entity) != targets.map(\.entity)
  }

  /// What carrying it out would change, in the order of the data.
  func differences() -> [RecipeDifference] {
    var differences: [RecipeDifference] = []
    for change in changes {
      let entity = change.target.entity
      func add(_ path: JSONPath, _ old: JSONValue?, _ new: JSONValue?) {
        differences.append(
          RecipeDifference(
            recipe: change.recipe.name, entity: entity, path: change.path.appending(path),
            old: old, new: new))
      }
      for patch in change.patches {
        for part in patch?.differences(on: entity) ?? [] { add(part.path, part.old, part.new) }
      }
      for (number, targets) in change.links.enumerated() {
        guard let targets, differ(from: targets, change, number) else { continue }
        let relation = change.recipe.nested[number]
        let old = entity.map { relation.nested.link.targets($0).map { "\($0)" } } ?? []
        add(
          relation.path, .array(old.map(JSONValue.string)),
          .array(targets.map { .string($0.entity.map { "\($0)" } ?? "new") }))
      }
    }
    return differences
  }

  // MARK: Carrying it out

  /// Writes what differs; false if nothing did.
  func apply() -> Bool {
    for change in changes where change.target.entity == nil {
      change.target.entity = mapper.create(change)
      change.target.hasChanged = true
    }
    for change in changes {
      guard let entity = change.target.entity else { continue }
      for patch in change.patches where patch?.apply(to: entity) == true {
        change.target.hasChanged = true
      }
    }
    for change in changes {
      guard let entity = change.target.entity else { continue }
      for (number, targets) in change.links.enumerated() {
        guard let targets, differ(from: targets, change, number) else { continue }
        change.recipe.nested[number].nested.link.setTargets(entity, targets.compactMap(\.entity))
        change.target.hasChanged = true
      }
    }
    return changes.contains { $0.target.hasChanged }
  }
}
