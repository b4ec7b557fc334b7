/// For whom it is decided whether a change still holds.
@safe
struct ChangeScope {
  /// The tables in which an entity has to be; any if it is nil.
  // PERFORMANCE: O1: it is not retained for each change. INVARIANT: who has the scope keeps it.
  private let set: Unmanaged<TableSet>?

  /// Whether it is one entity, so that a component that was changed has to be there.
  private let isEntity: Bool

  init(_ set: TableSet?, isEntity: Bool) {
    unsafe self.set = set.map { unsafe Unmanaged.passUnretained($0) }
    self.isEntity = isEntity
  }

  /// One entity, whatever becomes of it.
  static var entity: ChangeScope { ChangeScope(nil, isEntity: true) }

  /// Whether an entity is there, after a change that was not its end.
  @inline(__always)
  func holds(_ change: QueuedChange) -> Bool {
    let core = change.core
    if let set = unsafe set {
      // SAFETY: see above.
      return unsafe set._withUnsafeGuaranteedRef { core.isMember(change.handle, of: $0) }
    }
    guard core.isAlive(change.handle) else { return false }
    guard isEntity, let cause = change.cause else { return true }
    return core.has(cause.key, change.handle)
  }
}

extension QueuedChange {
  /// Whether a change is to be told: what entities came to be or to have may be over by now.
  @inline(__always)
  func isCurrent(for scope: ChangeScope) -> Bool { kind == .removed || scope.holds(self) }
}
