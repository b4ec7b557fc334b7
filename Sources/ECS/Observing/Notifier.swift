/// The lists of all observers of a context, and of what is in it.
// Guarded by the lock of the context's core.
final class Notifier: @unchecked Sendable {
  let core: Core

  // PERFORMANCE: L1, D2: looked at for each link. No code of the user's runs while it is changed.
  /// The lists of observers, by their subjects.
  @exclusivity(unchecked) @safe nonisolated(unsafe) var lists:
    [ChangeSignal.Subject: ObserverList] = [:]

  /// The owners of observers.
  let owners = ObserverOwners()

  /// The number of observers.
  var observerCount = 0

  /// How often observers were stopped.
  private(set) var runawayCount = 0

  /// Whether the context is gone, and its core may be used by the next one.
  private(set) var isEnded = false

  init(_ core: Core) {
    self.core = core
  }

  // MARK: Telling

  /// Tells all that waits.
  func deliver() {
    owners.sweep()
    let wasStopped = core.notifications.areRoundsStopped
    guard let report = deliverQueue() else { return }
    runawayCount += 1
    if wasStopped { return }
    core.notifications.endRounds()
    lists[.runaways]?.tell(report)
    // What those that were notified have changed; if that ran away, too, they are not notified
    // again.
    if deliverQueue() != nil { runawayCount += 1 }
    // What journals announce that are notified of all this would begin anew.
    core.notifications.stopRounds()
  }

  private func deliverQueue() -> RunawayReport? {
    var report: RunawayReport?
    core.notifications.deliver { names in
      var noted = report ?? RunawayReport(rounds: core.notifications.maximumRounds)
      noted.note(names)
      report = noted
    }
    return report
  }

  /// Reports something of the context that is not a change of an entity, at once.
  func tell(_ event: ContextEvent) { lists[.context]?.tell(event) }

  // MARK: Ends

  /// An entity was destroyed.
  func entityEnded(_ handle: Handle) {
    // The slot may have another entity, with observers of its own, before these are notified.
    core.notifications.setObserver(.none, of: handle)
    lists[.entity(handle)]?.endAfterDelivery()
  }

  /// The creation of entities was taken back: their observers are notified of nothing.
  func entitiesUndone(_ handles: [Handle]) {
    guard !lists.isEmpty else { return }
    for handle in handles {
      guard let list = lists[.entity(handle)] else { continue }
      core.notifications.setObserver(.none, of: handle)
      list.endAll()
    }
  }

  /// The context is gone.
  func end() {
    isEnded = true
    let ended = Array(lists.values)
    lists = [:]
    for list in ended { list.endAll() }
    // All of it may own what is not ours.
    core.retire(Retained(ended))
  }
}

/// Keeps a value that has to be released somewhere else.
// What is kept is never used again.
final class Retained<Value>: @unchecked Sendable {
  private let value: Value

  init(_ value: Value) {
    self.value = value
  }
}
