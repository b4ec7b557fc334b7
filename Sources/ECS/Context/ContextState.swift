/// What a context knows beyond storage: its groups and who observes it.
// Guarded by the lock of the context's core.
final class ContextState: CoreClient, @unchecked Sendable {
  let core: CoreReference
  weak var context: Context?

  var groups: [TableFilter: Group] = [:]
  var queue = DeliveryQueue()

  /// The observers of single entities.
  var entityObservers: [Handle: ObserverList] = [:]

  /// The observers of the context itself.
  let contextObservers = ObserverList(scope: .context)

  /// The observers of whole sources.
  var signals = ChangeSignals()

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
    if let node = signals.registry[.entity(handle)] {
      if isEnd { node.isEnding = true }
      node.mark()
    }
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

  func enqueue(_ node: SignalNode) {
    queue.append(node)
    core.noteNotifications()
  }

  func deliver() {
    guard let report = deliverAll() else { return }
    notifyRunaway(report)
    // What those who were told have changed; if that ran away, too, they are not told again.
    if deliverAll() != nil { runawayCount += 1 }
  }

  private func deliverAll() -> RunawayReport? {
    var report: RunawayReport?
    while let (item, isExcess) = queue.popFirst() {
      switch item {
      case .change(let change, let list, let number) where !isExcess:
        list.deliver(change, number: number)
      case .source(let node) where !isExcess:
        node.deliver()
      case .change(let change, _, _):
        report = noting(["\(change.entity)"], in: report)
      case .source(let node):
        report = noting([node.name] + node.observers.compactMap(\.name), in: report)
        node.drop()
      }
    }
    return report
  }

  private func noting(_ names: [String], in report: RunawayReport?) -> RunawayReport {
    var report = report ?? RunawayReport(rounds: queue.maximumRounds)
    report.note(names)
    return report
  }

  func forgetObservers(of handle: Handle) {
    guard entityObservers.removeValue(forKey: handle) != nil else { return }
    stopObservingUnlessNeeded(handle)
  }

  // MARK: Observers of groups and indexes being made, and of runaways

  private var creationObservers: [(id: Int, body: @Sendable (Context.Event) -> Void)] = []
  private var runawayObservers: [(id: Int, body: @Sendable (RunawayReport) -> Void)] = []
  private var nextObserver = 0

  private(set) var runawayCount = 0

  func addCreationObserver(_ body: @escaping @Sendable (Context.Event) -> Void) -> Int {
    nextObserver += 1
    creationObservers.append((nextObserver, body))
    return nextObserver
  }

  func removeCreationObserver(_ id: Int) {
    creationObservers.removeAll { $0.id == id }
  }

  func notifyCreation(_ event: Context.Event) {
    for observer in creationObservers { observer.body(event) }
  }

  func addRunawayObserver(_ body: @escaping @Sendable (RunawayReport) -> Void) -> Int {
    nextObserver += 1
    runawayObservers.append((nextObserver, body))
    return nextObserver
  }

  func removeRunawayObserver(_ id: Int) {
    runawayObservers.removeAll { $0.id == id }
  }

  private func notifyRunaway(_ report: RunawayReport) {
    runawayCount += 1
    for observer in runawayObservers { observer.body(report) }
  }

  func coreEnded() {
    let nodes = signals.registry.all
    for node in nodes { node.end() }
    signals = ChangeSignals()
    creationObservers = []
    runawayObservers = []
    groups = [:]
    queue = DeliveryQueue()
    entityObservers = [:]
  }
}

extension CoreReference {
  var state: ContextState? { client as? ContextState }

  /// The context that uses this core at present.
  var context: Context? { state?.context }
}
