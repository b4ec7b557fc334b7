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
