/// A finder of what entities are linked to by a relation, for views.
@usableFromInline
// Guarded by the lock of the core.
final class TargetFinder: @unchecked Sendable {
  private let core: Core
  private let relation: ObjectIdentifier

  /// Nil as long as nothing has used the relation: reading a view must not be what does.
  private var found: RelationStore?

  @usableFromInline
  init<R: Relation>(_ relation: R.Type, in core: Core) {
    self.core = core
    self.relation = ObjectIdentifier(relation)
  }

  private var store: RelationStore? {
    if found == nil { found = core.relations?.existingStore(relation) }
    return found
  }

  /// The first target of a living entity; nil if it has none.
  ///
  /// It may just have been destroyed, if its links are about to go.
  @usableFromInline
  func target(of handle: Handle) -> Handle? {
    store?.links.firstSlot(handle.index, .targets).map(core.lastHandle(ofSlot:))
  }

  /// Whether a living entity has a target.
  func hasTarget(_ handle: Handle) -> Bool {
    store.map { $0.links.count(handle.index, .targets) > 0 } ?? false
  }

  /// Whether a living entity is linked to a target, which may be dead.
  func isLinked(_ handle: Handle, to target: Handle) -> Bool {
    guard core.isAlive(target), let store else { return false }
    return store.links.search(source: handle.index, target: target.index) != nil
  }

  /// Whether a slot is below an entity, which may be dead, by a hierarchy.
  func isBelow(_ slot: UInt32, _ ancestor: Handle) -> Bool {
    guard core.isAlive(ancestor), let store else { return false }
    return store.links.isBelow(slot, ancestor.index)
  }

  /// Whether a target of a living entity passes a test.
  func containsTarget(of handle: Handle, where isIt: (UInt32) -> Bool) -> Bool {
    guard let store else { return false }
    var next = store.links.first(handle.index, .targets)
    while let link = next {
      if isIt(store.links.slot(of: link, .targets)) { return true }
      next = store.links.next(after: link, .targets)
    }
    return false
  }
}
