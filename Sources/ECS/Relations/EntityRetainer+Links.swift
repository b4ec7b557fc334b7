/// A link between two entities.
package struct EntityLink {
  package let relation: any Relation.Type
  package let source: Entity
  package let target: Entity

  /// The value; nil if links of the relation have none.
  package let value: (any Component)?
}

extension Entity {
  /// All links of an entity, those that it has to others and those that others have to it.
  package func linksOfBothEnds() -> [EntityLink] { linksOfBothEnds(limit: .max).links }

  /// The first links of an entity, of each relation and end at most so many, and how many more
  /// there are; one to itself may count twice among these.
  package func linksOfBothEnds(limit: Int) -> (links: [EntityLink], more: Int) {
    core.read {
      guard core.isAlive(handle), let relations = core.relations else { return ([], 0) }
      var (links, more): ([EntityLink], Int) = ([], 0)
      for store in relations.stores {
        for side in [RelationSide.targets, .sources] {
          store.links.forEachLink(handle.index, side, limit: limit) { link in
            let other = store.links.slot(of: link, side)
            if side == .sources, other == handle.index { return }
            let (one, two) = (self, relations.entity(other))
            links.append(
              EntityLink(
                relation: store.type, source: side == .targets ? one : two,
                target: side == .targets ? two : one, value: store.values?.value(of: link)))
          }
        }
        for side in [RelationSide.targets, .sources] {
          more += max(0, store.links.count(handle.index, side) - limit)
        }
      }
      return (links, more)
    }
  }
}

extension EntityRetainer {
  /// All links of an entity, those that it has to others and those that others have to it.
  package func links(of entity: Entity) -> [EntityLink] {
    guard isCurrent, entity.core == core else { return [] }
    return entity.linksOfBothEnds()
  }
}
