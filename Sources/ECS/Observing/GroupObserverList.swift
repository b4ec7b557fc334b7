/// The observers of a group: storage finds those of single changes by its tables, and calls a sink
/// for those of the whole.
// Guarded by the lock of the core that the group belongs to.
final class GroupObserverList: ObserverList, @unchecked Sendable {
  // Guarded by the lock of the core that it is registered with.
  private final class Sink: EntitySink, @unchecked Sendable {
    weak var list: GroupObserverList?

    override func react(_ kind: ReactionKind, _ handle: Handle) { list?.mark() }

    override var readsValues: Bool { false }
  }

  private let tables: TableSet
  private let matcher: Matcher

  /// What hears that something changed, for those that observe the whole.
  private var sink: Sink?

  init(_ notifier: Notifier, _ group: Group) {
    tables = group.tables
    matcher = group.matcher
    super.init(notifier, .group(ObjectIdentifier(group)), of: group.tables)
  }

  override func observersOfChangesDidChange() {
    tables.observers = hasObserversOfChanges ? self : nil
    core.reactionLists.invalidate(of: tables)
  }

  override func observersOfWholeDidChange() {
    if hasObserversOfWhole {
      let made = Sink(tables)
      made.list = self
      core.sinks.register(made)
      sink = made
    } else if let gone = sink {
      core.sinks.unregister(gone)
      sink = nil
    }
  }

  override var name: String { "Group \(matcher)" }
}
