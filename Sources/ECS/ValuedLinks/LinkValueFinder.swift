/// The links by which the entities of a live view are related to its owner, for views that read
/// their values.
@usableFromInline
struct ViewLinks: Sendable {
  private let related: RelatedSource

  fileprivate init(_ related: RelatedSource) { self.related = related }

  @usableFromInline
  func finder() -> LinkValueFinder { LinkValueFinder(related) }
}

/// A finder of the values of the links by which entities are related to the owner of a view.
@usableFromInline
// Guarded by the lock of the core.
final class LinkValueFinder: @unchecked Sendable {
  private let related: RelatedSource
  private let owner: UInt32

  // INVARIANT: a view leaves those of the links before the links end, and this ends with it.
  /// Nil as long as nothing has used the relation: reading a view must not be what does.
  private var found: RelationStore?

  fileprivate init(_ related: RelatedSource) {
    self.related = related
    owner = related.owner.handle.index
  }

  private var store: RelationStore? {
    if found == nil { found = related.presentStore }
    return found
  }

  /// The value of the link of an entity; nil if it has none.
  ///
  /// - Precondition: It is the type of the relation's values.
  @usableFromInline
  func value<Value: Component>(of handle: Handle, as type: Value.Type) -> Value? {
    guard let store else { return nil }
    // Readers come here beside others: nothing is to be kept.
    let link =
      related.side == .sources
      ? store.links.search(source: handle.index, target: owner)
      : store.links.search(source: owner, target: handle.index)
    return link.flatMap { store.values?.value(of: $0, as: type) }
  }
}

extension LiveViewDefinition {
  /// Lets values of links decide what the view shows.
  ///
  /// Stops unless its entities are related to an owner by a relation.
  ///
  /// - Returns: These links.
  @usableFromInline
  mutating func readLinkValues<R: Relation>(of relation: R.Type) -> ViewLinks {
    guard case .related(let source, _) = source, let related = source as? RelatedSource,
      related.relation == relation
    else {
      stop(
        "\(LiveView(self)) was to read values of links of \(relation), by which its entities are not related to any: begin with sources(\(relation).self), targets(\(relation).self) or related(\(relation).self, to:)."
      )
    }
    readsLinkValues = true
    return ViewLinks(related)
  }
}
