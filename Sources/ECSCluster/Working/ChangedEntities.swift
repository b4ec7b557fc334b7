import ECS
import ECSSnapshots

/// The changes of the present transaction to entities with a key.
struct ChangedEntities<C: Component> {
  /// Those that live, in the order of their first changes.
  var changed: [Entity] = []

  /// The last components of those that have gone, and whose key no entity has.
  var gone: [C] = []

  /// The links of those whose links have changed.
  var links = PresentLinks()

  init() {}

  /// Collects it; called within the transaction, while there is a journal of everything.
  ///
  /// - Parameters:
  ///   - context: The context.
  ///   - index: Finds keys.
  ///   - schema: Says which relations are kept.
  ///   - isOwn: Whether a key may have changed.
  /// - Throws: ``ForeignChange`` if one has that may not, or if a link leads to, or comes from, an
  ///   entity that is elsewhere, or is not kept.
  init<Key: PartitionKey>(
    in context: Context, _ index: PrimaryIndex<C, Key>, _ schema: Schema, isOwn: (Key) -> Bool
  ) throws(ForeignChange) {
    var seen: Set<Entity> = []
    var entities: [Entity] = []
    // What an entity had before all of it comes first.
    var knownValues: Set<Entity> = []
    var earlier: [(entity: Entity, value: C)] = []
    var links = ChangedLinks(schema)
    context.forEachChange(losing: C.self) { entity, value in
      if seen.insert(entity).inserted { entities.append(entity) }
      if let value, knownValues.insert(entity).inserted { earlier.append((entity, value)) }
    } links: {
      links.note($0, $1, $2, $3)
    }
    for entity in entities {
      guard let key = index.key(of: entity) else { continue }
      guard isOwn(key) else { throw .ofEntity("\(key)") }
      changed.append(entity)
    }
    var goneKeys: Set<Key> = []
    for (entity, value) in earlier {
      let key = index.key(for: value)
      let holder = index[key]
      if holder == entity { continue }
      guard isOwn(key) else { throw .ofEntity("\(key)") }
      // Elsewhere, what has the key is the same entity as before.
      if let holder { links.noteAll(of: holder) }
      if entity.isAlive { links.noteAll(of: entity) }
      if holder == nil, goneKeys.insert(key).inserted { gone.append(value) }
    }
    self.links = try links.present { (entity) throws(ForeignChange) in
      guard let key = index.key(of: entity) else { return false }
      guard isOwn(key) else { throw .ofEntity("\(key)") }
      return true
    } _: { (source, target) throws(ForeignChange) in
      switch (index.key(of: source), index.key(of: target)) {
      case (nil, nil): return false
      case (let key?, nil), (nil, let key?): throw .ofLinkToUnkept("\(key)", C.cid.name)
      case (let source?, let target?):
        guard isOwn(source), isOwn(target) else { throw .ofLink("\(source)", "\(target)") }
        return true
      }
    }
  }

  /// All of some entities; links to others are left out.
  init<Key: PartitionKey>(
    all entities: [Entity], _ index: PrimaryIndex<C, Key>, _ schema: Schema
  ) {
    changed = entities
    if !schema.hasLinks { return }
    let kept = Set(entities)
    links = ChangedLinks(of: entities, schema).present(kept.contains) {
      kept.contains($0) && kept.contains($1)
    }
  }
}

/// A batch changed what another worker may own, or linked to what others can't find.
enum ForeignChange: Error, CustomStringConvertible {
  /// An entity, with its key.
  case ofEntity(String)

  /// A link, with the keys of its source and its target.
  case ofLink(String, String)

  /// A link between an entity with a key and one without, with that key and what would have it.
  case ofLinkToUnkept(String, String)

  var description: String {
    switch self {
    case .ofEntity(let key):
      "It changed the entity \(key), which is in another partition: send an event to it"
    case .ofLink(let source, let target):
      "It linked the entity \(source) to \(target), which is in another partition: keep its key instead, or let both keys combine to the same partition"
    case .ofLinkToUnkept(let key, let component):
      "It linked the entity \(key) with one that has no \(component), and is not kept: give it one, or use a relation that the schema does not keep"
    }
  }
}
