/// What a context knows beyond storage: its groups and who observes it.
// Guarded by the lock of the context's core.
final class ContextState: CoreClient, @unchecked Sendable {
  let core: CoreReference
  weak var context: Context?

  var groups: [TableFilter: Group] = [:]
  var queue = NotificationQueue()

  /// The observers of single entities.
  var entityObservers: [Handle: ObserverList] = [:]

  /// The observers of the context itself.
  let contextObservers = ObserverList(scope: .context)

  init(core: CoreReference) {
    self.core = core
  }

  func enqueue(
    _ kind: ReactionKind, _ handle: Handle, _ values: ChangeValues, for target: ReactionTarget
  ) {
    guard let list = target as? ObserverList else { return }
    let change = Change(
      kind: Change.Kind(kind), entity: Entity(core: core, handle: handle), values: values)
    enqueue(change, for: list)
  }

  func enqueueForEntity(
    _ kind: ReactionKind, _ handle: Handle, _ values: ChangeValues, isEnd: Bool
  ) {
    guard let list = entityObservers[handle] else { return }
    let change = Change(
      kind: isEnd ? .destroyed : Change.Kind(kind), entity: Entity(core: core, handle: handle),
      values: values)
    enqueue(change, for: list)
    if isEnd { forgetObservers(of: handle) }
  }

  func enqueue(_ change: Change, for list: ObserverList) {
    queue.append(change, for: list)
    core.noteNotifications()
  }

  func deliver() {
    while let notification = queue.popFirst() { notification.deliver() }
  }

  func forgetObservers(of handle: Handle) {
    guard entityObservers.removeValue(forKey: handle) != nil else { return }
    core.stopObserving(handle)
  }

  // MARK: Observers of groups and indexes being made

  private var creationObservers: [(id: Int, body: @Sendable (Context.Event) -> Void)] = []
  private var nextCreationObserver = 0

  func addCreationObserver(_ body: @escaping @Sendable (Context.Event) -> Void) -> Int {
    nextCreationObserver += 1
    creationObservers.append((nextCreationObserver, body))
    return nextCreationObserver
  }

  func removeCreationObserver(_ id: Int) {
    creationObservers.removeAll { $0.id == id }
  }

  func notifyCreation(_ event: Context.Event) {
    for observer in creationObservers { observer.body(event) }
  }

  func coreEnded() {
    creationObservers = []
    groups = [:]
    queue = NotificationQueue()
    entityObservers = [:]
  }
}

extension CoreReference {
  var state: ContextState? { client as? ContextState }

  /// The context that uses this core at present.
  var context: Context? { state?.context }
}
