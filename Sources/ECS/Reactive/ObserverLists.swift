// What the lists of those who observe entities, groups and contexts ask of storage. The lists of views
// and relations are with them.

// Guarded by the lock of the core that the entity belongs to.
final class EntityObserverList: ObserverList, @unchecked Sendable {
  private let handle: Handle

  init(_ notifier: Notifier, _ handle: Handle) {
    self.handle = handle
    super.init(notifier, .entity(handle))
  }

  override func observersOfChangesDidChange() { tellCore() }
  override func observersOfWholeDidChange() { tellCore() }

  private func tellCore() {
    // The slot may have another entity by now, with observers of its own.
    guard !isEnding else { return }
    let observed =
      count == 0
      ? .nobody
      : ObservedEntity(self, wantsChanges: hasObserversOfChanges, wantsMarks: hasObserversOfWhole)
    core.setObserver(observed, of: handle)
  }

  override var name: String { Entity(core: core, handle: handle).description }
}

// Guarded by the lock of the core that the group belongs to.
final class GroupObserverList: ObserverList, @unchecked Sendable {
  // Guarded by the lock of the core that it is registered with.
  private final class Sink: EntitySink, @unchecked Sendable {
    weak var list: GroupObserverList?

    override func react(_ kind: ReactionKind, _ handle: Handle) { list?.mark() }
  }

  private let tables: TableSet
  private let matcher: Matcher

  /// What hears that something changed, for those who observe the whole.
  private var sink: Sink?

  init(_ notifier: Notifier, _ group: Group) {
    tables = group.tables
    matcher = group.matcher
    super.init(notifier, .group(ObjectIdentifier(group)), of: group.tables)
  }

  override func observersOfChangesDidChange() {
    tables.observers = hasObserversOfChanges ? self : nil
    core.invalidateReactions(of: tables)
  }

  override func observersOfWholeDidChange() {
    if hasObserversOfWhole {
      let made = Sink(tables)
      made.list = self
      core.register(made)
      sink = made
    } else if let gone = sink {
      core.unregister(gone)
      sink = nil
    }
  }

  override var name: String { "Group \(matcher)" }
}

// Guarded by the lock of the core of the context.
final class ContextObserverList: ObserverList, @unchecked Sendable {
  override func observersOfChangesDidChange() {
    core.contextObservers = hasObserversOfChanges ? self : nil
  }

  /// Observers are told the values of what is gone, not of what is new.
  override func wantsValues(_ kind: ReactionKind) -> Bool { kind != .added }
}
