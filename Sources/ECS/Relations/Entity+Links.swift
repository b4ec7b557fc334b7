extension Entity {
  /// All links of which the entity is the source, grouped by relation: relations in the order in
  /// which the context first used them, links in their order; none if the entity is dead.
  ///
  /// For debugging and tools, like ``components()``; otherwise ask for one relation, with
  /// ``targets(_:)``.
  ///
  /// - Complexity: O(*r* + *k*), where *r* is the number of relations that the context has used and
  ///   *k* the number of links.
  public func links() -> [Link] {
    core.read {
      guard core.isAlive(handle), let relations = core.relations else { return [] }
      var links: [Link] = []
      for store in relations.stores {
        store.links.forEachLink(handle.index, .targets) { link in
          links.append(
            Link(
              relation: store.type,
              target: relations.entity(store.links.slot(of: link, .targets)),
              value: store.values?.value(of: link)))
        }
      }
      return links
    }
  }
}
