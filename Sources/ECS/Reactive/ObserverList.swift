/// The observers of the single changes of one group, entity or context, in the order of their
/// subscription.
// Guarded by the lock of the core that its subject belongs to.
final class ObserverList: ReactionTarget, @unchecked Sendable {
  /// Whose changes the observers are told.
  enum Scope {
    case context
    case entity(Handle)
    case group(TableSet)
  }

  let scope: Scope
  private weak var state: ContextState?
  private var observers = Roster<SubjectRole<ChangeObserver>>()

  /// The subject is gone: the next delivery is the last one.
  private var isEnding = false

  init(_ state: ContextState, _ scope: Scope) {
    self.state = state
    self.scope = scope
  }

  var isEmpty: Bool { observers.isEmpty }

  func append(_ observer: ChangeObserver) {
    if observers.isEmpty { state?.start(self) }
    observer.list = self
    observers.append(observer)
  }

  func remove(_ observer: ChangeObserver) {
    observers.remove(observer)
    if observers.isEmpty { state?.stop(self, isEnding: isEnding) }
  }

  /// The subject was destroyed: what is queued is told, and then the observations end.
  func endAfterDelivery() { isEnding = true }

  /// Tells the observers, unless the change is void by now.
  func deliver(_ change: Change, number: UInt64) {
    let end = observers.beginWalk()
    for place in 0..<end {
      // An earlier observer may have ended this one, or made the change void.
      guard let observer = observers.member(at: place), observer.firstNotification <= number,
        observer.kinds.contains(change.kind), isCurrent(change)
      else { continue }
      observer.body(change)
    }
    observers.endWalk()
    endIfLast(change)
  }

  /// Gives up a change that nobody is going to be told of now.
  func drop(_ change: Change) { endIfLast(change) }

  private func endIfLast(_ change: Change) {
    if isEnding, change.kind == .destroyed { endAll() }
  }

  func endAll() {
    for observer in observers.members { observer.end() }
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

/// An observer of single changes.
// Guarded by the lock of the core.
final class ChangeObserver: Observer, @unchecked Sendable {
  let kinds: ChangeKinds
  let body: @Sendable (Change) -> Void

  /// Changes queued before the subscription are not delivered.
  let firstNotification: UInt64

  /// Called when the observation ends, whatever the reason.
  private let ended: @Sendable () -> Void

  fileprivate weak var list: ObserverList?

  init(
    _ kinds: ChangeKinds, from firstNotification: UInt64,
    ended: @escaping @Sendable () -> Void = {}, body: @escaping @Sendable (Change) -> Void
  ) {
    self.kinds = kinds
    self.firstNotification = firstNotification
    self.ended = ended
    self.body = body
  }

  override func leave() {
    list?.remove(self)
    ended()
  }
}
