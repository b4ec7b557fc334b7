/// The observers of one ``ChangeSource``, and whether they have to run.
///
/// Exists while there are any.
// Guarded by the lock of the core.
class SignalNode: @unchecked Sendable {
  let core: CoreReference
  let subject: ChangeSignal.Subject
  private(set) weak var state: ContextState?
  private let observers = ObserverPlaces<SignalObserver>()

  /// Whether it waits to be delivered.
  private var isMarked = false

  /// The number of the last change; see `CoreReference.lastMark`.
  private(set) final var lastMark: UInt64 = 0

  /// The subject is gone: the next delivery is the last one.
  var isEnding = false

  init(_ state: ContextState, _ subject: ChangeSignal.Subject) {
    core = state.core
    self.state = state
    self.subject = subject
  }

  deinit { observers.deallocate() }

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

  /// Whether there is nothing to tell after all.
  func isVoid(_ details: (any Sendable)?) -> Bool { false }

  /// What an observer is told that runs before any change.
  func initialDetails() -> (any Sendable)? { nil }

  /// What the observers observe, for reports.
  var name: String { "" }

  final var observerCount: Int { observers.count }
  final var allObservers: [SignalObserver] { observers.members }
  final var observerNames: [String] { observers.members.compactMap(\.name) }

  /// Notes a change: observers run when the outermost change ends.
  final func mark() {
    guard !observers.isEmpty else { return }
    lastMark = core.countMark()
    guard !isMarked, let state else { return }
    isMarked = true
    state.enqueue(self)
  }

  final func append(_ observer: SignalObserver, in state: ContextState) {
    if observers.isEmpty {
      state.signals[subject] = self
      start()
    }
    observer.firstMark = core.lastMark + 1
    observer.node = self
    observers.append(observer)
    joined(observer)
  }

  fileprivate func remove(_ observer: SignalObserver) {
    observers.remove(observer)
    guard observers.isEmpty, let state else { return }
    if state.signals[subject] === self { state.signals[subject] = nil }
    stop()
    core.retire(self)
  }

  /// Runs the observers.
  final func deliver() {
    isMarked = false
    // Without observers, the subject has another node by now if it has any: what there is to tell
    // belongs to that one.
    guard !observers.isEmpty else { return }
    let mark = lastMark
    let details = takeDetails()
    observers.walk { observer in
      guard observer.firstMark <= mark else { return }
      if observer.isOwnerGone {
        observer.end()
      } else {
        tell(observer, self.details(details, for: observer))
      }
    }
    if isEnding { self.end() }
  }

  private func tell(_ observer: SignalObserver, _ details: (any Sendable)?) {
    guard isEnding || !isVoid(details) else { return }
    observer.run(ChangeSignal.Announcement(isInitial: false, details: details))
  }

  /// Gives up a change that nobody is going to be told of now.
  final func drop() {
    isMarked = false
    if isEnding { end() }
  }

  /// Ends all observations: what is on its way to a queue still arrives.
  final func end() {
    isEnding = true
    for observer in observers.members { observer.end() }
  }
}

/// An observer of a ``ChangeSource``.
// Guarded by the lock of the core.
final class SignalObserver: Observer, RosterMember, @unchecked Sendable {
  let run: @Sendable (ChangeSignal.Announcement) -> Void

  /// Called when the observation ends, whatever the reason.
  private let ended: @Sendable () -> Void

  private let outlet: (any Delivery)?
  let name: String?
  var rosterPlace = -1
  fileprivate(set) var firstMark: UInt64 = 0
  fileprivate(set) weak var node: SignalNode?

  /// Whose observation it is, if it is bound to an owner; and the place among the owner's.
  weak var owner: ObserverOwner?
  var placeAtOwner = -1

  /// The contents of a view when the observer came in the middle of a change.
  var earlierEntities: [Entity]?

  init(
    name: String? = nil, through outlet: (any Delivery)? = nil,
    ended: @escaping @Sendable () -> Void = {},
    run: @escaping @Sendable (ChangeSignal.Announcement) -> Void
  ) {
    self.run = run
    self.ended = ended
    self.name = name
    self.outlet = outlet
  }

  override var isOwnerGone: Bool { owner?.isGone == true }

  override var delivery: (any Delivery)? { outlet }

  override func leave() {
    owner?.remove(self)
    // What is on its way when the subject goes still arrives.
    if let node, !node.isEnding { outlet?.close() }
    node?.remove(self)
    ended()
  }
}

// Guarded by the lock of the core that it is registered with.
final class EntitySignalNode: SignalNode, @unchecked Sendable {
  private let handle: Handle

  init(_ state: ContextState, _ handle: Handle) {
    self.handle = handle
    super.init(state, .entity(handle))
  }

  override func start() { state?.start(self, of: handle) }

  override func stop() { state?.stop(self, of: handle, isEnding: isEnding) }

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
