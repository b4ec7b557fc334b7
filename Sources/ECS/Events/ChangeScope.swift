/// The entities for which it is decided whether a change still holds.
@safe
struct ChangeScope {
  /// The tables in which an entity has to be; any if it is nil.
  // PERFORMANCE: O1: it is not retained for each change. INVARIANT: the owner of the scope keeps
  // it.
  private let members: UnsafeMutablePointer<TableMembers>?

  /// Whether it is one entity, so that a component that was changed has to be there.
  private let isEntity: Bool

  init(members: UnsafeMutablePointer<TableMembers>?, isEntity: Bool) {
    unsafe self.members = members
    self.isEntity = isEntity
  }

  /// One entity, whatever becomes of it.
  static var entity: ChangeScope { unsafe ChangeScope(members: nil, isEntity: true) }

  /// Whether an entity is there, after a change that was not its end.
  @inline(__always)
  func holds(_ change: QueuedChange) -> Bool {
    let core = change.core
    // SAFETY: see above.
    if let members = unsafe members {
      return unsafe members.pointee.contains(core.storedTable(of: change.handle))
    }
    guard core.isAlive(change.handle) else { return false }
    guard isEntity, let cause = change.cause else { return true }
    return core.has(cause.key, change.handle)
  }
}

extension QueuedChange {
  /// Whether a change is to be delivered: what entities came to be or to have may be over by now.
  @inline(__always)
  func isCurrent(for scope: ChangeScope) -> Bool { kind == .removed || scope.holds(self) }
}
