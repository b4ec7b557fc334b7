/// The observers of one group, entity or context, in the order of their subscription.
// Guarded by the lock of the core that its subject belongs to.
final class ObserverList: ReactionTarget, @unchecked Sendable {
  /// Whose changes the observers are told.
  enum Scope {
    case context
    case entity
    case group(TableSet)
  }

  // Guarded by the lock of the core, as the list is.
  final class Observer: @unchecked Sendable {
    let kinds: ChangeKinds
    let body: @Sendable (Change) -> Void

    /// Changes queued before the subscription are not delivered.
    let firstNotification: UInt64
    var isActive = true

    init(
      kinds: ChangeKinds, firstNotification: UInt64, body: @escaping @Sendable (Change) -> Void
    ) {
      self.kinds = kinds
      self.firstNotification = firstNotification
      self.body = body
    }
  }

  let scope: Scope
  private(set) var observers: [Observer] = []

  init(scope: Scope) {
    self.scope = scope
  }

  func append(_ observer: Observer) {
    observers.append(observer)
  }

  func remove(_ observer: Observer) {
    observer.isActive = false
    observers.removeAll { $0 === observer }
  }

  /// Tells the observers, unless the change is void by now.
  func deliver(_ change: Change, number: UInt64) {
    guard isCurrent(change) else { return }
    for observer in observers where observer.firstNotification <= number {
      // An earlier observer may have ended this one, or made the change void.
      guard observer.isActive, observer.kinds.contains(change.kind), isCurrent(change) else {
        continue
      }
      observer.body(change)
    }
  }

  private func isCurrent(_ change: Change) -> Bool {
    switch change.kind {
    case .removed, .destroyed: true
    case .added, .updated: holds(change)
    }
  }

  private func holds(_ change: Change) -> Bool {
    let core = change.entity.core
    guard core.isAlive(change.entity.handle) else { return false }
    switch scope {
    case .context: return true
    case .group(let set): return core.isMember(change.entity.handle, of: set)
    case .entity:
      guard let cause = change.values.cause else { return true }
      return core.has(cause.info.key, change.entity.handle)
    }
  }
}
