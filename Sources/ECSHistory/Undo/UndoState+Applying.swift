import ECS

// Taking steps back and making them again.
extension UndoState {
  /// Throws if something is not as a step has left it at one of its ends.
  func check(_ step: UndoStep, _ side: UndoSide, in context: Context) throws(UndoConflict) {
    var alive: [Entity: Bool] = [:]
    for life in step.lives {
      alive[life.entity] = life.alive(side)
      guard life.alive(side) == life.entity.isAlive else {
        throw UndoConflict(life.entity, step: step.name)
      }
    }
    try checkValues(of: step, side, alive, in: context)
    try checkLinks(of: step, side, alive)
  }

  private func checkValues(
    of step: UndoStep, _ side: UndoSide, _ alive: [Entity: Bool], in context: Context
  ) throws(UndoConflict) {
    let places = Set(step.values.map(\.place))
    for life in step.lives where life.alive(side) {
      // It is going to be destroyed, with all that is there.
      for cid in listed where life.entity.has(cid) {
        guard places.contains(UndoStep.Place(entity: life.entity, cid: cid)) else {
          throw UndoConflict(life.entity, component: cid, step: step.name)
        }
      }
    }
    for change in step.values {
      let (place, expected) = (change.place, change.value(side))
      if alive[place.entity] != false {
        guard place.entity.isAlive, isUnchanged(place, expected) else {
          throw UndoConflict(place.entity, component: place.cid, step: step.name)
        }
      }
      // Who holds a unique component now would lose it.
      guard change.value(side.other).component != nil,
        let type = place.cid.type as? any UniqueComponent.Type,
        let holder = holder(of: type, in: context),
        !places.contains(UndoStep.Place(entity: holder, cid: place.cid))
      else { continue }
      throw UndoConflict(holder, component: place.cid, step: step.name)
    }
  }

  private func isUnchanged(_ place: UndoStep.Place, _ expected: UndoStep.Value) -> Bool {
    let component = value(place.cid.type, of: place.entity)
    let present = UndoStep.Value(component: component, version: version(place) ?? 0)
    return present.isKnownSame(as: expected)
  }

  private func value<C: Component>(_ type: C.Type, of entity: Entity) -> (any Component)? {
    entity.get(type)
  }

  private func holder<C: UniqueComponent>(of type: C.Type, in context: Context) -> Entity? {
    context.uniqueEntity(type)
  }

  private func checkLinks(
    of step: UndoStep, _ side: UndoSide, _ alive: [Entity: Bool]
  ) throws(UndoConflict) {
    let links = step.linksAtOneEnd(side)
    for change in step.links {
      let (source, target) = (change.link.source, change.link.target)
      for entity in [source, target] where alive[entity] == nil && !entity.isAlive {
        throw UndoConflict(entity, relation: change.relation, step: step.name)
      }
      guard isLinked(change.relation, source, target) == change.linked(side) else {
        throw UndoConflict(source, relation: change.relation, step: step.name)
      }
      // A link that this one would replace.
      guard change.linked(side.other) else { continue }
      let replaced = replacedLinks(change.relation, source, target)
      guard replaced.allSatisfy(links.contains) else {
        throw UndoConflict(source, relation: change.relation, step: step.name)
      }
    }
  }

  private func isLinked<R: Relation>(_ relation: R.Type, _ source: Entity, _ target: Entity) -> Bool
  {
    source.isRelated(relation, to: target)
  }

  /// The links that go when entities are linked.
  private func replacedLinks<R: Relation>(
    _ relation: R.Type, _ source: Entity, _ target: Entity
  ) -> [UndoStep.Link] {
    guard relation is any ToOneRelation.Type else { return [] }
    let id = ObjectIdentifier(relation)
    var links = source.targets(relation).entities().map {
      UndoStep.Link(source: source, target: $0, relationID: id)
    }
    if relation is any OneToOneRelation.Type {
      links += target.sources(relation).entities().map {
        UndoStep.Link(source: $0, target: target, relationID: id)
      }
    }
    return links
  }

  // MARK: Changing

  /// Gives what a step has changed the values that it has at one of its ends.
  ///
  /// Throws if a link would make a hierarchy a cycle, unless all that cannot be done is left out.
  func apply(
    _ step: UndoStep, _ side: UndoSide, _ policy: UndoConflictPolicy
  ) throws(UndoConflict) {
    for change in step.links where !change.linked(side) {
      unlink(change.relation, change.link.source, change.link.target)
    }
    var components: [Entity: [any Component]] = [:]
    for life in step.lives where !life.alive(side) && life.entity.isAlive { life.entity.destroy() }
    for life in step.lives where life.alive(side) { components[life.entity] = [] }
    for change in step.values {
      guard let component = change.value(side).component else { continue }
      components[change.place.entity]?.append(component)
    }
    var revived: Set<Entity> = []
    for life in step.lives where life.alive(side) {
      if holder.revive(life.entity, with: components[life.entity] ?? []) {
        revived.insert(life.entity)
      }
    }
    // First: others may be about to get what is unique.
    for change in step.values where change.value(side).component == nil {
      if change.place.entity.has(change.place.cid) { change.place.entity.remove(change.place.cid) }
    }
    for change in step.values {
      let entity = change.place.entity
      guard let component = change.value(side).component, !revived.contains(entity),
        entity.isAlive
      else { continue }
      set(component, on: entity)
    }
    for change in step.links where change.linked(side) {
      let (source, target) = (change.link.source, change.link.target)
      guard source.isAlive, target.isAlive else { continue }
      if !link(change.relation, source, target), policy == .refuse {
        throw UndoConflict(source, relation: change.relation, step: step.name)
      }
    }
  }

  private func set(_ component: some Component, on entity: Entity) { entity.set(component) }

  private func unlink<R: Relation>(_ relation: R.Type, _ source: Entity, _ target: Entity) {
    if source.isRelated(relation, to: target) { source.unrelate(relation, from: target) }
  }

  /// Links entities; returns false if that would make a hierarchy a cycle.
  private func link<R: Relation>(_ relation: R.Type, _ source: Entity, _ target: Entity) -> Bool {
    guard let hierarchy = relation as? any Hierarchy.Type else {
      source.relate(relation, to: target)
      return true
    }
    return setParent(hierarchy, source, target)
  }

  private func setParent<R: Hierarchy>(_ relation: R.Type, _ source: Entity, _ target: Entity)
    -> Bool
  {
    do {
      try source.setParent(target, in: relation)
      return true
    } catch {
      return false
    }
  }
}

extension UndoStep {
  /// The links that there are at one end.
  fileprivate func linksAtOneEnd(_ side: UndoSide) -> Set<Link> {
    Set(links.lazy.filter { $0.linked(side) }.map(\.link))
  }
}
