/// All relations of a context.
///
/// Made when the first one is used: until then, nothing is asked of it.
// Guarded by the lock of the core.
final class Relations: EntitySink, @unchecked Sendable {
  let core: Core
  private let notifier: Notifier

  // PERFORMANCE: L1, L4, D2: no checks of exclusive access. All is reached with the core's lock.
  /// In the order of their first use.
  @exclusivity(unchecked) @safe nonisolated(unsafe) private(set) var stores: [RelationStore] = []

  /// The entities that have to be destroyed because what they were related to was.
  @exclusivity(unchecked) @safe nonisolated(unsafe) private var doomed: [Handle] = []
  @exclusivity(unchecked) @safe nonisolated(unsafe) private var isDestroying = false

  /// For each hierarchy what links that wait for the end of an iteration will make of it.
  ///
  /// INVARIANT: never a cycle.
  var comingParents: [ObjectIdentifier: ComingParents] = [:]

  /// A link that waits for the end of an iteration.
  struct ComingLink: Hashable {
    let relation: ObjectIdentifier
    let source: Handle
    let target: Handle
  }

  /// The number of links, and ends of links, that wait.
  var comingCount = 0

  /// The values that links will have at the end of an iteration.
  var comingValues: [ComingLink: any Component] = [:]

  init(_ notifier: Notifier) {
    core = notifier.core
    self.notifier = notifier
    super.init(nil)
  }

  func store<R: Relation>(_ relation: R.Type) -> RelationStore {
    if let store = existingStore(relation) { return store }
    let store = RelationStore(relation, in: core)
    stores.append(store)
    guard core.isRecording else { return store }
    core.transactions.onReturn(.last) { [self] in
      // So that links are delivered in the order in which relations were used for good.
      stores.removeAll { $0 === store && !store.isWatched }
    }
    return store
  }

  func existingStore<R: Relation>(_ relation: R.Type) -> RelationStore? {
    existingStore(ObjectIdentifier(relation))
  }

  func existingStore(_ id: ObjectIdentifier) -> RelationStore? {
    for store in stores where store.id == id { return store }
    return nil
  }

  override var changesContext: Bool { true }

  override func end() {
    for store in stores { store.end() }
    stores = []
    (comingParents, comingValues) = ([:], [:])
  }

  #if InternalChecks
    override var walkLength: Int { stores.reduce(0) { $0 + $1.links.walkLength } }

    override func checkInvariants() {
      require(doomed.isEmpty && !isDestroying, "Entities that had to be destroyed are left.")
      for store in stores { store.checkInvariants() }
    }

    override func plant(_ contradiction: PlantedCorruption) {
      for store in stores { store.plant(contradiction) }
    }
  #endif

  // MARK: Destruction

  /// An entity was destroyed: its links go, and what its relations say happens.
  ///
  /// Goes through chains of any length without recursion: what is destroyed in here comes back
  /// here, and is only noted then.
  override func react(_ kind: ReactionKind, _ handle: Handle) {
    for store in stores { remove(handle, from: store) }
    guard !isDestroying, !doomed.isEmpty else { return }
    isDestroying = true
    var next = 0
    while next < doomed.count {
      let handle = doomed[next]
      next += 1
      if core.isAlive(handle) { core.destroy(handle) }
      if next >= 1024, next * 2 > doomed.count {
        doomed.removeFirst(next)
        next = 0
      }
    }
    doomed = []
    isDestroying = false
  }

  private func remove(_ handle: Handle, from store: RelationStore) {
    // PERFORMANCE: D2: nothing is found out about the other ends that nothing asks for.
    let isObserved = !notifier.lists.isEmpty || store.isWatched
    store.unlinkAll(handle.index, .targets) { step in
      guard isObserved else { return }
      let target = step.target == handle.index ? handle : core.handle(ofSlot: step.target)
      store.tellViews(step, handle, target)
      if target != handle { noteChange(store, target, .sources) }
    }
    store.unlinkAll(handle.index, .sources) { step in
      guard step.source != handle.index, isObserved || store.rule == .cascade else { return }
      let source = core.handle(ofSlot: step.source)
      if store.rule == .cascade { doomed.append(source) }
      guard isObserved else { return }
      store.tellViews(step, source, handle)
      store.collect(source)
      noteChange(store, source, .targets)
    }
    store.views?.ownerEnded(handle.index)
    guard !notifier.lists.isEmpty else { return }
    for side in [RelationSide.targets, .sources] {
      guard let list = notifier.lists[.relation(handle, store.id, side)] else { continue }
      list.endAfterDelivery()
      list.mark()
    }
  }

  /// The creation of an entity was taken back: it never was, and nothing is notified.
  func entityUndone(_ handle: Handle) {
    for store in stores {
      store.views?.ownerUndone(handle.index)
      for side in [RelationSide.targets, .sources] {
        notifier.lists[.relation(handle, store.id, side)]?.endAll()
      }
    }
  }

  // MARK: Notifications

  /// Marks both ends of a link that came or went.
  func noteChange(_ store: RelationStore, _ step: RelationStore.Step) {
    let isObserved = !notifier.lists.isEmpty
    guard isObserved || store.isWatched else { return }
    let (source, target) = (core.handle(ofSlot: step.source), core.handle(ofSlot: step.target))
    store.tellViews(step, source, target)
    store.collect(source)
    guard isObserved else { return }
    noteChange(store, source, .targets)
    noteChange(store, target, .sources)
  }

  /// Marks both ends of a link whose value was replaced.
  func noteValue(_ store: RelationStore, _ source: UInt32, _ target: UInt32) {
    let isObserved = !notifier.lists.isEmpty
    guard isObserved || store.isWatched else { return }
    let (source, target) = (core.handle(ofSlot: source), core.handle(ofSlot: target))
    store.views?.noteValue(source, target)
    store.collect(source)
    guard isObserved else { return }
    noteChange(store, source, .targets)
    noteChange(store, target, .sources)
  }

  /// Marks the entity among whose links one has another position.
  func noteMove(_ store: RelationStore, _ link: RelationLinks.ID, _ side: RelationSide) {
    let isObserved = !notifier.lists.isEmpty
    guard isObserved || store.isWatched else { return }
    store.views?.noteMove(link, side)
    store.collect(core.handle(ofSlot: store.links.slot(of: link, .sources)))
    guard isObserved else { return }
    noteChange(store, core.handle(ofSlot: store.links.slot(of: link, side.other)), side)
  }

  /// Marks both ends of a link that came or went with a transaction, for those that began inside of
  /// it.
  func noteReturn(of store: RelationStore, _ ends: RelationStore.Ends) {
    noteChange(store, ends.source, .targets)
    noteChange(store, ends.target, .sources)
  }

  /// Marks the entity among whose links one goes back to its position.
  func noteReturn(of store: RelationStore, ofSlot slot: UInt32, _ side: RelationSide) {
    noteChange(store, core.lastHandle(ofSlot: slot), side)
  }

  private func noteChange(_ store: RelationStore, _ handle: Handle, _ side: RelationSide) {
    guard !notifier.lists.isEmpty else { return }
    notifier.lists[.entity(handle)]?.mark()
    notifier.lists[.relation(handle, store.id, side)]?.mark()
  }

  // MARK: Rules

  /// Why an entity must not be destroyed, if it must not.
  func denial(of entity: Entity) -> DestructionDenied? {
    guard stores.contains(where: { $0.rule == .deny }) else { return nil }
    var slots = [entity.handle.index]
    var seen = Set(slots)
    var next = 0
    while next < slots.count {
      for store in stores where store.rule == .cascade {
        store.links.forEach(slots[next], .sources) {
          if seen.insert($0).inserted { slots.append($0) }
        }
      }
      next += 1
    }
    for target in slots {
      for store in stores where store.rule == .deny {
        var link = store.links.first(target, .sources)
        while let current = link {
          let source = store.links.slot(of: current, .sources)
          if !seen.contains(source) {
            return DestructionDenied(
              target: self.entity(target), source: self.entity(source), relation: store.name)
          }
          link = store.links.next(after: current, .sources)
        }
      }
    }
    return nil
  }

  func entity(_ slot: UInt32) -> Entity { Entity(core: core, handle: core.handle(ofSlot: slot)) }
}

extension Core {
  /// The relations of the context, if one has been used.
  var relations: Relations? { client?.relations }

  /// The relations of the context; nil if it is gone.
  func relationsMadeIfNeeded() -> Relations? {
    guard let client else { return nil }
    if let relations = client.relations { return relations }
    let relations = Relations(client.notifier)
    client.relations = relations
    sinks.registerLast(relations)
    return relations
  }
}
