import ECS

/// What is to be done to entities: complete and checked before the first write.
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

    /// The position of its newest change; each change knows the one before it.
    var newestChange: Int?

    init(_ entity: Entity?) {
      self.entity = entity
      isNew = entity == nil
    }
  }

  /// What one recipe says about a target.
  // PERFORMANCE: An object, since changes are passed on often; the plan is the only one that has it (P1, P2).
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
    var isReference: Bool
    var isSelective: Bool

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
      for (number, patch) in later.patches.enumerated() {
        guard let patch else { continue }
        patches[number] = patches[number]?.merged(with: patch) ?? patch
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

  /// Whether it is about one record and those nested in it.
  var isOfOneRecord = true

  /// The position of the record that is added.
  var position = 0
  private(set) var targets: [Target] = []
  private(set) var changes: [TargetChange] = []
  private(set) var newTargets: [Key: TargetNumber] = [:]

  /// The targets that are there already, if they are more than are quick to look through.
  // INVARIANT: Empty, or has all of them.
  private var knownTargets: [Entity: TargetNumber] = [:]

  private static let longestScan = 8

  init(_ mapper: Mapper) { self.mapper = mapper }

  /// Begins anew, in the memory that it has.
  mutating func removeAll() {
    targets.removeAll(keepingCapacity: true)
    changes.removeAll(keepingCapacity: true)
    if !newTargets.isEmpty { newTargets.removeAll(keepingCapacity: true) }
    if !knownTargets.isEmpty { knownTargets.removeAll(keepingCapacity: true) }
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
    guard entity.isAlive, entity.context === mapper.context else {
      throw failure(.deadEntity, record)
    }
    let target = target(of: entity)
    if let identity = record.recipe.identity, let key = key(of: record) {
      // The index is made in any case: other recipes must not give the key to anybody else.
      let holder = try holder(of: record)
      let ownKey = identity.key(of: entity)
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
      changes[number].links[relation] = try links(records, of: number, relation)
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
    var targets: [TargetNumber] = []
    var known: Set<TargetNumber> = []
    for (position, record) in records.enumerated() {
      let keyless = position < present.count ? present[position] : nil
      let target = try target(identifiedBy: record) ?? keyless ?? append(Target(nil))
      try add(record, to: target)
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

  private mutating func target(of entity: Entity) -> TargetNumber {
    let known =
      knownTargets.isEmpty
      ? targets.firstIndex { !$0.isNew && $0.entity == entity } : knownTargets[entity]
    return known ?? append(Target(entity))
  }

  private mutating func append(_ target: Target) -> TargetNumber {
    let number = targets.count
    targets.append(target)
    if !knownTargets.isEmpty {
      if let entity = target.entity { knownTargets[entity] = number }
    } else if targets.count > ChangePlan.longestScan {
      for (number, target) in targets.enumerated() {
        if let entity = target.entity { knownTargets[entity] = number }
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
    guard let key = key(of: record) else {
      throw failure(.missing, record, record.recipe.identityPath)
    }
    // PERFORMANCE: A record without relations names no entity twice (P1).
    if isOfOneRecord, record.recipe.nested.isEmpty, changes.isEmpty { return append(Target(nil)) }
    let place = Key(field: identity.number, key: key)
    if let target = newTargets[place] { return target }
    let target = append(Target(nil))
    newTargets[place] = target
    return target
  }

  /// The entity that has the identity of a record; nil if there is none.
  private func holder(of record: DecodedRecord) throws(RecipeError) -> Entity? {
    guard let identity = record.recipe.identity, let number = record.recipe.identityNumber,
      let patch = record.patches[number]
    else { return nil }
    guard let index = mapper.indexes.indexMaking(of: identity) else {
      throw failure(.duplicateIdentity, record, record.recipe.identityPath)
    }
    return index.findByPatch(patch, record.recipe.identityField)
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

  // MARK: Carrying it out

  /// Writes what differs; false if nothing did.
  mutating func apply() -> Bool {
    for number in changes.indices where targets[changes[number].target].entity == nil {
      create(changes[number].target, by: number)
    }
    for number in changes.indices where !changes[number].links.isEmpty { patchLinks(of: number) }
    for number in changes.indices {
      let target = changes[number].target
      guard let entity = targets[target].entity else { continue }
      for place in changes[number].patches.indices {
        guard let patch = changes[number].patches[place],
          let later = patches(of: patch.cid, after: number, place),
          patch.apply(to: entity, with: later, keyedBy: mapper.indexes.indexes(of: patch.cid))
        else { continue }
        targets[target].hasChanged = true
      }
    }
    for number in changes.indices where !changes[number].links.isEmpty { link(number) }
    return targets.contains(where: \.hasChanged)
  }

  /// Sets the relations of a change that are not fields of components.
  private mutating func link(_ number: Int) {
    let change = changes[number]
    guard let entity = targets[change.target].entity else { return }
    for (relation, linked) in change.links.enumerated() {
      let nested = change.recipe.nested[relation].nested
      guard let linked, differ(from: linked, change, relation),
        case .closure(let setTargets) = nested.link.writing
      else { continue }
      if change.recipe.hasHierarchies { makeRoom(forChange: number, relation) }
      let parts = nested.isOwned ? nested.link.targets(entity) : []
      setTargets(entity, linked.compactMap { targets[$0].entity })
      targets[change.target].hasChanged = true
      if !parts.isEmpty { end(parts, of: entity, change.links, relation, nested.link) }
    }
  }

  /// Destroys former parts of an entity that are not part of another one.
  private func end(
    _ parts: [Entity], of owner: Entity, _ links: [[TargetNumber]?], _ relation: Int,
    _ link: RecipeLink
  ) {
    let kept = Set(changes.flatMap { $0.links.compactMap(\.self).joined() })
    for part in parts where part.isAlive {
      let isKept = targets.indices.contains { kept.contains($0) && targets[$0].entity == part }
      if !isKept, link.hasOtherOwner?(part, owner) == false { part.destroy() }
    }
  }

  /// Makes patches of the links that are fields of components.
  private mutating func patchLinks(of number: Int) {
    let change = changes[number]
    for (relation, linked) in change.links.enumerated() {
      guard let linked, let component = change.recipe.nested[relation].nested.link.component
      else { continue }
      changes[number].patches.append(component.patch(linked.compactMap { targets[$0].entity }))
    }
  }

  private mutating func create(_ target: TargetNumber, by number: Int) {
    targets[target].hasChanged = true
    let recipe = changes[number].recipe
    guard let identity = recipe.identity, let place = recipe.identityNumber,
      let index = mapper.indexes.index(of: identity), let patch = changes[number].patches[place],
      recipe.nested.isEmpty || !hasLinksBesideIdentity(changes[number]),
      let later = patches(of: patch.cid, after: number, place)
    else {
      targets[target].entity = mapper.context.createEntity()
      return
    }
    // PERFORMANCE: Mostly the patch alone makes the component, where its type is known (P1).
    if later.isEmpty, patch.hasValue, let entity = index.createByPatch(patch) {
      targets[target].entity = entity
      changes[number].patches[place] = nil
      // The component with the identity is there by now; within an iteration, its other keys are not.
      if mapper.indexes.count > 1 { expectKeys(of: patch, entity, but: index.number) }
      return
    }
    guard let component = patch.made(with: later), let entity = index.create(component) else {
      targets[target].entity = mapper.context.createEntity()
      return
    }
    targets[target].entity = entity
    removePatches(of: patch.cid, target)
    expectKeys(of: patch, with: later, entity, but: index.number)
  }

  private func expectKeys(
    of patch: any Patch, with later: [any Patch] = [], _ entity: Entity, but number: Int
  ) {
    guard let component = patch.made(with: later) else { return }
    for index in mapper.indexes.indexes(of: patch.cid) where index.number != number {
      index.expect(component, of: entity)
    }
  }

  private mutating func removePatches(of cid: CID, _ target: TargetNumber) {
    var next = targets[target].newestChange
    while let number = next {
      for place in changes[number].patches.indices where changes[number].patches[place]?.cid == cid
      {
        changes[number].patches[place] = nil
      }
      next = changes[number].previous
    }
  }

  /// Whether the component with the identity has links too, so that it can't be written before all
  /// targets are there.
  private func hasLinksBesideIdentity(_ change: TargetChange) -> Bool {
    change.links.enumerated().contains { relation, linked in
      linked != nil
        && change.recipe.nested[relation].nested.link.component?.cid == change.recipe.identity?.cid
    }
  }

  /// What else there is about a component of the target of a change, after the patch at a place.
  ///
  /// Nil if there is something before it: then that one cares for all of them.
  func patches(of cid: CID, after number: Int, _ place: Int) -> [any Patch]? {
    let newest = targets[changes[number].target].newestChange
    // Mostly only one recipe is about an entity, and has no links in its components.
    if newest == number, changes[number].previous == nil,
      changes[number].patches.count == changes[number].recipe.mappings.count
    {
      return []
    }
    var later: [any Patch] = []
    var next = newest
    while let other = next {
      for (position, patch) in changes[other].patches.enumerated().reversed() {
        guard let patch, patch.cid == cid, (other, position) != (number, place) else { continue }
        if (other, position) < (number, place) { return nil }
        later.append(patch)
      }
      next = changes[other].previous
    }
    return later.reversed()
  }

  /// What other recipes said about a component of the target of a change, before that change.
  func patches(of cid: CID, before change: TargetChange) -> [any Patch] {
    var earlier: [any Patch] = []
    var next = change.previous
    while let other = next {
      earlier += changes[other].patches.compactMap { $0?.cid == cid ? $0 : nil }
      next = changes[other].previous
    }
    return earlier.reversed()
  }

  /// What all recipes say about a component of a target.
  func patches(of cid: CID, inAllChangesOf target: TargetNumber) -> [any Patch] {
    var all: [any Patch] = []
    var next = targets[target].newestChange
    while let number = next {
      all += changes[number].patches.compactMap { $0?.cid == cid ? $0 : nil }
      next = changes[number].previous
    }
    return all
  }

  /// Whether a relation of a target has other targets than are planned.
  func differ(from linked: [TargetNumber], _ change: TargetChange, _ relation: Int) -> Bool {
    guard let entity = targets[change.target].entity else { return !linked.isEmpty }
    return change.recipe.nested[relation].nested.link.targets(entity)
      != linked.map { targets[$0].entity }
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

  /// What was done to a target, for the first who asks; nothing more, for all others.
  mutating func takeOutcome(of target: TargetNumber) -> RecipeOutcome {
    if targets[target].isCounted { return .unchanged }
    targets[target].isCounted = true
    if targets[target].isNew { return .made }
    return hasChanged(from: target) ? .updated : .unchanged
  }

  /// Whether a target or one that it is related to has changed.
  private func hasChanged(from target: TargetNumber) -> Bool {
    var visited: Set<TargetNumber> = [target]
    var pending = [target]
    while let target = pending.popLast() {
      if targets[target].hasChanged { return true }
      var next = targets[target].newestChange
      while let number = next {
        for related in changes[number].links.compactMap(\.self).joined()
        where visited.insert(related).inserted {
          pending.append(related)
        }
        next = changes[number].previous
      }
    }
    return false
  }
}
