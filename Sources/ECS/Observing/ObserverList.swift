/// The observers of one subject, its single changes or it as a whole, in the order of their
/// subscription.
///
/// It is known to the notifier while there are any.
// Guarded by the lock of the core that the subject belongs to.
class ObserverList: CommitSubscriber, @unchecked Sendable {
  // PERFORMANCE: O2: what delivering an update takes comes first, so that it lies together.

  private var singleOfUpdated = SingleHandler.none

  // PERFORMANCE: O1: what the subject says, without taking it apart for each change.
  // INVARIANT: `set` keeps what the scope names.
  private let scope: ChangeScope

  /// Whether the subject is gone: the next delivery is the last one.
  private(set) final var isEnding = false

  // PERFORMANCE: V3: and then what a notice of the whole takes.

  /// Whether it waits to be notified that something changed.
  private var isMarked = false

  final let notifier: Notifier

  // PERFORMANCE: V3: checks of exclusive access would take a tenth of what a notification does. No
  // code of the user's runs while it is being changed: what leaves it lives longer than that.
  @exclusivity(unchecked) @safe nonisolated(unsafe) private var ofWhole =
    StableList<SingleRole<Observer>>()

  /// The number of the last change; see `Core.lastMark`.
  private(set) final var lastMark: UInt64 = 0

  /// The same, whether or not it was taken back.
  private final var latestMark: UInt64 = 0

  /// Those that marks concern from this one on are notified, although nothing has changed for
  /// others: what they saw when they began was taken back.
  private final var owedFrom = UInt64.max

  /// The last transaction that noted the list.
  private final var savepoint: UInt64 = 0

  private var singleOfAdded = SingleHandler.none
  private var singleOfRemoved = SingleHandler.none

  private let set: TableSet?

  /// The kinds of single changes that observers have asked for since there are any.
  private var kinds: ChangeKinds = []

  private var ofChanges = StableList<SingleRole<Observer>>()

  /// The observers of single changes by kinds.
  private let batches = HandlerBatches()

  final let subject: ChangeSignal.Subject

  /// The observers that were called as they began inside of transactions that run, by the last one
  /// that had begun then, and the first mark that concerns them; the earliest ones first.
  private final var beginnings: [(savepoint: UInt64, mark: UInt64)] = []

  init(_ notifier: Notifier, _ subject: ChangeSignal.Subject, of set: TableSet? = nil) {
    self.notifier = notifier
    self.subject = subject
    self.set = set
    scope = ChangeScope(set, isEntity: subject.isEntity)
  }

  // MARK: What subjects differ in

  /// Whether there are observers of single changes has changed, or which kinds they want.
  func observersOfChangesDidChange() {}

  /// Whether there are observers of the whole has changed.
  func observersOfWholeDidChange() {}

  /// The context has ended, and with it the last observation of the whole.
  func observersOfWholeEnded() {}

  /// An observer of single changes has come.
  func joinedThoseOfChanges(_ observer: Observer) {}

  /// An observer of single changes has gone.
  func leftThoseOfChanges(_ observer: Observer) {}

  /// An observer of the whole has come.
  func joined(_ observer: Observer) {}

  /// An observer of the whole has gone.
  func left(_ observer: Observer) {}

  /// What observers of the whole that run now get, other than that there was a change.
  func takeDetails() -> ChangeDetails? { nil }

  /// What a single observer of the whole gets, if that differs.
  func details(_ details: ChangeDetails?, for observer: Observer) -> ChangeDetails? { details }

  /// Whether there is nothing to report in the end.
  func isVoid(_ details: ChangeDetails?) -> Bool { false }

  /// What an observer gets that runs before any change.
  func initialDetails() -> ChangeDetails? { nil }

  /// The subject, which was gone, is there again.
  func revived() {}

  /// Whether observers are to be notified although nothing has changed.
  var owesNews: Bool { false }

  /// Whether it finds for itself what observers have to be notified of that began inside of a
  /// transaction.
  var knowsBeginnings: Bool { false }

  /// What is observed, for reports.
  var name: String { "" }

  // MARK: Observers

  final var core: Core { notifier.core }
  final var hasObserversOfChanges: Bool { !ofChanges.isEmpty }
  final var hasObserversOfWhole: Bool { !ofWhole.isEmpty }
  final var count: Int { ofChanges.count + ofWhole.count }

  /// The observer of single changes, if there is no other observer.
  final var onlyObserverOfChanges: Observer? {
    guard ofWhole.isEmpty, ofChanges.count == 1, hasFewObserversOfChanges else { return nil }
    return ofChanges.first { _ in true }
  }

  /// Whether there are so few observers of single changes that looking at each costs nothing.
  private var hasFewObserversOfChanges: Bool { ofChanges.length <= 16 }

  final var observers: [Observer] { ofChanges.members + ofWhole.members }

  final func append(_ observer: Observer) {
    if count == 0 { notifier.lists[subject] = self }
    notifier.observerCount += 1
    observer.list = self
    guard !observer.handler.isOfWhole else {
      ofWhole.append(observer)
      if ofWhole.count == 1, !notifier.isEnded { observersOfWholeDidChange() }
      return joined(observer)
    }
    let isMore = ofChanges.isEmpty || !kinds.isSuperset(of: observer.kinds)
    kinds.formUnion(observer.kinds)
    ofChanges.append(observer)
    observersOfChangesCameOrWent()
    if isMore, !notifier.isEnded { observersOfChangesDidChange() }
    joinedThoseOfChanges(observer)
  }

  /// Takes an observer out: only listening costs anything.
  ///
  /// The next context may have the core by now.
  final func remove(_ observer: Observer) {
    notifier.observerCount -= 1
    if observer.handler.isOfWhole {
      ofWhole.remove(observer)
      left(observer)
      if ofWhole.isEmpty {
        if notifier.isEnded { observersOfWholeEnded() } else { observersOfWholeDidChange() }
      }
    } else {
      ofChanges.remove(observer)
      observersOfChangesCameOrWent()
      if ofChanges.isEmpty {
        kinds = []
        if !notifier.isEnded { observersOfChangesDidChange() }
      }
      leftThoseOfChanges(observer)
    }
    guard count == 0 else { return }
    if notifier.lists[subject] === self { notifier.lists[subject] = nil }
    core.retire(self)
  }

  private func observersOfChangesCameOrWent() {
    batches.invalidate()
    singleOfAdded = findSingleHandler(of: .added)
    singleOfUpdated = findSingleHandler(of: .updated)
    singleOfRemoved = findSingleHandler(of: .removed)
  }

  private func findSingleHandler(of kind: ReactionKind) -> SingleHandler {
    guard hasFewObserversOfChanges else { return .none }
    var single = SingleHandler.none
    for observer in ofChanges where observer.wants(kind) {
      if single.isThere { return .none }
      single = SingleHandler(observer)
    }
    return single
  }

  @inline(__always)
  private func singleHandler(of kind: ReactionKind) -> SingleHandler {
    switch kind {
    case .added: singleOfAdded
    case .updated: singleOfUpdated
    case .removed: singleOfRemoved
    }
  }

  /// The subject is gone: what waits is delivered, and then the observations end.
  final func endAfterDelivery() {
    noteForReturn()
    isEnding = true
  }

  /// Lets a transaction put back what the list has noted.
  private final func noteForReturn() {
    guard core.isRecording, savepoint != core.transactions.savepoint else { return }
    savepoint = core.transactions.savepoint
    let (wasMarked, earlierMark, wasEnding) = (isMarked, lastMark, isEnding)
    let earlierOwed = owedFrom
    var owed: UInt64?
    core.transactions.onReturn(.listeners) { [self] in
      // What is taken back may be more than the transaction that runs now. The way back marks what
      // it changes.
      owed = beginnings.first { $0.savepoint >= core.transactions.savepoint }?.mark
      if let mark = owed, latestMark < mark { owed = nil }
      (isMarked, lastMark, owedFrom) = (wasMarked, earlierMark, earlierOwed)
      guard isEnding, !wasEnding else { return }
      isEnding = false
      revived()
    }
    core.transactions.onReturn(.last) { [self] in
      if let owed { owe(from: owed) }
    }
  }

  /// Notes an observer of the whole that begins, and is called at once, if it may see what a
  /// transaction takes back.
  final func noteInitialCall(of observer: Observer) {
    guard core.isRecording, !knowsBeginnings else { return }
    noteForReturn()
    if beginnings.isEmpty { core.transactions.onClose { [self] in beginnings = [] } }
    beginnings.append((core.transactions.lastSavepoint, observer.first))
  }

  /// Notifies those that saw what was taken back that there was a change.
  private final func owe(from mark: UInt64) {
    guard !ofWhole.isEmpty, !isEnding else { return }
    // That is taken back with a transaction around this one.
    noteForReturn()
    owedFrom = min(owedFrom, mark)
    if isMarked { return }
    isMarked = true
    core.notifications.queueMark(of: self)
  }

  /// Ends all observations: what is on its way to a queue still arrives.
  final func endAll() {
    isEnding = true
    for observer in observers { observer.end() }
  }

  // MARK: Single changes

  override final func wants(_ kind: ReactionKind) -> Bool { kinds.contains(ChangeKinds(kind)) }

  /// Delivers a change to those that observe single changes, unless it is void by now.
  override final func deliver(_ change: QueuedChange) {
    var change = change
    repeat {
      // An earlier observer may end a later one, or make the change void.
      if change.core.isJournaling || !singleHandler(of: change.kind).tell(change, scope) {
        tellAll(change)
      }
      if isEnding { endIfLast(change) }
    } while change.advance(for: self)
  }

  override final func prefetchHandler(of kind: ReactionKind) { singleHandler(of: kind).prefetch() }

  /// Delivers a change to several observers, or to those that journals have to name.
  @inline(never)
  private func tellAll(_ change: QueuedChange) {
    batches.deliver(change, to: ofChanges.members, for: scope) {
      $0.deliver(change, observing: name)
    }
  }

  override final func drop(_ change: QueuedChange) -> [String] {
    let names = ofChanges.members.compactMap(\.name)
    if isEnding { endIfLast(change) }
    return ["\(change.entity)"] + names
  }

  private func endIfLast(_ change: QueuedChange) {
    guard change.isEnd else { return }
    for observer in ofChanges.members { observer.end() }
  }

  /// Reports something that is not a change of an entity, at once.
  ///
  /// All observers are notified that there are at this moment, but none that an earlier one has
  /// ended.
  final func tell(_ event: ContextEvent) {
    forEachOfChanges { observer in
      if case .event(let handler) = observer.handler { handler(event) }
    }
  }

  final func tell(_ report: RunawayReport) {
    forEachOfChanges { observer in
      if case .runaway(let handler) = observer.handler { handler(report) }
    }
  }

  /// Notifies those that observe commits, unless nothing of it concerns them, of what was noted
  /// since they began.
  final func tell(_ commit: CommitRecord, behind start: (Observer) -> UndoLog.Position) {
    forEachOfChanges { observer in
      guard case .commit(let reader) = observer.handler else { return }
      reader.tell(commit, behind: start(observer))
    }
  }

  @inline(__always)
  private func forEachOfChanges(_ body: (Observer) -> Void) {
    let end = ofChanges.beginWalk()
    for index in 0..<end {
      if let observer = ofChanges.member(at: index) { body(observer) }
    }
    ofChanges.endWalk()
  }

  // MARK: The whole

  /// Notes a change: those that observe the whole are notified when the outermost change ends.
  override final func mark() {
    guard !ofWhole.isEmpty else { return }
    noteForReturn()
    lastMark = core.notifications.countMark()
    latestMark = lastMark
    guard !isMarked else { return }
    isMarked = true
    ofWhole.only?.prefetch(to: 127)
    core.notifications.queueMark(of: self)
  }

  override final func deliverMark() {
    isMarked = false
    // Without observers, the subject has another list by now if it has any: what there is to tell
    // belongs to that one.
    guard !ofWhole.isEmpty else { return }
    let (mark, owed, wasEnding) = (lastMark, owedFrom, isEnding)
    owedFrom = .max
    let details = takeDetails()
    forEachOfWhole { observer in
      guard observer.first <= mark || observer.first >= owed else { return }
      if observer.isOwnerGone { return observer.end() }
      let isTheEnd = isEnding && !wasEnding && details == nil
      tell(observer, self.details(details, for: observer))
      // It has seen the end, of which those will be notified that came before the observer that
      // made it.
      if isTheEnd { observer.end() }
    }
    if isEnding, !isMarked { endObserversOfWhole() }
  }

  @inline(__always)
  private func forEachOfWhole(_ body: (Observer) -> Void) {
    if let only = ofWhole.only { return only.visit(body) }
    let end = ofWhole.beginWalk()
    for index in 0..<end {
      if let observer = ofWhole.member(at: index) { body(observer) }
    }
    ofWhole.endWalk()
  }

  private func tell(_ observer: Observer, _ details: ChangeDetails?) {
    guard isEnding || !isVoid(details), case .whole(let handler) = observer.handler else { return }
    let announcement = ChangeSignal.Announcement(isInitial: false, details: details)
    if core.isJournaling {
      observer.call(observing: name) { handler(announcement) }
    } else {
      handler(announcement)
    }
  }

  override final func dropMark() -> [String] {
    isMarked = false
    let names = ofWhole.members.compactMap(\.name)
    if isEnding { endObserversOfWhole() }
    return [name] + names
  }

  private func endObserversOfWhole() {
    for observer in ofWhole.members { observer.end() }
  }
}
