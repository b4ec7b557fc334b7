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
    try checkKeys(of: step, side)
    try checkLinks(of: step, side, alive)
    try checkLosses(of: step, side)
  }

  private func checkValues(
    of step: UndoStep, _ side: UndoSide, _ alive: [Entity: Bool], in context: Context
  ) throws(UndoConflict) {
    for value in step.values where alive.isEmpty || alive[value.entity] != false {
      guard tracker.isUnchanged(value, of: step.values, side),
        value.isThere(side) || value.entity.isAlive
      else { throw UndoConflict(value.entity, component: value.cid, step: step.name) }
    }
    guard step.values.cids.contains(where: \.isUnique) else { return }
    // An entity that holds a unique component now would lose it.
    for value in step.values where value.cid.isUnique && value.isThere(side.other) {
      guard let type = value.cid.type as? any UniqueComponent.Type,
        let holder = holder(of: type, in: context),
        !step.valueKeys.contains(UndoStep.ValueKey(entity: holder, cid: value.cid))
      else { continue }
      throw UndoConflict(holder, component: value.cid, step: step.name)
    }
  }

  /// Throws if a key would be given away that another entity has in a primary index.
  private func checkKeys(of step: UndoStep, _ side: UndoSide) throws(UndoConflict) {
    let identifying = holder.identifying(step.values.cids)
    guard !identifying.isEmpty else { return }
    let keys = step.valueKeys
    var owners: [Identity.Key: Entity] = [:]
    for value in step.values where identifying.contains(value.cid) {
      guard let component = step.values.component(value, side.other) else { continue }
      let (entity, cid) = (value.entity, value.cid)
      for identity in holder.identities(of: component) {
        if let present = identity.holder,
          !keys.contains(UndoStep.ValueKey(entity: present, cid: cid))
        {
          throw UndoConflict(present, component: cid, step: step.name)
        }
        // Values of a time when the index did not work yet may have the same key.
        if let owner = owners.updateValue(entity, forKey: identity.key), owner != entity {
          throw UndoConflict(owner, component: cid, step: step.name)
        }
      }
    }
  }

  /// Throws if what is going to be destroyed has something that is not in the step, or takes others
  /// along that have.
  private func checkLosses(of step: UndoStep, _ side: UndoSide) throws(UndoConflict) {
    var doomed = step.lives.filter { $0.alive(side) }.map(\.entity)
    guard !doomed.isEmpty else { return }
    let links = step.linksAtOneEnd(side)
    var known: Set<UndoStep.ValueKey> = []
    for value in step.values where !value.isThere(side.other) {
      known.insert(UndoStep.ValueKey(entity: value.entity, cid: value.cid))
    }
    var seen = Set(doomed)
    var next = 0
    while next < doomed.count {
      let entity = doomed[next]
      next += 1
      for cid in listed where entity.has(cid) {
        guard known.contains(UndoStep.ValueKey(entity: entity, cid: cid)) else {
          throw UndoConflict(entity, component: cid, step: step.name)
        }
      }
      for link in holder.links(of: entity) {
        let id = ObjectIdentifier(link.relation)
        if relations.contains(id) {
          let known = UndoStep.Link(source: link.source, target: link.target, relationID: id)
          guard links.contains(known) else {
            throw UndoConflict(link.source, relation: link.relation, step: step.name)
          }
        } else if link.relation.deleteRule == .cascade, link.target == entity,
          seen.insert(link.source).inserted
        {
          doomed.append(link.source)
        }
      }
    }
    for value in step.values where value.isThere(side.other) && seen.contains(value.entity) {
      throw UndoConflict(value.entity, component: value.cid, step: step.name)
    }
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
      guard isUnchanged(change, side) else {
        throw UndoConflict(source, relation: change.relation, step: step.name)
      }
      // A link that this one would replace.
      guard change.linked(side.other) else { continue }
      let replaced = replacedLinks(change.relation, source, target)
      guard replaced.allSatisfy(links.contains) else {
        throw UndoConflict(source, relation: change.relation, step: step.name)
      }
    }
    for (link, relation) in step.keptLinks {
      guard isLinked(relation, link.source, link.target) else {
        throw UndoConflict(link.source, relation: relation, step: step.name)
      }
    }
  }

  /// Whether there is a link that a step has changed.
  func isLinked(_ change: UndoStep.LinkChange) -> Bool {
    isLinked(change.relation, change.link.source, change.link.target)
  }

  /// Whether a link that a step has changed is as it was at one end.
  func isUnchanged(_ change: UndoStep.LinkChange, _ side: UndoSide) -> Bool {
    guard isLinked(change) == change.linked(side) else { return false }
    guard change.linked(side), let value = change.value(side) else { return true }
    return UndoState.isUnchanged(
      value, change.link.source.anyValue(of: change.relation, to: change.link.target))
  }

  /// Whether two values of a link are not known to differ: those of types that are not `Equatable`
  /// are not compared.
  static func isUnchanged(_ one: (any Component)?, _ other: (any Component)?) -> Bool {
    guard let one, let other else { return (one == nil) == (other == nil) }
    return !(one is any Equatable) || isKnownEqual(one, other)
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
    let identifying = holder.identifying(step.values.cids)
    for life in step.lives where !life.alive(side) && life.entity.isAlive { life.entity.destroy() }
    if !step.values.isFull || !identifying.isEmpty { takeOff(step, side, identifying) }
    for life in step.lives where life.alive(side) { components[life.entity] = [] }
    if !components.isEmpty {
      for value in step.values {
        guard let component = step.values.component(value, side) else { continue }
        components[value.entity]?.append(component)
      }
    }
    var revived: Set<Entity> = []
    for life in step.lives where life.alive(side) && !life.entity.isAlive {
      let components = components[life.entity] ?? []
      for component in components { freeKeys(of: component, for: life.entity) }
      if holder.revive(life.entity, with: components) { revived.insert(life.entity) }
    }
    for value in step.values where value.isThere(side) {
      guard revived.isEmpty || !revived.contains(value.entity) else { continue }
      if !identifying.isEmpty, identifying.contains(value.cid), value.entity.isAlive,
        let component = step.values.component(value, side)
      {
        freeKeys(of: component, for: value.entity)
      }
      step.values.set(value, to: side)
    }
    for change in step.links where change.linked(side) {
      let (source, target) = (change.link.source, change.link.target)
      guard source.isAlive, target.isAlive else { continue }
      if !link(change.relation, source, target, change.value(side)), policy == .refuse {
        throw UndoConflict(source, relation: change.relation, step: step.name)
      }
    }
    if step.operations.isEmpty { return }
    for list in LinkOrder(side, step.operations).lists where list.owner.isAlive {
      arrange(list.relation, list)
    }
  }

  /// Removes what is not there at one end, and what identifies its entity otherwise there.
  ///
  /// All of it before anything is set: others may be about to get what is unique, and keys.
  private func takeOff(_ step: UndoStep, _ side: UndoSide, _ identifying: [CID]) {
    for value in step.values {
      var stays = value.isThere(side)
      if stays, identifying.contains(value.cid),
        let component = step.values.component(value, side)
      {
        stays = holder.identities(of: component).allSatisfy { $0.holder == value.entity }
      }
      if !stays, value.entity.has(value.cid) { value.entity.remove(value.cid) }
    }
  }

  /// Takes a component away from others that have its keys in primary indexes.
  private func freeKeys(of component: any Component, for entity: Entity) {
    for case let other? in holder.identities(of: component).map(\.holder) where other != entity {
      other.remove(type(of: component).cid)
    }
  }

  func set(_ component: some Component, on entity: Entity) { entity.set(component) }

  func unlink<R: Relation>(_ relation: R.Type, _ source: Entity, _ target: Entity) {
    if source.isRelated(relation, to: target) { source.unrelate(relation, from: target) }
  }

  /// Puts links that a step has touched where they were among those of an entity.
  ///
  /// What comes directly before one that is not there, because of others, stays where it is.
  func arrange<R: Relation>(_ relation: R.Type, _ list: LinkOrder.List) {
    let related =
      list.isOfTargets ? list.owner.targets(relation) : list.owner.sources(relation)
    // What comes next of those that are there.
    var next: Entity?
    list.chain.forEachPresent { entity, follower, isFollowerTouched in
      if !isFollowerTouched { next = follower }
      guard related.contains(entity) else { return }
      if next.map(related.contains) ?? true { related.move(entity, before: next) }
      next = entity
    }
  }

  /// Moves a link among the others of one of its ends; does nothing if it is not there, or there is
  /// nothing to come before.
  func move<R: Relation>(
    _ relation: R.Type, _ source: Entity, _ target: Entity, isAmongTargets: Bool,
    before next: Entity?
  ) {
    let (related, other) =
      isAmongTargets ? (source.targets(relation), target) : (target.sources(relation), source)
    if let next, !related.contains(next) { return }
    related.move(other, before: next)
  }

  /// Links entities, with a value if links of the relation have some; returns false if that would
  /// make a hierarchy a cycle.
  func link<R: Relation>(
    _ relation: R.Type, _ source: Entity, _ target: Entity, _ value: (any Component)?
  ) -> Bool {
    guard let hierarchy = relation as? any Hierarchy.Type else {
      source.relate(relation, to: target, anyValue: value)
      return true
    }
    return setParent(hierarchy, source, target, value)
  }

  private func setParent<R: Hierarchy>(
    _ relation: R.Type, _ source: Entity, _ target: Entity, _ value: (any Component)?
  ) -> Bool {
    do {
      try source.setParent(target, in: relation, anyValue: value)
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
