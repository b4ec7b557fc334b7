/// A subject that can be observed as a whole: an entity, a group, a live view, the entities related
/// to one.
///
/// Its observers run once for each outermost change, however many components changed. To be
/// notified of each change separately, with old and new values, use
/// ``SingleChangeSource/observeChanges(_:name:on:file:line:_:)`` of entities and groups.
///
/// Your own type can be a source by forwarding the ``changeSignal`` of another source.
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

extension Entity: ChangeSource {
  /// Where changes of the entity's components and relations, and its destruction, are announced.
  ///
  /// The observers run one last time after the entity is destroyed.
  public var changeSignal: ChangeSignal {
    ChangeSignal(core: core, subject: .entity(handle)) { [core, handle] notifier in
      core.isSeenAlive(handle) ? EntityObserverList(notifier, handle) : nil
    }
  }
}

extension Group: ChangeSource {
  /// Where it is announced that entities came to match, no longer match, or had a component that
  /// the matcher mentions replaced.
  public var changeSignal: ChangeSignal {
    ChangeSignal(core: core, subject: .group(ObjectIdentifier(self))) { [core] notifier in
      // A group that outlives its context must not watch the next one.
      core.client?.groups[self.matcher] === self ? GroupObserverList(notifier, self) : nil
    }
  }
}
