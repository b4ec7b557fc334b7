/// What a context knows beyond storage: its groups and who observes it.
// Guarded by the lock of the context's core.
final class ContextState: CoreClient, @unchecked Sendable {
  let core: CoreReference
  weak var context: Context?

  var groups: [TableFilter: Group] = [:]
  var queue = DeliveryQueue()

  /// The observers of whole sources.
  let signals = SignalNodes()

  /// The owners of observers.
  let owners = ObserverOwners()

  /// The number of observers of all kinds.
  var observerCount = 0

  private(set) var runawayCount = 0

  /// Observers of groups and indexes being made, and of runaways.
  let eventObservers = DirectObservers<Context.Event>()
  let runawayObservers = DirectObservers<RunawayReport>()

  /// The observers of single changes that there are, by their subject.
  private var entities: [Handle: EntityObservers] = [:]
  private var groupLists: [ObjectIdentifier: ObserverList] = [:]
  private(set) lazy var contextList = ObserverList(self, .context)

  /// Whether the context is gone, and its core may be used by the next one.
  private var isEnded = false

  init(core: CoreReference) {
    self.core = core
  }

  // MARK: Who observes single changes

  func list(of group: TableSet) -> ObserverList {
    groupLists[ObjectIdentifier(group)] ?? ObserverList(self, .group(group))
  }

  func list(of entity: Handle) -> ObserverList {
    entities[entity]?.list ?? ObserverList(self, .entity(entity))
  }

  /// A list got its first observer: from here on, changes are told.
  func start(_ list: ObserverList) {
    guard !isEnded else { return }
    switch list.scope {
    case .context:
      core.contextObservers = list
    case .entity(let handle):
      change(handle) { $0.list = list }
    case .group(let set):
      groupLists[ObjectIdentifier(set)] = list
      set.observers = list
      core.invalidateReactions(of: set)
    }
  }

  /// A list lost its last observer: only who listens costs anything.
  func stop(_ list: ObserverList, isEnding: Bool) {
    // The next context may have the core by now.
    guard !isEnded else { return }
    switch list.scope {
    case .context:
      core.contextObservers = nil
    case .entity(let handle):
      change(handle, isEnding: isEnding) { $0.list = nil }
    case .group(let set):
      groupLists[ObjectIdentifier(set)] = nil
      set.observers = nil
      core.invalidateReactions(of: set)
    }
    core.retire(list)
  }

  /// A list is asked for kinds of changes that it was not asked for before.
  func wantsMore(_ list: ObserverList) {
    guard !isEnded, case .group(let set) = list.scope else { return }
    core.invalidateReactions(of: set)
  }

  func start(_ node: EntitySignalNode, of handle: Handle) {
    if !isEnded { change(handle) { $0.node = node } }
  }

  func stop(_ node: EntitySignalNode, of handle: Handle, isEnding: Bool) {
    // The next context may have the core by now.
    if !isEnded { change(handle, isEnding: isEnding) { $0.node = nil } }
  }

  /// Changes who observes an entity.
  ///
  /// Once it has ended, its slot may have another entity, with observers of its own.
  private func change(
    _ handle: Handle, isEnding: Bool = false, _ body: (EntityObservers) -> Void
  ) {
    let observers = entities[handle] ?? EntityObservers()
    body(observers)
    entities[handle] = observers.isEmpty ? nil : observers
    if !isEnding { core.setObserver(observers.observed, of: handle) }
    if observers.isEmpty { core.retire(observers) }
  }

  // MARK: Notifications

  func entityEnded(_ handle: Handle) {
    // The slot may have another entity, with observers of its own, before these are told.
    core.setObserver(.nobody, of: handle)
    entities[handle]?.node?.isEnding = true
    entities[handle]?.list?.endAfterDelivery()
  }

  func enqueue(_ node: SignalNode) {
    queue.append(node, round: core.deliveryRound)
    core.noteNotifications()
  }

  func deliver() {
    // Who is told nothing any more need not be asked who is gone.
    guard context != nil else { return }
    owners.sweep()
    guard let report = deliverAll() else { return }
    notifyRunaway(report)
    // What those who were told have changed; if that ran away, too, they are not told again.
    if deliverAll() != nil { runawayCount += 1 }
  }

  private func deliverAll() -> RunawayReport? {
    var report: RunawayReport?
    while true {
      core.deliverChanges { handle in
        report = noting(["\(Entity(core: core, handle: handle))"], in: report)
      }
      guard let (node, round) = queue.popFirst() else { break }
      if core.noteDelivery(ofRound: round) {
        report = noting([node.name] + node.observerNames, in: report)
        node.drop()
      } else {
        node.deliver()
      }
    }
    core.endDelivery()
    return report
  }

  private func noting(_ names: [String], in report: RunawayReport?) -> RunawayReport {
    var report = report ?? RunawayReport(rounds: core.maximumRounds)
    report.note(names)
    return report
  }

  private func notifyRunaway(_ report: RunawayReport) {
    runawayCount += 1
    runawayObservers.tell(report)
  }

  // MARK: End

  func coreEnded() {
    isEnded = true
    let nodes = signals.takeAll()
    for node in nodes { node.end() }
    for observers in entities.values { observers.list?.endAll() }
    for list in groupLists.values { list.endAll() }
    contextList.endAll()
    eventObservers.endAll()
    runawayObservers.endAll()
    // All of it may own what is not ours.
    core.retire(Kept((nodes, groups, queue, entities, groupLists)))
    (groups, queue) = ([:], DeliveryQueue())
    (entities, groupLists) = ([:], [:])
  }
}

/// Who observes an entity: its single changes, and it as a whole.
// Guarded by the lock of the core.
private final class EntityObservers: ChangeTarget, @unchecked Sendable {
  var list: ObserverList?
  var node: EntitySignalNode?

  var isEmpty: Bool { list == nil && node == nil }

  /// What the core is to know of it.
  var observed: ObservedEntity {
    // PERFORMANCE: O2: who is told of nothing but single changes is told directly.
    switch (list, node) {
    case (nil, nil): .nobody
    case (let list?, nil): ObservedEntity(list, wantsChanges: true, wantsMarks: false)
    default: ObservedEntity(self, wantsChanges: list != nil, wantsMarks: node != nil)
    }
  }

  override func mark() { node?.mark() }
  override func deliver(_ change: QueuedChange) { list?.deliver(change) }
  override func drop(_ change: QueuedChange) { list?.drop(change) }
}

/// Keeps a value that has to be released somewhere else.
// What is kept is never used again.
final class Kept<Value>: @unchecked Sendable {
  private let value: Value

  init(_ value: Value) {
    self.value = value
  }
}

extension CoreReference {
  var state: ContextState? { client as? ContextState }

  /// The context that uses this core at present.
  var context: Context? { state?.context }
}
