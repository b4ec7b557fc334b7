extension Collector {
  /// From here on, also collects entities of the group whose links to others change: the sources of
  /// a relation.
  ///
  /// For what follows entities with all that belongs to them, as a store does. Observers of one
  /// entity's links are cheaper where it is about one.
  ///
  /// ```swift
  /// let changed = context.collector(for: Title.matcher, type: .addedUpdatedOrRemoved)
  /// changed.collectLinks(of: WrittenBy.self)
  /// book.relate(WrittenBy.self, to: author)
  /// changed.drain()  // [book]
  /// ```
  ///
  /// An entity is collected when a link comes, goes, or is moved among others at one of its ends,
  /// of which it is the source, whatever is the target and for whatever reason: the target may have
  /// been destroyed. It comes in order with other changes, once. Entities that are not in the group
  /// at that moment are not collected, and so are those that are destroyed: with
  /// ``ChangeKinds/removed`` they are collected anyway. Transactions that are rolled back, pauses,
  /// and ``ignoring(_:)`` are as for other changes.
  ///
  /// Does nothing if it is so already. It ends with the collector.
  ///
  /// - Parameter relation: The relation.
  /// - Complexity: O(1). Each link of the relation then takes O(*c*) more, where *c* is the number
  ///   of collectors that do this.
  public func collectLinks<R: Relation>(of relation: R.Type) {
    collectLinks(of: relation, announcing: nil)
  }

  /// Does the same, and announces each by a signal.
  func collectLinks<R: Relation>(of relation: R.Type, announcing signal: SignalOwner?) {
    core.section {
      guard core.uses(group.tables), let relations = core.relationsMadeIfNeeded() else { return }
      relations.store(relation).add(log, of: group.tables, announcing: signal)
    }
  }
}
