import ECS

/// The changes of the present transaction to entities with a key.
struct ChangedEntities<C: Component> {
  /// Those that live, in the order of their first changes.
  var changed: [Entity] = []

  /// The last components of those that have gone, and whose key no entity has.
  var gone: [C] = []

  init() {}

  /// Collects it; called within the transaction, while there is a journal of everything.
  ///
  /// - Parameters:
  ///   - context: The context.
  ///   - index: Finds keys.
  ///   - isOwn: Whether a key may have changed.
  /// - Throws: ``ForeignChange`` if one has that may not.
  init<Key: PartitionKey>(
    in context: Context, _ index: PrimaryIndex<C, Key>, isOwn: (Key) -> Bool
  ) throws(ForeignChange) {
    var seen: Set<Entity> = []
    var entities: [Entity] = []
    var lost: [C] = []
    context.forEachChange(losing: C.self) { entity, value in
      if seen.insert(entity).inserted { entities.append(entity) }
      if let value { lost.append(value) }
    }
    for entity in entities {
      guard let key = index.key(of: entity) else { continue }
      guard isOwn(key) else { throw ForeignChange(key: "\(key)") }
      changed.append(entity)
    }
    var goneKeys: Set<Key> = []
    for value in lost {
      let key = index.key(for: value)
      guard isOwn(key) else { throw ForeignChange(key: "\(key)") }
      if index[key] == nil, goneKeys.insert(key).inserted { gone.append(value) }
    }
  }
}

/// A batch changed what another worker may own.
struct ForeignChange: Error, CustomStringConvertible {
  let key: String

  var description: String {
    "It changed the entity \(key), which is in another partition: send an event to it"
  }
}
