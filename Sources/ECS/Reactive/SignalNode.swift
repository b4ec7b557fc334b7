/// The observers of one ``ChangeSource``, and whether they have to run.
///
/// Exists while there are any.
// Guarded by the lock of the core.
class SignalNode: @unchecked Sendable {
  let core: CoreReference
  let subject: ChangeSignal.Subject
  private(set) weak var state: ContextState?
  private(set) var observers: [SignalObserver] = []

  /// Whether it waits to be delivered.
  fileprivate(set) var isMarked = false

  /// The number of the last change; see `ChangeSignals.lastMark`.
  fileprivate var lastMark: UInt64 = 0

  /// The subject is gone: the next delivery is the last one.
  var isEnding = false

  init(_ state: ContextState, _ subject: ChangeSignal.Subject) {
    core = state.core
    self.state = state
    self.subject = subject
  }

  deinit {
    // The context went without waiting for the change in whose course it did.
    for observer in observers where observer.isActive {
      observer.isActive = false
      observer.ended()
    }
  }

  /// The first observer has come.
  func start() {}

  /// The last observer has gone.
  func stop() {}

  /// What observers that run now are told, besides that there was a change.
  func takeDetails() -> (any Sendable)? { nil }

  /// An observer has come.
  func joined(_ observer: SignalObserver) {}

  /// What a single observer is told, if that differs.
  func details(_ details: (any Sendable)?, for observer: SignalObserver) -> (any Sendable)? {
    details
  }

  /// What an observer is told that runs before any change.
  func initialDetails() -> (any Sendable)? { nil }

  /// What the observers observe, for reports.
  var name: String { "" }

  /// Notes a change: observers run when the outermost change ends.
  final func mark() {
    guard let state, !observers.isEmpty else { return }
    state.signals.lastMark += 1
    lastMark = state.signals.lastMark
    guard !isMarked else { return }
    isMarked = true
    state.enqueue(self)
  }

  final func append(_ observer: SignalObserver) {
    guard let state else { return }
    if observers.isEmpty {
      state.signals.registry[subject] = self
      start()
    }
    state.signals.observerCount += 1
    observer.firstMark = state.signals.lastMark + 1
    observer.node = self
    observers.append(observer)
    joined(observer)
  }

  final func remove(_ observer: SignalObserver) {
    guard observer.isActive else { return }
    observer.isActive = false
    if !isEnding { observer.cancellation?.cancel() }
    observers.removeAll { $0 === observer }
    guard let state else { return }
    state.signals.observerCount -= 1
    guard observers.isEmpty else { return }
    if state.signals.registry[subject] === self { state.signals.registry[subject] = nil }
    stop()
  }

  /// Runs the observers.
  final func deliver() {
    isMarked = false
    let running = observers.filter { $0.firstMark <= lastMark }
    let details = takeDetails()
    for observer in running where observer.isActive {
      guard !observer.isOwnerGone() else {
        state?.end(observer)
        continue
      }
      observer.run(
        ChangeSignal.Announcement(isInitial: false, details: self.details(details, for: observer)))
    }
    if isEnding { end() }
  }

  /// Gives up a change that nobody is going to be told of now.
  final func drop() {
    isMarked = false
    if isEnding { end() }
  }

  /// Ends all observations.
  final func end() {
    for observer in observers {
      state?.end(observer)
      observer.ended()
    }
  }
}

/// An observer of a ``ChangeSource``.
// Guarded by the lock of the core.
final class SignalObserver: @unchecked Sendable {
  let run: @Sendable (ChangeSignal.Announcement) -> Void

  /// Whether the observer was bound to an owner that is gone.
  let isOwnerGone: @Sendable () -> Bool

  /// Called when the subject is gone.
  let ended: @Sendable () -> Void

  let name: String?
  var ownerID: ObjectIdentifier?
  var isActive = true
  fileprivate(set) var firstMark: UInt64 = 0
  fileprivate(set) weak var node: SignalNode?

  /// The contents of a view when the observer came in the middle of a change.
  var earlierEntities: [Entity]?

  /// Tells what waits on a queue that the observation has ended.
  var cancellation: Cancellation?

  init(
    name: String? = nil, ownerID: ObjectIdentifier? = nil,
    isOwnerGone: @escaping @Sendable () -> Bool = { false },
    ended: @escaping @Sendable () -> Void = {},
    run: @escaping @Sendable (ChangeSignal.Announcement) -> Void
  ) {
    self.run = run
    self.isOwnerGone = isOwnerGone
    self.ended = ended
    self.name = name
    self.ownerID = ownerID
  }
}

// Guarded by the lock of the core that it is registered with.
final class EntitySignalNode: SignalNode, @unchecked Sendable {
  private let handle: Handle

  init(_ state: ContextState, _ handle: Handle) {
    self.handle = handle
    super.init(state, .entity(handle))
  }

  override func start() { core.startObserving(handle) }

  override func stop() { state?.stopObservingUnlessNeeded(handle) }

  override var name: String { Entity(core: core, handle: handle).description }
}

// Guarded by the lock of the core that it is registered with.
final class GroupSignalNode: SignalNode, @unchecked Sendable {
  // Guarded by the lock of the core that it is registered with.
  private final class Sink: EntitySink, @unchecked Sendable {
    weak var node: GroupSignalNode?

    override func react(_ kind: ReactionKind, _ handle: Handle) { node?.mark() }
  }

  private let sink: Sink
  private let matcher: Matcher

  init(_ state: ContextState, _ group: Group) {
    sink = Sink(group.tables)
    matcher = group.matcher
    super.init(state, .group(ObjectIdentifier(group)))
    sink.node = self
  }

  override func start() { core.register(sink) }

  override func stop() { core.unregister(sink) }

  override var name: String { "Group \(matcher)" }
}
