import ECS
import JSONValues

/// Carries out records that are about one entity alone, without a plan.
///
/// What it does is what a ``ChangePlan`` would do. Where that would refuse a record, or where more
/// is to be looked at, it does nothing and leaves the record to the plan.
///
/// Made and used in one critical section of the context.
// PERFORMANCE: Most records have no relations, and most recipes give no other keys than their own
// (P1, P2, P4).
final class DirectWay {
  private let context: Context
  private let definition: RecipeDefinition

  /// The index of the identity with the place of that; nil if the recipe has none.
  private let index: IdentityIndex?
  private let place: RecipeDefinition.Place

  /// Nil if records of the recipe need a plan: the first with a key do, which makes the index.
  init?(_ mapper: Mapper, _ recipe: Recipe) {
    (context, definition) = (mapper.context, recipe.definition)
    guard definition.nested.isEmpty else { return nil }
    place = definition.identityPlace ?? RecipeDefinition.Place(mapping: -1, field: 0)
    if let identity = definition.identity {
      guard let index = mapper.indexes.index(of: identity) else { return nil }
      self.index = index
    } else {
      index = nil
    }
    // An index over something else has to be asked whether its key is free.
    for (number, mapping) in definition.mappings.enumerated() {
      let others = mapper.indexes.indexes(of: mapping.cid)
      guard others.allSatisfy({ number == place.mapping && $0 === index }) else { return nil }
    }
  }

  /// Makes or updates the entity of a record that says this about each component; nil, without a
  /// change, if the record needs a plan.
  func carryOut(_ patches: RecordPatches) -> (entity: Entity, outcome: RecipeOutcome)? {
    guard let index else {
      guard isComplete(patches, for: nil) else { return nil }
      let entity = context.createEntity()
      _ = apply(patches, to: entity, but: -1)
      return (entity, .made)
    }
    guard let patch = patches[place.mapping] else { return nil }
    if let entity = index.findByPatch(patch, place.field) {
      guard isComplete(patches, for: entity) else { return nil }
      return (entity, apply(patches, to: entity, but: -1) ? .updated : .unchanged)
    }
    guard patch.says(place.field), patch.hasValue, isComplete(patches, for: nil),
      let entity = index.createByPatch(patch)
    else { return nil }
    _ = apply(patches, to: entity, but: place.mapping)
    return (entity, .made)
  }

  /// Makes or updates the entities of all records, each of which is about another one; nil, without
  /// a change, if one of the records needs a plan.
  func importAll(_ items: [ImportItem], _ search: AbsenceSearch?) -> ImportReport? {
    // PERFORMANCE: As in `ImportRun.apply(_:in:)` (H1).
    let items = items.span
    guard let found = find(items) else { return nil }
    // As a plan does, all are made before more is said about the first.
    var report = ImportReport()
    report.entities.reserveCapacity(items.count)
    for number in items.indices {
      report.entities.append(found[number] ?? make(items[number].patches))
    }
    for number in items.indices {
      let isNew = found[number] == nil
      var outcome = isNew ? RecipeOutcome.made : .unchanged
      // PERFORMANCE: Mostly a new one has no other component (H1).
      if !isNew || index == nil || definition.mappings.count > 1,
        let patches = items[number].patches, let entity = report.entities[number],
        apply(patches, to: entity, but: isNew ? place.mapping : -1), !isNew
      {
        outcome = .updated
      }
      report.note(outcome)
    }
    if var search {
      search.note(report.entities.lazy.compactMap(\.self))
      report.absent = search.absent
    }
    return report
  }

  /// The entities that some records are about, nil for each that is to be made; nil instead if one
  /// of the records needs a plan, or two are about the same entity.
  private func find(_ items: Span<ImportItem>) -> [Entity?]? {
    let isNew = index?.makeKeyCheck(items.count)
    var found: [Entity?] = []
    found.reserveCapacity(items.count)
    for number in items.indices {
      guard let patches = items[number].patches else { return nil }
      var entity: Entity?
      if let index, let isNew {
        guard let patch = patches[place.mapping], patch.hasValue, isNew(patch, place.field) else {
          return nil
        }
        entity = index.findByPatch(patch, place.field)
      }
      guard isComplete(patches, for: entity) else { return nil }
      found.append(entity)
    }
    return found
  }

  /// Makes the entity of a record, with its key if records have one.
  private func make(_ patches: RecordPatches?) -> Entity {
    guard let index, let entity = patches?[place.mapping].flatMap(index.createByPatch)
    else { return context.createEntity() }
    return entity
  }

  /// Changes an entity to what a record says about each component; nil, without a change, if that
  /// needs a plan.
  func update(_ entity: Entity, by patches: RecordPatches) -> RecipeOutcome? {
    guard entity.isAlive, entity.isPlaced(in: context) else { return nil }
    if let index {
      // An entity without a key could get one, and one with another key could lose it.
      guard entity.has(index.cid) else { return nil }
      if let patch = patches[place.mapping], patch.says(place.field),
        index.findByPatch(patch, place.field) != entity
      {
        return nil
      }
    }
    guard isComplete(patches, for: entity) else { return nil }
    return apply(patches, to: entity, but: -1) ? .updated : .unchanged
  }

  /// Whether there is nothing that a plan would refuse.
  private func isComplete(_ patches: RecordPatches, for entity: Entity?) -> Bool {
    definition.areOptional || patches.areComplete(for: entity, definition.mappings)
  }

  /// Applies all that a record says, or all but what it says about one component; false if that
  /// changes nothing.
  private func apply(_ patches: RecordPatches, to entity: Entity, but excluded: Int) -> Bool {
    var hasChanged = false
    for number in 0..<patches.count where number != excluded {
      guard let patch = patches[number] else { continue }
      if patch.apply(to: entity, with: []) { hasChanged = true }
    }
    return hasChanged
  }
}

extension Mapper {
  /// Makes or updates the entity of a record; nil, without a change, if that needs a plan.
  func makeDirectly(_ recipe: Recipe, _ data: JSONValue) -> Entity? {
    if let layout = recipe.definition.layout { return makeRelatedDirectly(recipe, layout, data) }
    var leaves = LeafValues()
    guard let patches = leaves.patches(of: recipe, in: data) else { return nil }
    return context.perform("recipe \(recipe.name)") {
      DirectWay(self, recipe)?.carryOut(patches)?.entity
    }
  }

  /// Changes an entity to what a record says; nil, without a change, if that needs a plan.
  func updateDirectly(_ entity: Entity, _ recipe: Recipe, _ data: JSONValue) -> RecipeOutcome? {
    if let layout = recipe.definition.layout {
      return updateRelatedDirectly(entity, recipe, layout, data)
    }
    var leaves = LeafValues()
    guard let patches = leaves.patches(of: recipe, in: data) else { return nil }
    return context.perform("recipe \(recipe.name)") {
      DirectWay(self, recipe)?.update(entity, by: patches)
    }
  }
}
