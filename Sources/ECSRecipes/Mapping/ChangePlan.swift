import ECS
import JSONValues

/// A plan of what is to be done to entities: complete and checked before the first write.
///
/// Made and carried out in one critical section of the context.
struct ChangePlan {
  /// The position of a target in the plan.
  typealias TargetNumber = Int

  /// An entity, there already or to be made.
  struct Target {
    var entity: Entity?
    let isNew: Bool
    var hasChanged = false

    /// Whether a report has counted it.
    var isCounted = false

    /// The position of its newest change; each change has that of the one before it.
    var newestChange: Int?

    init(_ entity: Entity?) {
      self.entity = entity
      isNew = entity == nil
    }
  }

  /// The changes of a target by one recipe.
  // PERFORMANCE: An object, since changes are passed on often; the plan is the only one that has it
  // (P1, P2).
  final class TargetChange {
    let recipe: Recipe
    let target: TargetNumber
    let path: JSONPath

    /// The position of the record that it comes from.
    let position: Int

    /// The position of the change of the same target before it.
    let previous: Int?

    var patches: [(any Patch)?]
    var links: [[TargetNumber]?]

    /// All that the data nests in it, also where something later says what is linked.
    var nested: [TargetNumber] = []
    var isReference: Bool
    var isSelective: Bool

    /// The links with values that it is the first to name.
    var valuedLinks: [Int] = []

    init(_ record: DecodedRecord, _ target: TargetNumber, at position: Int, after previous: Int?) {
      self.position = position
      self.previous = previous
      recipe = record.recipe
      self.target = target
      path = record.path
      patches = record.patches
      links = record.targets.isEmpty ? [] : Array(repeating: nil, count: record.targets.count)
      (isReference, isSelective) = (record.isReference, record.isSelective)
    }

    /// Adds what later data says.
    func merge(_ later: DecodedRecord) {
      isReference = isReference && later.isReference
      isSelective = isSelective && later.isSelective
      for (index, patch) in later.patches.enumerated() {
        guard let patch else { continue }
        patches[index] = patches[index]?.merged(with: patch) ?? patch
      }
    }
  }

  /// A key that an entity gets.
  struct Key: Hashable {
    /// The number of the key path.
    var field: Int
    var key: AnyHashable
  }

  let mapper: Mapper

  /// Whether it is about one record and those nested in it; others tell what became of each.
  var isOfOneRecord = true

  /// The position of the record that is added.
  var position = 0
  var targets: [Target] = []
  private(set) var changes: [TargetChange] = []

  /// What is said about hierarchies, once that is settled.
  var hierarchies: [HierarchyGraph] = []
  private(set) var newTargets: [Key: TargetNumber] = [:]

  /// The links with values that the data names, and their numbers.
  var valuedLinks: [ValuedLink] = []
  var valuedLinkNumbers: [ValuedLinkKey: Int] = [:]

  /// The targets that are there already, if they are more than are quick to look through.
  // INVARIANT: Empty, or has all of them.
  private var knownTargets: [Entity: TargetNumber] = [:]

  private static let longestScan = 8

  init(_ mapper: Mapper) { self.mapper = mapper }

  /// Begins again, in the memory that it has.
  mutating func removeAll() {
    targets.removeAll(keepingCapacity: true)
    changes.removeAll(keepingCapacity: true)
    if !newTargets.isEmpty { newTargets.removeAll(keepingCapacity: true) }
    if !knownTargets.isEmpty { knownTargets.removeAll(keepingCapacity: true) }
    if !valuedLinks.isEmpty { (valuedLinks, valuedLinkNumbers) = ([], [:]) }
  }

  // MARK: Planning

  /// Plans to make the entity of a record, or to update the one that its identity finds.
  mutating func add(making record: DecodedRecord) throws(RecipeError) -> TargetNumber {
    let target = try target(identifiedBy: record) ?? append(Target(nil))
    try add(record, to: target)
    return target
  }

  /// Plans to update an entity.
  mutating func add(updating entity: Entity, by record: DecodedRecord) throws(RecipeError) {
    guard entity.isAlive, entity.belongs(to: mapper.context) else {
      throw failure(.deadEntity, record)
    }
    let target = target(of: entity)
    if let identity = record.recipe.identity, let given = try key(of: record) {
      // The index is made in any case: other recipes must not give the key to another entity.
      let holder = try holder(of: record)
      let key = comparable(given, of: identity) ?? given
      let ownKey = comparable(identity.key(of: entity), of: identity)
      guard ownKey == nil || ownKey == key else {
        throw failure(.identityMismatch, record, record.recipe.identityPath)
      }
      if ownKey == nil, let holder, holder != entity {
        throw failure(.duplicateIdentity, record, record.recipe.identityPath)
      }
      // Data within the record that names the same key is about this entity as well.
      if ownKey == nil { newTargets[Key(field: identity.number, key: key)] = target }
    }
    try add(record, to: target)
  }

  private mutating func add(
    _ record: DecodedRecord, to target: TargetNumber
  ) throws(RecipeError) {
    let number: Int
    if let earlier = change(of: target, by: record.recipe) {
      number = earlier
      changes[earlier].merge(record)
    } else {
      number = changes.count
      changes.append(
        TargetChange(record, target, at: position, after: targets[target].newestChange))
      targets[target].newestChange = number
    }
    for (relation, records) in record.targets.enumerated() {
      guard let records else { continue }
      let linked = try links(records, of: number, relation)
      changes[number].links[relation] = linked
      if !isOfOneRecord { changes[number].nested += linked }
    }
  }

  private func change(of target: TargetNumber, by recipe: Recipe) -> Int? {
    var next = targets[target].newestChange
    while let number = next {
      if changes[number].recipe == recipe { return number }
      next = changes[number].previous
    }
    return nil
  }

  private mutating func links(
    _ records: [DecodedRecord], of change: Int, _ relation: Int
  ) throws(RecipeError) -> [TargetNumber] {
    let present = changes[change].links[relation] ?? presentTargets(of: change, relation)
    let values = changes[change].recipe.nested[relation].values
    var targets: [TargetNumber] = []
    var known: Set<TargetNumber> = []
    for (position, record) in records.enumerated() {
      let keyless = position < present.count ? present[position] : nil
      let target = try target(identifiedBy: record) ?? keyless ?? append(Target(nil))
      if target == keyless { try checkContext(of: target, record) }
      try add(record, to: target)
      if let values { noteValue(of: record, target, in: change, values) }
      // What is listed twice is related once.
      if known.insert(target).inserted { targets.append(target) }
    }
    return targets
  }

  private mutating func presentTargets(of change: Int, _ relation: Int) -> [TargetNumber] {
    guard let entity = targets[changes[change].target].entity else { return [] }
    let link = changes[change].recipe.nested[relation].nested.link
    return link.targets(entity).map { target(of: $0) }
  }

  /// Throws if a field of a component holds an entity of another context.
  private func checkContext(
    of target: TargetNumber, _ record: DecodedRecord
  ) throws(RecipeError) {
    // An entity that waits for the end of an iteration has none yet.
    guard let other = targets[target].entity?.context, other !== mapper.context else { return }
    throw failure(.deadEntity, record)
  }

  private mutating func target(of entity: Entity) -> TargetNumber {
    let known =
      knownTargets.isEmpty
      ? targets.firstIndex { !$0.isNew && $0.entity == entity } : knownTargets[entity]
    return known ?? append(Target(entity))
  }

  private mutating func append(_ target: Target) -> TargetNumber {
    let number = targets.count
    targets.append(target)
    guard let entity = target.entity else { return number }
    if !knownTargets.isEmpty {
      knownTargets[entity] = number
    } else if targets.count > ChangePlan.longestScan {
      for (index, target) in targets.enumerated() {
        if let entity = target.entity { knownTargets[entity] = index }
      }
    }
    return number
  }

  /// The entity that a record's identity finds or is to find; nil if its recipe has none.
  private mutating func target(
    identifiedBy record: DecodedRecord
  ) throws(RecipeError) -> TargetNumber? {
    guard let identity = record.recipe.identity else { return nil }
    if let entity = try holder(of: record) { return target(of: entity) }
    guard let key = try key(of: record) else {
      throw failure(.missing, record, record.recipe.identityPath)
    }
    // PERFORMANCE: A record without relations names no entity twice (P1).
    if isOfOneRecord, record.recipe.nested.isEmpty, changes.isEmpty { return append(Target(nil)) }
    let identityKey = Key(field: identity.number, key: key)
    if let target = newTargets[identityKey] { return target }
    let target = append(Target(nil))
    newTargets[identityKey] = target
    return target
  }

  /// The entity that has the identity of a record; nil if there is none.
  func holder(of record: DecodedRecord) throws(RecipeError) -> Entity? {
    guard let identity = record.recipe.identity, let number = record.recipe.identityNumber,
      let patch = record.patches[number]
    else { return nil }
    guard let index = mapper.indexes.indexMaking(of: identity) else {
      throw failure(.duplicateIdentity, record, record.recipe.identityPath)
    }
    return index.findByPatch(patch, record.recipe.identityField)
  }

  private func key(of record: DecodedRecord) throws(RecipeError) -> AnyHashable? {
    guard let number = record.recipe.identityNumber else { return nil }
    let key = record.recipe.identity?.key(
      in: record.patches[number], field: record.recipe.identityField)
    if key != key { throw failure(.invalidKey, record, record.recipe.identityPath) }
    return comparable(key, of: record.recipe.identity)
  }

  /// A key as the index of its identity compares it, which was looked up before.
  private func comparable(
    _ key: AnyHashable?, of identity: (any IdentityMapping)?
  ) -> AnyHashable? {
    guard let key, let identity else { return key }
    return mapper.indexes.index(of: identity)?.comparable(key) ?? key
  }

  private func failure(
    _ reason: RecipeError.Reason, _ record: DecodedRecord, _ path: JSONPath? = nil
  ) -> RecipeError {
    RecipeError(
      recipe: record.recipe.name, path: record.path.appending(path ?? .root), reason: reason)
  }

  // MARK: Telling what was done

  /// The entity of a target, when all is carried out.
  func entity(of target: TargetNumber) throws(RecipeError) -> Entity {
    if let entity = targets[target].entity { return entity }
    throw RecipeError(
      recipe: changes.first?.recipe.name ?? "", path: .root, reason: .deadEntity)
  }

  /// The entities that the data says something about, or names.
  var mentioned: some Sequence<Entity> {
    targets.lazy.filter { $0.newestChange != nil }.compactMap(\.entity)
  }

  /// What was done to a target, for the first record about it; nothing more, for all others.
  mutating func takeOutcome(of target: TargetNumber) -> RecipeOutcome {
    if targets[target].isCounted { return .unchanged }
    targets[target].isCounted = true
    if targets[target].isNew { return .made }
    return hasChanged(from: target) ? .updated : .unchanged
  }

  /// Whether a target has changed, or one that the data nests in it.
  private func hasChanged(from target: TargetNumber) -> Bool {
    var visited: Set<TargetNumber> = [target]
    var pending = [target]
    while let target = pending.popLast() {
      if targets[target].hasChanged { return true }
      var next = targets[target].newestChange
      while let number = next {
        for nested in changes[number].nested where visited.insert(nested).inserted {
          pending.append(nested)
        }
        next = changes[number].previous
      }
    }
    return false
  }
}
