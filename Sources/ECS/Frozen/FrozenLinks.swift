/// The links that a relation had at a moment, whatever becomes of them.
///
/// Nothing is copied until the first of them changes: then all of the relation's are, once.
// Used by one thread.
package final class FrozenLinks {
  private let core: Core
  private var links: RelationLinks
  private var values: LinkValues?

  fileprivate init(_ core: Core, _ links: RelationLinks, _ values: LinkValues?) {
    self.core = core
    self.links = links.frozen
    self.values = values?.frozen
  }

  // In a section, so that what has had the links to itself before changes them after they were read
  // here, and in place; what comes after a section of this thread that only reads does, too.
  deinit {
    guard links.count > 0, core.runningReading == nil else { return }
    core.section {
      links = RelationLinks()
      if let values { core.retire(values.owner) }
      values = nil
    }
  }

  /// The ends of a link, and its value, if it has one.
  package typealias Link = (source: Entity, target: Entity, value: (any Component)?)

  /// The number of links.
  package var count: Int { links.count }

  /// The links between entities, in the order of ``Context/links(_:)``, and those of targets that
  /// would have their sources in another order then: each in turn is to be moved behind the other
  /// sources of its target.
  ///
  /// - Parameter entities: Those that there were.
  /// - Returns: The links, and those that are to be moved.
  package func all(
    between entities: EntitiesBySlot
  ) -> (links: [Link], moves: [(source: Entity, target: Entity)]) {
    var all: [Link] = []
    var moves: [(source: Entity, target: Entity)] = []
    all.reserveCapacity(count)
    links.visitAll { id, source, target in
      if let source = entities[source], let target = entities[target] {
        all.append((source, target, values?.value(of: id)))
      }
    } moved: { source, target in
      if let source = entities[source], let target = entities[target] {
        moves.append((source, target))
      }
    }
    return (all, moves)
  }
}

extension Context {
  /// The links of a relation as they are now, to be read later.
  package func frozenLinks<R: Relation>(_ relation: R.Type) -> FrozenLinks {
    core.read {
      let store = core.relations?.existingStore(relation)
      return FrozenLinks(core, store?.links ?? RelationLinks(), store?.values)
    }
  }
}

/// Entities that were alive at one moment, by their slots.
package struct EntitiesBySlot {
  private var entities: [Entity?] = []

  package init() {}

  package mutating func add(_ some: [Entity]) {
    for entity in some {
      let slot = Int(entity.handle.index)
      if slot >= entities.count {
        entities += repeatElement(nil, count: max(slot + 1, 2 * entities.count) - entities.count)
      }
      entities[slot] = entity
    }
  }

  fileprivate subscript(slot: UInt32) -> Entity? {
    Int(slot) < entities.count ? entities[Int(slot)] : nil
  }
}
