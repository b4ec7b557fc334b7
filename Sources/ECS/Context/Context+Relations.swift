extension Context {
  /// The number of links of a relation.
  ///
  /// - Complexity: O(1).
  public func linkCount<R: Relation>(_ relation: R.Type) -> Int {
    core.read { core.relations?.existingStore(relation)?.links.count ?? 0 }
  }

  /// All links of a relation, in an order in which making them again gives every entity its targets
  /// in the order in which it has them, and its sources too.
  ///
  /// Only if links were moved, there may be no such order; then it is one for the targets.
  ///
  /// ```swift
  /// for (source, target) in context.links(WrittenBy.self) { print(source, "by", target) }
  /// ```
  ///
  /// - Complexity: O(*n* + *k*), where *n* is the number of entities that ever were, at the same
  ///   time, in the context, and *k* the number of links.
  public func links<R: Relation>(_ relation: R.Type) -> [(source: Entity, target: Entity)] {
    core.read {
      guard let relations = core.relations, let store = relations.existingStore(relation) else {
        return []
      }
      var links: [(source: Entity, target: Entity)] = []
      links.reserveCapacity(store.links.count)
      store.links.visitAll { _, source, target in
        links.append((relations.entity(source), relations.entity(target)))
      } moved: { _, _ in
      }
      return links
    }
  }

  /// All links of a relation with their values, in the order of ``links(_:)``.
  ///
  /// - Complexity: As ``links(_:)``.
  public func valuedLinks<R: Relation>(
    _ relation: R.Type
  ) -> [ValuedLink<R>] where R.Value: Component {
    core.readingSection(keepsNothing: true) {
      guard let relations = core.relations, let store = relations.existingStore(relation),
        let values = store.values
      else { return [] }
      var links: [ValuedLink<R>] = []
      links.reserveCapacity(store.links.count)
      store.links.visitAll { link, source, target in
        links.append(
          ValuedLink(
            source: relations.entity(source), target: relations.entity(target),
            value: values.value(of: link, as: R.Value.self)))
      } moved: { _, _ in
      }
      return links
    }
  }
}
