extension LiveView: ChangeSource {
  /// Where it is announced that entities came, went, moved, or had a component replaced that
  /// the matcher, a filter or a sort key mentions.
  ///
  /// What comes and goes again within an outermost change is not announced.
  public var changeSignal: ChangeSignal {
    ChangeSignal(core: definition.core, subject: .view(ObjectIdentifier(self))) { state in
      self.beginWork().map { LiveViewSignalNode(state, self, $0) }
    }
  }

  /// The view, and how it differs from what the observer was told last.
  public func notice(of announcement: ChangeSignal.Announcement) -> LiveViewChange {
    LiveViewChange(
      view: self, isInitial: announcement.isInitial,
      difference: announcement.details as? LiveViewDifference ?? LiveViewDifference())
  }
}

// Guarded by the lock of the core that it is registered with.
final class LiveViewSignalNode: SignalNode, @unchecked Sendable {
  private let view: LiveView
  private let sink: LiveViewSink

  /// The contents after a change in whose course observers came, for all of these.
  private var snapshot: (mark: UInt64, entities: [Entity])?

  init(_ state: ContextState, _ view: LiveView, _ sink: LiveViewSink) {
    self.view = view
    self.sink = sink
    super.init(state, .view(ObjectIdentifier(view)))
  }

  override func start() { sink.signal = self }

  override func stop() { sink.signal = nil }

  override func joined(_ observer: SignalObserver) {
    // In the middle of a change: what is to be told begins at another moment for this observer.
    guard sink.hasChanges else { return }
    if snapshot?.mark != lastMark { snapshot = (lastMark, sink.entities) }
    observer.earlierEntities = snapshot?.entities
  }

  override func takeDetails() -> (any Sendable)? {
    snapshot = nil
    return sink.takeDifference()
  }

  override func details(
    _ details: (any Sendable)?, for observer: SignalObserver
  ) -> (any Sendable)? {
    guard let earlier = observer.earlierEntities else { return details }
    observer.earlierEntities = nil
    return LiveViewDifference.replacing(earlier, with: sink.entities)
  }

  override func isVoid(_ details: (any Sendable)?) -> Bool {
    // What came and went again within the change.
    (details as? LiveViewDifference)?.isEmpty == true
  }

  override func initialDetails() -> (any Sendable)? {
    LiveViewDifference.replacing([], with: sink.entities)
  }

  override var name: String { "\(view)" }
}
