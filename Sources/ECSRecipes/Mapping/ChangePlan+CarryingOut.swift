import ECS

// How a plan is carried out.
extension ChangePlan {
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
          patch.apply(to: entity, with: later)
        else { continue }
        targets[target].hasChanged = true
      }
    }
    let parts = formerParts()
    if !hierarchies.isEmpty { detachThoseWhoLeave() }
    for number in changes.indices where !changes[number].links.isEmpty { link(number) }
    if !parts.isEmpty { end(parts) }
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
      setTargets(entity, linked.compactMap { targets[$0].entity })
      targets[change.target].hasChanged = true
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
      return
    }
    guard let component = patch.made(with: later), let entity = index.create(component) else {
      targets[target].entity = mapper.context.createEntity()
      return
    }
    targets[target].entity = entity
    removePatches(of: patch.cid, target)
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
}
