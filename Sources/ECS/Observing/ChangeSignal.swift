/// Details of a change of a subject as a whole, which it makes for its observers.
// PERFORMANCE: V3: an object, since an existential value would be copied and cast for each
// observer. Subclasses never change.
class ChangeDetails: @unchecked Sendable {}

/// The means by which a ``ChangeSource`` announces its changes.
public struct ChangeSignal: Sendable {
  /// An announcement of a signal.
  public struct Announcement: Sendable {
    /// Whether an observer runs for the first time, before any change.
    public let isInitial: Bool

    let details: ChangeDetails?
  }

  /// The subject that a signal belongs to.
  enum Subject: Hashable {
    case entity(Handle)
    case group(ObjectIdentifier)
    case view(ObjectIdentifier)
    case relation(Handle, ObjectIdentifier, RelationSide)
    case context
    case runaways
    case journal

    /// Something above the core, by an ID that nothing else has.
    case other(UInt64)

    var isEntity: Bool {
      if case .entity = self { true } else { false }
    }
  }

  let core: Core
  let subject: Subject

  /// Makes the list that keeps the observers, unless the subject is gone.
  ///
  /// Called by the owner of the lock.
  let makeList: @Sendable (Notifier) -> ObserverList?

  init(
    core: Core, subject: Subject,
    makeList: @escaping @Sendable (Notifier) -> ObserverList?
  ) {
    self.core = core
    self.subject = subject
    self.makeList = makeList
  }

  /// The observers, if there are any.
  ///
  /// Ask within a section.
  var list: ObserverList? { core.client?.notifier.lists[subject] }

  /// The observers, if there are any, or a list to which the first one can be added; nil if the
  /// subject is gone.
  ///
  /// Ask within a section.
  func listMadeIfNeeded() -> ObserverList? {
    guard let notifier = core.client?.notifier else { return nil }
    if notifier.lists[subject] == nil {
      let made = makeList(notifier)
      // A closure of a view that begins its work may have observed it.
      if notifier.lists[subject] == nil { return made }
    }
    guard let list = notifier.lists[subject] else { return nil }
    return list.isEnding ? nil : list
  }
}
