import ECS

extension ChangePlan {
  /// A part that its owner may be about to lose.
  struct Part {
    let entity: Entity
    let owner: Entity

    /// What lists the parts of the owner.
    let position: LinkPosition
    let link: RecipeLink
  }

  /// A relation of a change.
  ///
  /// Links are made in the order of their places.
  struct LinkPosition {
    var change: Int
    var relation: Int

    func isBefore(_ other: LinkPosition) -> Bool {
      (change, relation) < (other.change, other.relation)
    }
  }

  /// The parts of all whose parts are listed, before any of them is linked.
  func formerParts() -> [Part] {
    var parts: [Part] = []
    for (index, change) in changes.enumerated()
    where change.recipe.hasParts && !targets[change.target].isNew {
      guard let owner = targets[change.target].entity else { continue }
      for (relation, linked) in change.links.enumerated() {
        let nested = change.recipe.nested[relation].nested
        guard nested.isOwned, let linked, differ(from: linked, change, relation) else { continue }
        let position = LinkPosition(change: index, relation: relation)
        parts += nested.link.targets(owner).map {
          Part(entity: $0, owner: owner, position: position, link: nested.link)
        }
      }
    }
    return parts
  }

  /// Destroys former parts that are parts of nothing any more, when all links are made: what
  /// belongs to them is then where it is to be.
  func end(_ parts: [Part]) {
    let relations = Set(parts.compactMap { $0.link.ofSources })
    var related: Set<Entity> = []
    var owners: [Entity: [(owner: Entity, position: LinkPosition)]] = [:]
    for (index, change) in changes.enumerated() {
      for (relation, linked) in change.links.enumerated() {
        guard let linked else { continue }
        let link = change.recipe.nested[relation].nested.link
        let entities = linked.compactMap { targets[$0].entity }
        if let part = targets[change.target].entity, let named = link.ofTargets,
          relations.contains(named)
        {
          let position = LinkPosition(change: index, relation: relation)
          owners[part, default: []] += entities.map { ($0, position) }
        } else {
          related.formUnion(entities)
        }
      }
    }
    for part in parts where !related.contains(part.entity) && part.entity.isAlive {
      let isKept = owners[part.entity]?.contains {
        // A part that names the owner that listed others before is part of that once more.
        $0.owner != part.owner || part.position.isBefore($0.position)
      }
      guard isKept != true, part.link.hasOtherOwner?(part.entity, part.owner) == false else {
        continue
      }
      part.entity.destroy()
    }
  }
}
