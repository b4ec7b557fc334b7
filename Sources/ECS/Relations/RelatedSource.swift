/// The entities related to an entity, for live views.
struct RelatedSource: LinkedSource {
  let owner: Entity
  let side: RelationSide
  let name: String
  let relation: any Relation.Type
  private let store: @Sendable (Relations) -> RelationStore
  private let existingStore: @Sendable (Relations) -> RelationStore?

  init<R: Relation>(_ related: RelatedEntities<R>) {
    owner = related.entity
    side = related.side
    name = related.description
    relation = R.self
    store = { $0.store(R.self) }
    existingStore = { $0.existingStore(R.self) }
  }

  /// The links; nil as long as nothing has used the relation.
  var presentStore: RelationStore? { owner.core.relations.flatMap(existingStore) }

  /// Fills a view and keeps it up to date from here on; false if the owner is dead.
  func register(_ sink: LiveViewSink) -> Bool {
    let core = owner.core
    guard core.isSeenAlive(owner.handle), let relations = core.relationsMadeIfNeeded() else {
      return false
    }
    let store = store(relations)
    let views = store.views ?? RelatedViews(relations, store)
    store.views = views
    views.register(sink, side, of: owner.handle)
    return true
  }

  /// Visits the related entities, in their order; none if the owner is dead.
  func forEach(_ body: (Handle) -> Void) {
    let core = owner.core
    // Readers come here, too: they must not be what makes a relation known.
    guard core.isAlive(owner.handle), let store = presentStore else { return }
    store.links.forEach(owner.handle.index, side) { body(core.handle(ofSlot: $0)) }
  }

  func unregister(_ sink: LiveViewSink) {
    presentStore?.views?.unregister(sink, side, of: owner.handle)
  }
}
