/// What a context knows beyond storage: its groups and who observes it.
// Guarded by the lock of the context's core.
final class ContextState: CoreClient, @unchecked Sendable {
  let core: CoreReference
  weak var context: Context?

  var groups: [TableFilter: Group] = [:]
  var queue = DeliveryQueue()

  /// The observers of whole sources.
  var signals = ChangeSignals()

  /// The owners of observers.
  let owners = ObserverOwners()

  /// The number of observers of all kinds.
  var observerCount = 0

  private(set) var runawayCount = 0

  /// Observers of groups and indexes being made, and of runaways.
  let eventObservers = DirectObservers<Context.Event>()
  let runawayObservers = DirectObservers<RunawayReport>()

  /// The observers of single changes that there are, by their subject.
  private var entityLists: [Handle: ObserverList] = [:]
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
    entityLists[entity] ?? ObserverList(self, .entity(entity))
  }

  /// A list got its first observer: from here on, changes are told.
  func start(_ list: ObserverList) {
    guard !isEnded else { return }
    switch list.scope {
    case .context:
      core.contextObservers = list
    case .entity(let handle):
      entityLists[handle] = list
      core.startObserving(handle)
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
      entityLists[handle] = nil
      if !isEnding { stopObservingUnlessNeeded(handle) }
    case .group(let set):
      groupLists[ObjectIdentifier(set)] = nil
      set.observers = nil
      core.invalidateReactions(of: set)
    }
    core.retire(list)
  }

  func stopObservingUnlessNeeded(_ handle: Handle) {
    guard entityLists[handle] == nil, signals.registry[.entity(handle)] == nil else { return }
    core.stopObserving(handle)
  }

  // MARK: Notifications

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
    // The slot may have another entity, with observers of its own, before these are told.
    if isEnd { core.stopObserving(handle) }
    if let node = signals.registry[.entity(handle)] {
      if isEnd { node.isEnding = true }
      node.mark()
    }
    guard let list = entityLists[handle] else { return }
    if isEnd { list.endAfterDelivery() }
    let change = Change(
      kind: isEnd ? .destroyed : Change.Kind(kind), entity: Entity(core: core, handle: handle),
      values: values)
    enqueue(change, for: list)
  }

  private func enqueue(_ change: Change, for list: ObserverList) {
    queue.append(change, for: list)
    core.noteNotifications()
  }

  func enqueue(_ node: SignalNode) {
    queue.append(node)
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
    while let (item, isExcess) = queue.popFirst() {
      switch item {
      case .change(let change, let list, let number) where !isExcess:
        list.deliver(change, number: number)
      case .source(let node) where !isExcess:
        node.deliver()
      case .change(let change, let list, _):
        report = noting(["\(change.entity)"], in: report)
        list.drop(change)
      case .source(let node):
        report = noting([node.name] + node.observerNames, in: report)
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

  private func notifyRunaway(_ report: RunawayReport) {
    runawayCount += 1
    runawayObservers.tell(report)
  }

  // MARK: End

  func coreEnded() {
    isEnded = true
    for node in signals.registry.all { node.end() }
    for list in entityLists.values { list.endAll() }
    for list in groupLists.values { list.endAll() }
    contextList.endAll()
    eventObservers.endAll()
    runawayObservers.endAll()
    // All of it may own what is not ours.
    core.retire(Kept((signals, groups, queue, entityLists, groupLists)))
    (signals, groups, queue) = (ChangeSignals(), [:], DeliveryQueue())
    (entityLists, groupLists) = ([:], [:])
  }
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
