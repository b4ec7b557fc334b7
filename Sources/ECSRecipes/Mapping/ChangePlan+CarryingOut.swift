import ECS

// How a plan is carried out.
extension ChangePlan {
  /// Writes what differs; false if nothing did.
  mutating func apply() -> Bool {
    for position in changes.indices where targets[changes[position].target].entity == nil {
      create(changes[position].target, by: position)
    }
    for offset in changes.indices where !changes[offset].links.isEmpty { patchLinks(of: offset) }
    for number in changes.indices {
      let target = changes[number].target
      guard let entity = targets[target].entity else { continue }
      for index in changes[number].patches.indices {
        guard let patch = changes[number].patches[index],
          let later = patches(of: patch.cid, after: number, index),
          patch.apply(to: entity, with: later)
        else { continue }
        targets[target].hasChanged = true
      }
    }
    let parts = formerParts()
    if !hierarchies.isEmpty { detachThoseWhoLeave() }
    for number in changes.indices where !changes[number].links.isEmpty { link(number) }
    if !valuedLinks.isEmpty { updateValues() }
    if !parts.isEmpty { end(parts) }
    return targets.contains(where: \.hasChanged)
  }

  /// Sets the relations of a change that are not fields of components.
  private mutating func link(_ index: Int) {
    let change = changes[index]
    guard let entity = targets[change.target].entity else { return }
    for (relation, linked) in change.links.enumerated() {
      let nested = change.recipe.nested[relation].nested
      guard let linked, differ(from: linked, change, relation),
        case .closure(let setTargets) = nested.link.writing
      else { continue }
      if let form = nested.link.values {
        setLinks(of: entity, to: linked, by: change, form)
      } else {
        setTargets(entity, linked.compactMap { targets[$0].entity })
      }
      targets[change.target].hasChanged = true
    }
  }

  /// Makes patches of the links that are fields of components.
  private mutating func patchLinks(of index: Int) {
    let change = changes[index]
    for (relation, linked) in change.links.enumerated() {
      guard let linked, let component = change.recipe.nested[relation].nested.link.component
      else { continue }
      changes[index].patches.append(component.patch(linked.compactMap { targets[$0].entity }))
    }
  }

  private mutating func create(_ target: TargetNumber, by offset: Int) {
    targets[target].hasChanged = true
    let recipe = changes[offset].recipe
    guard let identity = recipe.identity, let position = recipe.identityNumber,
      let index = mapper.indexes.index(of: identity), let patch = changes[offset].patches[position],
      recipe.nested.isEmpty || !hasLinksBesideIdentity(changes[offset]),
      let later = patches(of: patch.cid, after: offset, position)
    else {
      targets[target].entity = mapper.context.createEntity()
      return
    }
    // PERFORMANCE: Mostly the patch alone makes the component, where its type is known (P1).
    if later.isEmpty, patch.hasValue, let entity = index.createByPatch(patch) {
      targets[target].entity = entity
      changes[offset].patches[position] = nil
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
      for index in changes[number].patches.indices where changes[number].patches[index]?.cid == cid
      {
        changes[number].patches[index] = nil
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
  func patches(of cid: CID, after offset: Int, _ index: Int) -> [any Patch]? {
    let newest = targets[changes[offset].target].newestChange
    // Mostly only one recipe is about an entity, and has no links in its components.
    if newest == offset, changes[offset].previous == nil,
      changes[offset].patches.count == changes[offset].recipe.mappings.count
    {
      return []
    }
    var later: [any Patch] = []
    var next = newest
    while let other = next {
      for (position, patch) in changes[other].patches.enumerated().reversed() {
        guard let patch, patch.cid == cid, (other, position) != (offset, index) else { continue }
        if (other, position) < (offset, index) { return nil }
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
