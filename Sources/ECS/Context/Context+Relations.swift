extension Context {
  /// The number of links of a relation.
  ///
  /// - Complexity: O(1).
  public func linkCount<R: Relation>(_ relation: R.Type) -> Int {
    core.section { core.relations?.existingStore(relation)?.links.count ?? 0 }
  }
}
