/// The observers of the single changes of one group, entity or context, in the order of their
/// subscription.
// Guarded by the lock of the core that its subject belongs to.
final class ObserverList: ChangeTarget, @unchecked Sendable {
  /// Whose changes the observers are told.
  enum Scope {
    case context
    case entity(Handle)
    case group(TableSet)
  }

  let scope: Scope

  // PERFORMANCE: O1: what the scope says, without taking it apart for each change.
  private let set: TableSet?
  private let isOfEntity: Bool

  private weak var state: ContextState?
  private let observers = ObserverPlaces<ChangeObserver>()

  /// The kinds that an observer ever asked for.
  private var kinds: ChangeKinds = []

  /// The subject is gone: the next delivery is the last one.
  private var isEnding = false

  init(_ state: ContextState, _ scope: Scope) {
    self.state = state
    self.scope = scope
    switch scope {
    case .context: (set, isOfEntity) = (nil, false)
    case .entity: (set, isOfEntity) = (nil, true)
    case .group(let set): (self.set, isOfEntity) = (set, false)
    }
  }

  deinit { observers.deallocate() }

  var isEmpty: Bool { observers.isEmpty }

  func append(_ observer: ChangeObserver) {
    let isFirst = observers.isEmpty
    let isMore = !kinds.isSuperset(of: observer.kinds)
    kinds.formUnion(observer.kinds)
    observer.list = self
    observers.append(observer)
    if isFirst {
      state?.start(self)
    } else if isMore {
      state?.wantsMore(self)
    }
  }

  func remove(_ observer: ChangeObserver) {
    observers.remove(observer)
    if observers.isEmpty { state?.stop(self, isEnding: isEnding) }
  }

  /// The subject was destroyed: what is queued is told, and then the observations end.
  func endAfterDelivery() { isEnding = true }

  override func wants(_ kind: ReactionKind) -> Bool { kinds.contains(ChangeKinds(kind)) }

  override func wantsValues(_ kind: ReactionKind) -> Bool {
    // Who observes a context is told the values of what is gone, not of what is new.
    if case .context = scope { kind != .added } else { true }
  }

  /// Tells the observers, unless the change is void by now.
  override func deliver(_ change: QueuedChange) {
    let kind = ChangeKinds(change.kind)
    observers.walk { observer in
      // An earlier observer may have ended this one, or made the change void.
      guard observer.firstNotification <= change.number, observer.kinds.contains(kind),
        isCurrent(change)
      else { return }
      observer.handler(change)
    }
    if isEnding { endIfLast(change) }
  }

  override func drop(_ change: QueuedChange) {
    if isEnding { endIfLast(change) }
  }

  private func endIfLast(_ change: QueuedChange) {
    if change.isEnd { endAll() }
  }

  func endAll() {
    for observer in observers.members { observer.end() }
  }

  @inline(__always)
  private func isCurrent(_ change: QueuedChange) -> Bool {
    if change.kind == .removed { return true }
    let core = change.core
    if let set { return core.isMember(change.handle, of: set) }
    guard core.isAlive(change.handle) else { return false }
    guard isOfEntity, let cause = change.cause else { return true }
    return core.has(cause.key, change.handle)
  }
}

/// An observer of single changes.
// Guarded by the lock of the core.
final class ChangeObserver: Observer, RosterMember, @unchecked Sendable {
  let kinds: ChangeKinds
  let handler: @Sendable (QueuedChange) -> Void

  /// Changes queued before the subscription are not delivered.
  let firstNotification: UInt64

  /// Called when the observation ends, whatever the reason.
  private let ended: @Sendable () -> Void

  var rosterPlace = -1

  fileprivate weak var list: ObserverList?

  init(
    _ kinds: ChangeKinds, from firstNotification: UInt64,
    ended: @escaping @Sendable () -> Void = {}, handler: @escaping @Sendable (QueuedChange) -> Void
  ) {
    self.kinds = kinds
    self.firstNotification = firstNotification
    self.ended = ended
    self.handler = handler
  }

  override func leave() {
    list?.remove(self)
    ended()
  }
}
