/// Finds what entities are linked to by a to-one relation, for views.
@usableFromInline
// Guarded by the lock of the core.
final class TargetFinder: @unchecked Sendable {
  private let core: Core
  private let relation: ObjectIdentifier

  /// Nil as long as nothing has used the relation: reading a view must not be what does.
  private var store: RelationStore?

  @usableFromInline
  init<R: ToOneRelation>(_ relation: R.Type, in core: Core) {
    self.core = core
    self.relation = ObjectIdentifier(relation)
  }

  /// The target of a living entity; nil if it has none.
  ///
  /// It may just have been destroyed, if its links are about to go.
  @usableFromInline
  func target(of handle: Handle) -> Handle? {
    if store == nil { store = core.relations?.existingStore(relation) }
    return store?.links.firstSlot(handle.index, .targets).map(core.lastHandle(ofSlot:))
  }
}
