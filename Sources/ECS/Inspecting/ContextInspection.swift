/// The contents of a context as tools see them from outside, at a moment.
package struct ContextInspection: Sendable {
  private let context: Context
  private var core: Core { context.core }

  package init(_ context: Context) { self.context = context }

  // MARK: Entities

  /// The entity of a slot and a generation, as `Entity.label` numbers them; nil if it is dead.
  package func entity(slot: UInt32, generation: UInt32) -> Entity? {
    core.read {
      let handle = Handle(index: slot, generation: generation &* 2 &+ 1)
      return core.isAlive(handle) ? Entity(core: core, handle: handle) : nil
    }
  }

  /// How many slots entities have had so far.
  package var slotCount: Int { core.read { core.pointer.pointee.slots.count } }

  /// The living entities in some slots, in the order of slots, whose components are accepted.
  ///
  /// - Parameters:
  ///   - slots: The slots, of which there may be fewer.
  ///   - accepts: Called, in a section, once for each combination of components that comes up.
  /// - Returns: The entities.
  package func entities(inSlots slots: Range<Int>, where accepts: ([CID]) -> Bool) -> [Entity] {
    core.readingSection(keepsNothing: true) {
      core.pointer.pointee.slots.living(in: slots, where: accepts)
        .map { Entity(core: core, handle: $0) }
    }
  }

  /// The components of an entity, ascending; empty if it is dead.
  package func components(of entity: Entity) -> [CID] {
    core.read { core.isAlive(entity.handle) ? core.componentIDs(of: entity.handle) : [] }
  }

  /// Whether an entity, alive or dead, is one of this context.
  package func owns(_ entity: Entity) -> Bool { entity.core == core }

  /// The components, as new values, that an entity would get with another one since that requires
  /// them, directly or by others.
  package func required(by cid: CID, of entity: Entity) -> [any Component] {
    (cid.requirements?.components(of: cid) ?? [])
      .filter { !entity.has($0.cid) }.map { $0.part.make() }
  }

  // MARK: What keeps them

  /// Of all combinations of components: how many entities have it, and the bytes of their rows.
  package var tables: [(entities: Int, bytes: Int, components: [CID])] {
    core.read { core.tableSizes.map { ($0.count, $0.bytes, $0.cids) } }
  }

  /// What the groups match, and how many entities they have.
  package var groups: [(matcher: Matcher, entities: Int)] {
    core.section { context.state.groups.values.map { ($0.matcher, $0.count) } }
  }

  /// What each collector holds.
  package var backlogs: [Context.Statistics.Backlog] { core.section { core.backlogs } }

  /// The indexes, and the aggregates by keys or by what entities are linked to, with their keys.
  ///
  /// - Parameter limit: How many of the keys with most entities are returned.
  /// - Returns: Their components, whether a key has one entity at most, the relations that lead to
  ///   the keys, and the keys.
  /// - Complexity: O(*k*), where *k* is the number of keys, of which no more than 65,536 are looked
  ///   at for each, in a section of its own.
  package func keyedContents(
    largest limit: Int
  ) -> [(component: CID, isPrimary: Bool, path: [String], contents: KeyedContents)] {
    let (indexes, totals) = core.section {
      (
        core.sets.flatMap { Array($0.indexes) },
        core.sets.flatMap { $0.sinks.compactMap { $0 as? TargetTotals } }
      )
    }
    let byKeys = indexes.compactMap { sink in
      core.section {
        sink.isRegistered
          ? (sink.history as? any KeyedContentsSource).map {
            (sink.cid, sink.identify != nil, [String](), $0.contents(largest: limit))
          } : nil
      }
    }
    let byTargets = totals.compactMap { totals in
      core.section {
        totals.contents(largest: limit).map { (totals.component, false, totals.path, $0) }
      }
    }
    return byKeys + byTargets
  }

  /// The ordered indexes.
  ///
  /// - Complexity: O(log *n*) for each, in a section of its own, where *n* is the number of its
  ///   entities, and what was left to be put in order.
  package var orderedIndexes: [OrderedContents] {
    let sinks = core.section {
      core.sets.flatMap { $0.sinks.compactMap { $0 as? LiveViewSink } }
    }
    return sinks.compactMap { sink in core.section { sink.orderedContents } }
  }
}
