/// A link between two entities.
package struct EntityLink {
  package let relation: any Relation.Type
  package let source: Entity
  package let target: Entity
}

extension Entity {
  /// All links of an entity, those that it has to others and those that others have to it.
  package func linksOfBothEnds() -> [EntityLink] {
    core.read {
      guard core.isAlive(handle), let relations = core.relations else { return [] }
      var links: [EntityLink] = []
      for store in relations.stores {
        store.links.forEach(handle.index, .targets) {
          links.append(EntityLink(relation: store.type, source: self, target: relations.entity($0)))
        }
        store.links.forEach(handle.index, .sources) {
          if $0 == handle.index { return }
          links.append(EntityLink(relation: store.type, source: relations.entity($0), target: self))
        }
      }
      return links
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
