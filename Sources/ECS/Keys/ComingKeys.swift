/// The keys that entities come to have by what was asked for in an iteration.
// Guarded by the lock of the core.
final class ComingKeys<Key: Hashable> {
  /// The outermost iteration that it is about.
  let iteration: UInt64

  /// The entities that are looked for here, and not in the index.
  var entities: Set<Handle> = []

  /// Those of them that have keys.
  let keys: IndexStorage<Key>

  /// How much of what was asked for is taken in.
  var stepCount = 0

  /// The entities whose values could not be read so far.
  var lent: [Handle] = []

  /// Keys are being computed, by code that may look something up.
  var isTakingIn = false

  init(_ iteration: UInt64, _ keys: IndexStorage<Key>) {
    (self.iteration, self.keys) = (iteration, keys)
  }

  func isUnchanged(_ entity: Entity) -> Bool { !entities.contains(entity.handle) }
}

extension IndexStorage {
  /// What look-ups have to take in; nil if nothing was asked for.
  private func comingKeys() -> ComingKeys<Key>? {
    guard core.commands.hasSteps else { return nil }
    let iteration = core.commands.id
    if let coming, coming.iteration == iteration { return takingIn(coming) }
    let made = ComingKeys<Key>(
      iteration, IndexStorage(core, of: component, hasManyKeys: hasManyKeys) { _ in [] })
    coming = made
    core.commands.append { self.coming = nil }
    return takingIn(made)
  }

  private func takingIn(_ coming: ComingKeys<Key>) -> ComingKeys<Key> {
    if coming.isTakingIn { return coming }
    coming.isTakingIn = true
    defer { coming.isTakingIn = false }
    let before = core.beginRefusingChanges(.buildingKeys)
    defer { core.endRefusingChanges(before) }
    let lent = coming.lent
    coming.lent = []
    for handle in lent {
      if core.commands.isLent(component, of: handle) {
        coming.lent.append(handle)
      } else {
        takeIn(handle, coming)
      }
    }
    coming.stepCount = core.commands.forEachStep(component, from: coming.stepCount) {
      takeIn($0, coming)
    } lent: {
      coming.lent.append($0)
    }
    return coming
  }

  private func takeIn(_ handle: Handle, _ coming: ComingKeys<Key>) {
    coming.entities.insert(handle)
    let (entity, keys) = (Entity(core: core, handle: handle), seenKeys(handle))
    if hasManyKeys {
      coming.keys.update(entity, keys: keys)
    } else if let key = keys.first {
      coming.keys.update(entity, key)
    } else {
      coming.keys.remove(handle)
    }
  }

  // MARK: Looking up

  /// The entities that are under a key once all is done that was asked for, as far as it is known.
  func seenEntities(_ key: Key) -> ContiguousArray<Entity> {
    guard let coming = comingKeys() else { return entities(key) }
    return entities(key).filter(coming.isUnchanged) + coming.keys.entities(key)
  }

  /// The first of the entities under a key, seen in this way.
  @usableFromInline
  @inline(never)
  func firstSeen(_ key: Key) -> Entity? {
    guard let coming = comingKeys() else { return first(key) }
    // Mostly there is one.
    if let first = first(key), coming.isUnchanged(first) { return first }
    if !isPrimary, let other = entities(key).first(where: coming.isUnchanged) { return other }
    return coming.keys.first(key)
  }

  /// The key of an entity, seen in this way; for indexes with one key an entity.
  func seenKey(of handle: Handle) -> Key? {
    guard let coming = comingKeys(), coming.entities.contains(handle) else {
      return core.isAlive(handle) ? key(of: handle) : nil
    }
    return coming.keys.key(of: handle)
  }

  /// The keys that have entities, seen in this way.
  var allSeenKeys: [Key] {
    guard let coming = comingKeys() else { return keys }
    let kept = keys.filter { entities($0).contains(where: coming.isUnchanged) }
    let known = Set(kept)
    return kept + coming.keys.keys.filter { !known.contains($0) }
  }
}
