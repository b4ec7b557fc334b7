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

/// The entities of a group whose links of some relations change, of which they are the sources.
///
/// Its observers run as those of live views do, in the section of the change.
package final class LinkedSources: ChangeSource {
  private let collector: Collector
  private let signal: SignalOwner

  /// Watches a group from here on.
  ///
  /// - Complexity: O(*r*), where *r* is the number of relations. Each of their links then takes
  ///   O(*c*) more, where *c* is the number of groups that are watched for it.
  package init(of group: Group, _ relations: [any Relation.Type]) {
    collector = Collector(group: group, type: [])
    signal = SignalOwner(group.core, name: "links")
    for relation in relations { collector.collectLinks(of: relation, announcing: signal) }
  }

  package var changeSignal: ChangeSignal { signal.changeSignal }

  /// Takes out the entities whose links have changed since the last time, as changes of them; those
  /// that are dead by now or don't belong to the group are left out.
  package func drain() -> [Change] { collector.drainMatching().map(Change.init(ofLinks:)) }
}

extension Change {
  /// A change of an entity's links.
  fileprivate init(ofLinks entity: Entity) {
    self.init(kind: .updated, entity: entity)
  }
}
