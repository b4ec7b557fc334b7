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
  /// Where it is announced that entities came to match, no longer match, or had a component
  /// replaced that the matcher mentions.
  public var changeSignal: ChangeSignal {
    ChangeSignal(core: core, subject: .group(ObjectIdentifier(self))) { state in
      // A group that outlives its context must not watch the next one.
      state.groups[self.matcher] === self ? GroupObserverList(state.notifier, self) : nil
    }
  }
}
