/// Something that can be observed as a whole: an entity, a group, a live view, what an entity is
/// related to.
///
/// Its observers run once for each outermost change, however many components changed. To be told
/// of each change on its own, with old and new values, use
/// ``SingleChangeSource/observeChanges(_:name:on:_:)`` of entities and groups.
///
/// A type of yours can be a source by passing on the ``changeSignal`` of another source.
public protocol ChangeSource: Sendable {
  /// What observers are given.
  associatedtype Notice: Sendable = Self

  /// Where changes of this source are announced.
  var changeSignal: ChangeSignal { get }

  /// What observers are given for an announcement.
  func notice(of announcement: ChangeSignal.Announcement) -> Notice
}

extension ChangeSource where Notice == Self {
  /// The source itself.
  public func notice(of announcement: ChangeSignal.Announcement) -> Self { self }
}

/// Where the changes of a ``ChangeSource`` are announced.
public struct ChangeSignal: Sendable {
  /// What is announced.
  public struct Announcement: Sendable {
    /// Whether an observer runs for the first time, before any change.
    public let isInitial: Bool

    let details: (any Sendable)?
  }

  /// What a signal belongs to.
  enum Subject: Hashable {
    case entity(Handle)
    case group(ObjectIdentifier)
    case view(ObjectIdentifier)
    case relation(Handle, ObjectIdentifier, RelationSide)
    case context
    case runaways

    var isEntity: Bool {
      if case .entity = self { true } else { false }
    }
  }

  let core: Core
  let subject: Subject

  /// Makes the list that keeps the observers, unless the subject is gone.
  ///
  /// Called by the owner of the lock.
  let makeList: @Sendable (ContextState) -> ObserverList?

  init(
    core: Core, subject: Subject,
    makeList: @escaping @Sendable (ContextState) -> ObserverList?
  ) {
    self.core = core
    self.subject = subject
    self.makeList = makeList
  }

  /// The observers, if there are any.
  ///
  /// Ask within a section.
  var list: ObserverList? { core.state?.notifier.lists[subject] }

  /// The observers, if there are any, or a list to which the first one can be added; nil if the
  /// subject is gone.
  ///
  /// Ask within a section.
  func listMadeIfNeeded() -> ObserverList? {
    guard let state = core.state else { return nil }
    guard let list = state.notifier.lists[subject] else { return makeList(state) }
    return list.isEnding ? nil : list
  }
}

extension Entity: ChangeSource {
  /// Where changes of the entity's components and relations are announced, and its end.
  ///
  /// The observers run a last time after the entity was destroyed.
  public var changeSignal: ChangeSignal {
    ChangeSignal(core: core, subject: .entity(handle)) { [core, handle] state in
      core.isAlive(handle) ? EntityObserverList(state.notifier, handle) : nil
    }
  }
}

extension Group: ChangeSource {
  /// Where it is announced that entities came to match, match no longer, or had a component
  /// replaced that the matcher mentions.
  public var changeSignal: ChangeSignal {
    ChangeSignal(core: core, subject: .group(ObjectIdentifier(self))) { state in
      // A group that outlives its context must not watch the next one.
      state.groups[self.matcher] === self ? GroupObserverList(state.notifier, self) : nil
    }
  }
}
