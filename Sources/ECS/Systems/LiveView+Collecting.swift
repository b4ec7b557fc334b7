extension LiveView {
  /// Makes a collector of the entities that come into the view, leave it, or change in it, so that
  /// systems work on what no matcher of components can say.
  ///
  /// ```swift
  /// let docked = context.group(Ship.matcher).filtered(byLink: DockedAt.self, within: planet)
  /// loop.on(docked.collector(), name: "Unload") { ships in
  ///   for ship in ships { ship.remove(Cargo.self) }
  /// }
  /// ```
  ///
  /// ``ChangeKinds/added`` are entities that come to be shown, ``ChangeKinds/removed`` those that
  /// no longer are, whether or not they are alive, and ``ChangeKinds/updated`` those that stay and
  /// have another place, or a component replaced that the matcher, a filter or a sort key mentions,
  /// or the value of a link that one of these reads.
  ///
  /// As the view's observers, the collector gets them when the outermost change has ended, each by
  /// what became of it on the whole: what came and went meanwhile is not collected, and neither is
  /// what a transaction took back. Those that are gone come first. ``Collector/ignoring(_:)``
  /// leaves out no effect on a view.
  ///
  /// The view is at work as long as the collector lives; see ``start()``. What it shows already is
  /// not collected: ``Collector/collect(_:)`` puts it in.
  ///
  /// - Parameters:
  ///   - type: The kinds of changes to collect.
  ///   - paused: Whether to begin paused.
  ///   - limit: How many entities to hold at most; see ``Collector/limit``.
  /// - Returns: A new collector.
  /// - Precondition: The limit is positive.
  /// - Complexity: That of ``start()``. An outermost change then takes O(*k*) more, where *k* is
  ///   the number of entities by which the view differs.
  public func collector(
    type: ChangeKinds = .added, paused: Bool = false, limit: Int? = nil
  ) -> Collector {
    let all = { [core] in
      Group(core: core, matcher: .everything, tables: core.section { core.setOfAllTables() })
    }
    let collector = Collector(
      group ?? all(), type, paused, limit, reactions: [], isShown: { self.contains($0) })
    collector.log.add(ViewCollecting(self, type, into: collector.log))
    return collector
  }
}

/// The source of a collected set that gets its entities from a view's changes.
private final class ViewCollecting: CollectedSetSource {
  private let subscription: Subscription

  init(_ view: LiveView, _ type: ChangeKinds, into log: CollectedSet) {
    // The log drops this, and so the closure, when its collector ends.
    subscription = view.observe(initial: false, name: "a collector of \(view)") { change in
      let difference = change.difference
      if type.contains(ChangeKinds.removed) {
        for removal in difference.removals { log.collect(removal.entity.handle) }
      }
      if type.contains(ChangeKinds.added) {
        for insertion in difference.insertions { log.collect(insertion.entity.handle) }
      }
      if type.contains(ChangeKinds.updated) {
        for move in difference.moves { log.collect(move.entity.handle) }
        for update in difference.updates { log.collect(update.entity.handle) }
      }
    }
  }

  func remove(_ log: CollectedSet) { subscription.cancel() }
}
