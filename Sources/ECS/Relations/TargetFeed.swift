/// A dependency of a view on what its entities are linked to by a to-one relation.
///
/// The relation tells it of links, and storage of components of targets: entities that do not have
/// these components never lead here.
// Guarded by the lock of the core.
final class TargetFeed: LinkListener, ViewFeed, @unchecked Sendable {
  private let core: Core
  private let sink: LiveViewSink
  private let store: RelationStore
  private var watches: [TargetWatch] = []

  init(_ sink: LiveViewSink, _ store: RelationStore, _ components: [CID]) {
    core = sink.core
    self.sink = sink
    self.store = store
    super.init()
    store.add(self)
    watches = components.map { TargetWatch(self, core.setOfTables(with: $0)) }
    for watch in watches { core.sinks.register(watch) }
  }

  func end() {
    store.remove(self)
    for watch in watches {
      core.sinks.unregister(watch)
      watch.end()
    }
    watches = []
    core.retire(self)
  }

  override func linkChanged(_ step: RelationStore.Step, of source: Handle) {
    sink.dependencyChanged(of: source)
  }

  /// A component of an entity changed.
  fileprivate func componentChanged(of target: Handle) {
    // The links of what was destroyed go right after this, and are notified of.
    guard core.isAlive(target) else { return }
    store.links.forEach(target.index, .sources) {
      sink.dependencyChanged(of: core.lastHandle(ofSlot: $0))
    }
  }
}

/// A listener to the changes of one component of targets.
// Guarded by the lock of the core that it is registered with.
private final class TargetWatch: EntitySink, @unchecked Sendable {
  private var feed: TargetFeed?

  init(_ feed: TargetFeed, _ tables: TableSet) {
    self.feed = feed
    super.init(tables)
  }

  override func react(_ kind: ReactionKind, _ handle: Handle) {
    feed?.componentChanged(of: handle)
  }

  override func end() { feed = nil }
}
