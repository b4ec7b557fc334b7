/// Keeps the values of an aggregate under what entities are linked to, by one relation or by
/// several in a row.
///
/// It has a value for each link that leads away from an entity with the component, under the
/// entity to which the other relations lead from there. Storage tells it of components, and each
/// relation of links. It looks up what is there then, whatever has changed: so transactions that
/// are taken back need no account of it, since it is notified of their changes in reverse.
// Guarded by the lock of the core that it is registered with.
final class TargetTotals: EntitySink, @unchecked Sendable {
  /// The values, by the index of their link, made where the types are known.
  struct Values {
    /// Puts the value of an entity under another one, or forgets it if there is none.
    ///
    /// Without the address of the component, what the entity has counts.
    let put: (_ source: Handle, _ link: UInt32, _ target: Handle, ValueAddress?) -> Void
    let remove: (_ link: UInt32) -> Void
    let clear: () -> Void

    /// What tools see, with at most so many keys.
    let contents: (Int) -> KeyedContents?
  }

  private let core: Core
  let component: CID
  private let members: TableSet
  private let values: Values

  /// The relation of the entities.
  private let first: RelationStore

  /// The relations that lead on from its targets, to one entity each.
  private let further: [RelationStore]

  /// INVARIANT: one for each relation, in their order.
  private var listeners: [TotalsListener] = []

  /// - Precondition: There is a relation.
  init(
    _ component: CID, _ members: TableSet, _ path: [RelationStore], _ values: Values
  ) {
    self.component = component
    (first, further) = (path[0], Array(path.dropFirst()))
    core = first.core
    self.members = members
    self.values = values
    super.init(members)
  }

  /// Takes in what is there, and keeps up to date from here on.
  func start() {
    core.sinks.register(self)
    for (number, store) in ([first] + further).enumerated() {
      let listener = TotalsListener(self, behind: number)
      listeners.append(listener)
      store.add(listener)
    }
    // Inside of an iteration, what it will change comes when it ends.
    core.forEachValue(of: component, in: members) { handle, value in
      forEachLink(of: handle) { update($0, of: handle, value) }
    }
  }

  func stop() {
    core.sinks.unregister(self)
    for (store, listener) in zip([first] + further, listeners) {
      store.remove(listener)
      core.retire(listener)
    }
    listeners = []
  }

  override var isIndex: Bool { true }

  override func end() {
    listeners = []
    values.clear()
  }

  // MARK: For tools

  /// The names of the relations, in their order.
  var path: [String] { ([first] + further).map(\.name) }

  /// The keys with most values, at most so many; nil if it is not kept up to date any more.
  func contents(largest limit: Int) -> KeyedContents? {
    listeners.isEmpty ? nil : values.contents(limit)
  }

  // MARK: Changes

  override func react(_ kind: ReactionKind, _ handle: Handle) {
    forEachLink(of: handle) { if kind == .removed { remove($0) } else { update($0, of: handle) } }
  }

  private func forEachLink(of handle: Handle, _ body: (RelationLinks.ID) -> Void) {
    var next = first.links.first(handle.index, .targets)
    while let link = next {
      next = first.links.next(after: link, .targets)
      body(link)
    }
  }

  /// A link of the relation behind so many others came or went.
  fileprivate func linkChanged(
    _ step: RelationStore.Step, of source: Handle, behind depth: Int
  ) {
    guard depth == 0 else { return updateAll(through: step.source, behind: depth) }
    guard step.isLinked else { return remove(step.link) }
    let link = step.link == .none ? first.links.last(step.source, .targets) : step.link
    if let link, core.isMember(source, of: members) { update(link, of: source) }
  }

  /// Updates the values of all that so many relations lead from to a slot.
  private func updateAll(through slot: UInt32, behind depth: Int) {
    let store = depth == 1 ? first : further[depth - 2]
    var next = store.links.first(slot, .sources)
    while let link = next {
      next = store.links.next(after: link, .sources)
      let source = store.links.slot(of: link, .sources)
      if depth > 1 {
        updateAll(through: source, behind: depth - 1)
      } else {
        let handle = core.lastHandle(ofSlot: source)
        if core.isMember(handle, of: members) { update(link, of: handle) }
      }
    }
  }

  private func update(
    _ link: RelationLinks.ID, of source: Handle, _ value: ValueAddress? = nil
  ) {
    var slot = first.links.slot(of: link, .targets)
    for store in further {
      guard let next = store.links.firstSlot(slot, .targets) else { return remove(link) }
      slot = next
    }
    let mode = core.beginRefusingChanges(.buildingKeys)
    values.put(source, UInt32(link.index), core.lastHandle(ofSlot: slot), value)
    core.endRefusingChanges(mode)
  }

  private func remove(_ link: RelationLinks.ID) {
    let mode = core.beginRefusingChanges(.buildingKeys)
    values.remove(UInt32(link.index))
    core.endRefusingChanges(mode)
  }
}

/// A listener to one of the relations that totals go along.
// Guarded by the lock of the core.
private final class TotalsListener: LinkListener, @unchecked Sendable {
  private let totals: TargetTotals
  private let depth: Int

  init(_ totals: TargetTotals, behind depth: Int) {
    self.totals = totals
    self.depth = depth
  }

  override func linkChanged(_ step: RelationStore.Step, of source: Handle) {
    totals.linkChanged(step, of: source, behind: depth)
  }
}

/// Keeps totals up to date as long as it is referenced.
final class TargetTotalsRegistration: AggregateRegistration {
  let component: CID
  private let core: Core
  private let incarnation: Int

  /// Nil if the context was gone already.
  private let totals: TargetTotals?

  init(
    _ core: Core, _ component: CID, in group: Group?, along path: [any Relation.Type],
    _ values: TargetTotals.Values
  ) {
    self.core = core
    self.component = component
    (incarnation, totals) = core.section {
      core.exclusivity.checkNotTaken(component.key, "An aggregate")
      guard let relations = core.relationsMadeIfNeeded() else { return (core.incarnation, nil) }
      let members = group?.tables ?? core.setOfTables(with: component)
      let totals = TargetTotals(component, members, path.map { relations.store($0) }, values)
      totals.start()
      core.client?.notifier.tell(.createdIndex(component))
      return (core.incarnation, totals)
    }
  }

  deinit {
    core.sectionAfterReading { [core, incarnation, totals] in
      if core.incarnation == incarnation { totals?.stop() }
    }
  }

  var isOfPresentContext: Bool { core.incarnation == incarnation }
}

extension Aggregate where Key == Entity {
  /// One by what entities are linked to.
  @usableFromInline
  convenience init(
    _ core: Core, _ state: AggregateState<Key, Value>, of component: CID, in group: Group?,
    along path: [any Relation.Type],
    put: @escaping (_ source: Handle, _ link: UInt32, _ target: Handle, ValueAddress?) -> Void,
    remove: @escaping (_ link: UInt32) -> Void, clear: @escaping () -> Void
  ) {
    let values = TargetTotals.Values(put: put, remove: remove, clear: clear) { limit in
      (state as? any KeyedContentsSource)?.contents(largest: limit)
    }
    self.init(
      core, state, TargetTotalsRegistration(core, component, in: group, along: path, values))
  }
}
