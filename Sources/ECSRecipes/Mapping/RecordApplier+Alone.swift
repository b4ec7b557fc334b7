import ECS

/// Records that are about one entity alone, as most are.
// PERFORMANCE: There is nothing to find out about other entities (P1, P2, P4).
extension RecordApplier {
  /// Makes or updates the entity of a record that says this about each component; nil, without a
  /// change, if the record needs a plan.
  mutating func apply(_ patches: RecordPatches) -> (entity: Entity, outcome: RecipeOutcome)? {
    let kind = layout.kinds[0]
    guard kind.identity != nil else {
      guard kind.isComplete(patches, for: nil) else { return nil }
      let entity = mapper.context.createEntity()
      _ = patches.apply(to: entity, but: -1)
      return (entity, .made)
    }
    let position = kind.identityPosition
    guard let index = index(ofKind: 0), let patch = patches[position.mapping] else { return nil }
    if let entity = index.findByPatch(patch, position.field) {
      guard kind.isComplete(patches, for: entity) else { return nil }
      return (entity, patches.apply(to: entity, but: -1) ? .updated : .unchanged)
    }
    guard patch.says(position.field), patch.hasValue, kind.isComplete(patches, for: nil),
      let entity = index.createByPatch(patch)
    else { return nil }
    _ = patches.apply(to: entity, but: position.mapping)
    return (entity, .made)
  }

  /// Changes an entity, whose key stays, to what a record says about each component; nil, without a
  /// change, if that needs a plan.
  func update(_ entity: Entity, by patches: RecordPatches) -> RecipeOutcome? {
    guard layout.kinds[0].isComplete(patches, for: entity) else { return nil }
    return patches.apply(to: entity, but: -1) ? .updated : .unchanged
  }

  /// Whether entities can be found by their keys, if they have any.
  var canFind: Bool {
    mutating get { layout.kinds[0].identity == nil || index(ofKind: 0) != nil }
  }

  /// Makes or updates the entities of all records, each of which is about another one alone; nil,
  /// without a change, if one of the records needs a plan.
  mutating func importAll(_ items: [ImportItem], _ search: AbsenceSearch?) -> ImportReport? {
    // PERFORMANCE: As in `ImportRun.apply(_:in:)` (H1).
    let items = items.span
    let kind = layout.kinds[0]
    guard let found = find(items, kind) else { return nil }
    // As a plan does, all are made before more is said about the first.
    var report = ImportReport()
    report.entities.reserveCapacity(items.count)
    for index in items.indices {
      report.entities.append(found[index] ?? make(items[index].patches))
    }
    for position in items.indices {
      let isNew = found[position] == nil
      var outcome = isNew ? RecipeOutcome.made : .unchanged
      // PERFORMANCE: Mostly a new one has no other component (H1).
      if !isNew || kind.identity == nil || kind.mappings.count > 1,
        let patches = items[position].patches, let entity = report.entities[position],
        patches.apply(to: entity, but: isNew ? kind.identityPosition.mapping : -1), !isNew
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
  private mutating func find(_ items: Span<ImportItem>, _ kind: RecordLayout.Kind) -> [Entity?]? {
    let (index, position) = (index(ofKind: 0), kind.identityPosition)
    guard canFind, kind.relations.isEmpty else { return nil }
    let isNew = index?.makeKeyCheck(items.count)
    var found: [Entity?] = []
    found.reserveCapacity(items.count)
    for offset in items.indices {
      guard let patches = items[offset].patches else { return nil }
      var entity: Entity?
      if let index, let isNew {
        guard let patch = patches[position.mapping], patch.hasValue, isNew(patch, position.field)
        else {
          return nil
        }
        entity = index.findByPatch(patch, position.field)
      }
      guard kind.isComplete(patches, for: entity) else { return nil }
      found.append(entity)
    }
    return found
  }

  /// Makes the entity of a record, with its key if records have one.
  private mutating func make(_ patches: RecordPatches?) -> Entity {
    guard let index = index(ofKind: 0),
      let entity = patches?[layout.kinds[0].identityPosition.mapping].flatMap(index.createByPatch)
    else { return mapper.context.createEntity() }
    return entity
  }
}

extension RecordLayout.Kind {
  /// Whether there is nothing that a plan would refuse.
  func isComplete(_ patches: RecordPatches, for entity: Entity?) -> Bool {
    areOptional || patches.areComplete(for: entity, mappings)
  }
}
