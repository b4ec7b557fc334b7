/// A link between two entities.
package struct EntityLink {
  package let relation: any Relation.Type
  package let source: Entity
  package let target: Entity
}

extension EntityHolder {
  /// All links of an entity, those that it has to others and those that others have to it.
  package func links(of entity: Entity) -> [EntityLink] {
    guard isCurrent, entity.core == core, entity.isAlive, let relations = core.relations else {
      return []
    }
    let slot = entity.handle.index
    var links: [EntityLink] = []
    for store in relations.stores {
      store.links.forEach(slot, .targets) {
        links.append(
          EntityLink(relation: store.type, source: entity, target: relations.entity($0)))
      }
      store.links.forEach(slot, .sources) {
        if $0 == slot { return }
        links.append(
          EntityLink(relation: store.type, source: relations.entity($0), target: entity))
      }
    }
    return links
  }
}
