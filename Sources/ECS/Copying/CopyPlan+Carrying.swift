extension CopyPlan {
  /// Makes the copies in a context; called within a section.
  func apply(
    in core: Core, isChanged: Bool, _ change: (borrowing NewEntity) -> Void
  ) throws(CopyError) -> Clones {
    guard !originals.isEmpty else {
      return Clones(list, NewEntities(core: core, handles: .listed([]), endIndex: 0))
    }
    let creation = BatchCreation(core: core)
    defer { for group in values { creation.retire(group.values) } }
    var batches = isChanged ? written(in: core, change) : copied()
    let entities = try creation.createCopies(originals.count, &batches, of: originals) {
      copies, entity in list.index(of: entity).map { copies[$0] } ?? entity
    }
    link(entities, in: core)
    return Clones(list, entities)
  }

  private func copied() -> [EntityBatch] {
    values.map { values, indices in
      let (first, last) = (indices[0], indices[indices.count - 1])
      return EntityBatch(
        values.types,
        last - first + 1 == indices.count ? .range(first..<last + 1) : .list(indices), values,
        .list(Array(0..<indices.count)))
    }
  }

  private func written(
    in core: Core, _ change: (borrowing NewEntity) -> Void
  ) -> [EntityBatch] {
    var sources = [(number: Int, row: Int)](repeating: (0, 0), count: originals.count)
    for (groupIndex, group) in values.enumerated() {
      for (row, position) in group.indices.enumerated() { sources[position] = (groupIndex, row) }
    }
    return BatchCreation(core: core).write(
      originals.count, values.map(\.values), from: sources, originals: originals
    ) { change($1) }
  }

  // MARK: Links

  private func link(_ entities: NewEntities, in core: Core) {
    guard !links.isEmpty else { return }
    guard core.acceptsChanges, let relations = core.relationsMadeIfNeeded() else {
      for link in links { link.relate(entities, value(of: link, entities, in: core)) }
      for order in orders { order.restore(entities) }
      return
    }
    var store: RelationStore?
    for link in links {
      let source = entities.handle(link.source).index
      let present = store.flatMap { $0.type == link.relation ? $0 : nil }
      let next = present ?? relations.store(link.relation)
      store = next
      let target = link.target(entities).handle.index
      if let value = value(of: link, entities, in: core) {
        next.addLink(source: source, target: target, value, in: relations)
      } else {
        next.link(source: source, target: target) { relations.noteChange(next, $0) }
      }
    }
    for order in orders { order.restore(entities) }
  }

  /// The value that the copy of a link gets, which refers to copies where the original refers to
  /// originals; nil if it has none.
  private func value(
    of link: PlannedLink, _ entities: NewEntities, in core: Core
  ) -> (any Component)? {
    link.value.map { value in
      value.mapped(in: core) { entity in list.index(of: entity).map { entities[$0] } ?? entity }
    }
  }
}

extension Component {
  /// The value with other entities in place of those that it refers to; the context refuses changes
  /// meanwhile.
  func mapped(in core: Core, _ map: (Entity) -> Entity) -> any Component {
    guard var value = self as? any EntityReferencing else { return self }
    core.refusingChanges(.usingColumns) { value.mapEntities(map) }
    return value
  }
}

extension CopyPlan.PlannedLink {
  fileprivate func target(_ entities: NewEntities) -> Entity {
    switch target {
    case .copy(let index): entities[index]
    case .entity(let entity): entity
    }
  }

  /// Makes the link when the running iteration ends.
  fileprivate func relate(_ entities: NewEntities, _ value: (any Component)?) {
    func relate<R: Relation>(_ relation: R.Type) {
      entities[source].relate(relation, to: target(entities), anyValue: value)
    }
    relate(relation)
  }
}

extension CopyPlan.Order {
  /// Moves links behind each other.
  fileprivate func restore(_ entities: NewEntities) {
    func restore<R: Relation>(_ relation: R.Type) {
      let related = entities[target].sources(relation)
      for source in sources { related.move(entities[source], before: nil) }
    }
    restore(relation)
  }
}
