/// An observer of a subject: what a ``Subscription`` ends.
// Guarded by the lock of the core.
final class Observer: ChangeObserver, StableListMember, @unchecked Sendable {
  /// The closure of an observer, and thereby when it is called.
  enum Handler {
    /// Each single change, when the outermost change ends.
    case change(@Sendable (QueuedChange) -> Void)

    /// The values of single changes.
    case values(ChangeHandler)

    /// That the subject changed, once, behind all single changes.
    case whole(@Sendable (ChangeSignal.Announcement) -> Void)

    /// What happens in a context: entities as single changes, all else at once.
    case event(@Sendable (ContextEvent) -> Void)

    /// All that an outermost change has changed, when all others have been notified.
    case commit(CommitReader)

    /// What observers were stopped, behind everything else.
    case runaway(@Sendable (RunawayReport) -> Void)

    /// Whether it is notified once of any number of changes.
    var isOfWhole: Bool {
      if case .whole = self { true } else { false }
    }

    /// How single changes are delivered.
    fileprivate var ofChanges: ChangeHandler {
      switch self {
      case .change(let body): WholeChangeHandler(body)
      case .values(let handler): handler
      case .event(let body): WholeChangeHandler { body(ContextEvent($0)) }
      case .whole, .commit, .runaway: .idle
      }
    }
  }

  /// The single changes that it is notified of.
  let kinds: ChangeKinds

  let handler: Handler

  /// What it changes the context for, once journals needed it.
  private var cause: CurrentCause?

  /// What only some have.
  private let terms: ObserverTerms?

  var listIndex = -1

  /// Where it began to observe.
  private let location: SourceLocation

  /// Where it is; nil before it begins and once it has ended.
  var list: ObserverList?

  init(
    _ handler: Handler, _ kinds: ChangeKinds = [], from first: UInt64,
    _ terms: ObserverTerms? = nil, at location: SourceLocation = .unknown
  ) {
    self.handler = handler
    self.location = location
    self.kinds = kinds
    self.terms = terms
    super.init(handler.ofChanges, kinds.rawValue, from: first)
  }

  override func deliver(_ change: QueuedChange, observing subject: @autoclosure () -> String) {
    call(observing: subject()) { call(change, changeHandler, .none) }
  }

  var name: String? { terms?.name }

  /// Which changes of commits it gets; nil if none.
  var choice: JournalFilter? {
    if case .commit(let reader) = handler { reader.choice } else { nil }
  }

  /// What carries calls to where they are made; nil if they are made in the critical section.
  var delivery: (any Delivery)? { terms?.delivery }

  /// Ends the observation.
  ///
  /// What its closure owns is released when the lock is free, since it may be anything.
  @inline(never)
  func end() {
    guard isActive else { return }
    isActive = false
    list?.core.noteStructuralChange()
    // First: a walk over the list that it leaves does not retain it.
    list?.core.retire(self)
    terms?.owner?.remove(self)
    if let list {
      // What is on its way when the subject goes still arrives.
      if !list.isEnding { terms?.delivery?.close() }
      list.remove(self)
    }
    list = nil
    terms?.ended()
  }
}

extension Observer {
  /// Calls it, so that journals get the cause of the changes that it makes.
  func call(observing subject: @autoclosure () -> String, _ body: () -> Void) {
    let cause =
      self.cause
      ?? CurrentCause(
        Cause(kind: .observer, name: name ?? subject(), file: location.file, line: location.line))
    self.cause = cause
    cause.run(body)
  }

  /// The owner of the observation, if it is bound to one.
  var owner: ObserverOwner? {
    get { terms?.owner }
    set { terms?.owner = newValue }
  }

  /// Its index among the owner's.
  var ownerIndex: Int {
    get { terms?.ownerIndex ?? -1 }
    set { terms?.ownerIndex = newValue }
  }

  /// Whether it was bound to an owner that is gone.
  var isOwnerGone: Bool { terms?.owner?.isGone == true }
}

/// The terms of an observer that is named, bound to an owner, or not called in the critical
/// section.
// Guarded by the lock of the core.
final class ObserverTerms: @unchecked Sendable {
  let name: String?
  fileprivate let delivery: (any Delivery)?

  /// Called when the observation ends, whatever the reason.
  fileprivate let ended: @Sendable () -> Void

  fileprivate weak var owner: ObserverOwner?
  fileprivate var ownerIndex = -1

  init(
    name: String? = nil, through delivery: (any Delivery)? = nil,
    ended: @escaping @Sendable () -> Void = {}
  ) {
    self.name = name
    self.delivery = delivery
    self.ended = ended
  }
}

/// Carries calls of an observer to somewhere outside the critical section.
protocol Delivery: AnyObject, Sendable {
  /// Lets no further call begin.
  func close()
}
