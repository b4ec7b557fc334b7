extension LiveView: ChangeSource {
  /// Where it is announced that entities came, went, moved, or had a component replaced that
  /// the matcher, a filter or a sort key mentions, or the value of a link that one of these reads.
  ///
  /// An entity that comes and goes within one outermost change is not announced.
  public var changeSignal: ChangeSignal {
    ChangeSignal(core: definition.core, subject: .view(ObjectIdentifier(self))) { notifier in
      self.beginWork().map { LiveViewObserverList(notifier, self, $0) }
    }
  }

  /// The view, and how it differs from the observer's previous notice.
  public func notice(of announcement: ChangeSignal.Announcement) -> LiveViewChange {
    LiveViewChange(
      view: self, isInitial: announcement.isInitial,
      details: announcement.details as? LiveViewDetails ?? .none)
  }
}

// Guarded by the lock of the core that it is registered with.
final class LiveViewObserverList: ObserverList, @unchecked Sendable {
  private let view: LiveView
  private let sink: LiveViewSink

  /// The contents after a change in whose course observers came, for all of these.
  private var snapshot: (mark: UInt64, entities: [Entity])?

  // PERFORMANCE: V3: as in lists of observers; both own nothing but handles.

  /// What the contents were when observers came in the middle of a change, until they are notified.
  @exclusivity(unchecked) @safe nonisolated(unsafe) private var earlierEntities:
    [ObjectIdentifier: [Entity]] = [:]

  /// What the contents are of which these are notified: observers before them may change the view.
  @exclusivity(unchecked) @safe nonisolated(unsafe) private var toldEntities: [Entity] = []

  init(_ notifier: Notifier, _ view: LiveView, _ sink: LiveViewSink) {
    self.view = view
    self.sink = sink
    super.init(notifier, .view(ObjectIdentifier(view)))
  }

  override func observersOfWholeDidChange() { sink.observers = hasObserversOfWhole ? self : nil }

  override func joined(_ observer: Observer) {
    // In the middle of a change: what is to be notified begins at another moment for this observer.
    guard sink.hasChanges else { return }
    if snapshot?.mark != lastMark { snapshot = (lastMark, sink.entities) }
    earlierEntities[ObjectIdentifier(observer)] = snapshot?.entities
  }

  override func left(_ observer: Observer) {
    earlierEntities[ObjectIdentifier(observer)] = nil
  }

  override func takeDetails() -> ChangeDetails? {
    snapshot = nil
    toldEntities = earlierEntities.isEmpty ? [] : sink.entities
    return LiveViewDetails(sink.takeDifference())
  }

  override func details(_ details: ChangeDetails?, for observer: Observer) -> ChangeDetails? {
    guard !earlierEntities.isEmpty,
      let earlier = earlierEntities.removeValue(forKey: ObjectIdentifier(observer))
    else { return details }
    defer { if earlierEntities.isEmpty { toldEntities = [] } }
    return LiveViewDetails(.replacing(earlier, with: toldEntities))
  }

  override func isVoid(_ details: ChangeDetails?) -> Bool {
    // What came and went again within the change.
    (details as? LiveViewDetails)?.difference.isEmpty == true
  }

  override var owesNews: Bool { !earlierEntities.isEmpty }

  override var knowsBeginnings: Bool { true }

  override func initialDetails() -> ChangeDetails? {
    LiveViewDetails(.replacing([], with: sink.entities))
  }

  override var name: String { "\(view)" }
}
