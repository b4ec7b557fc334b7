/// Keeps the contents of a live view exact while changes are made, and remembers what is needed to
/// tell how they differ from what was reported to observers last.
///
/// While something observes, a node whose entity leaves or moves stays behind as a ghost at its old
/// place, and what comes is marked as new: so both sequences, before and after, are in the
/// tree, and positions in both are found when the observers are notified.
// Guarded by the lock of the core.
final class LiveViewSink: EntitySink, @unchecked Sendable {
  typealias ID = OrderedNodes.ID

  // PERFORMANCE: V3: of many views, little is in the caches. What each change needs comes first, so
  // that it lies together.

  let core: Core
  let nodes = OrderedNodes()

  // PERFORMANCE: V3: not to be retained at each change.
  // INVARIANT: it is that of `observers`.
  /// The observers; nil if there are none.
  private(set) var observerList: UnmanagedReference<ObserverList>?

  /// The first column's `load`.
  // PERFORMANCE: V2: not to be retained with the array at each change.
  let loadFirst: ((ID, Core, Handle, Bool) -> UInt64)?

  /// A node that is never in the tree: keys are tried on it.
  let trial: ID

  let isExact: Bool

  /// Whether no keys are stored besides the prefixes of nodes, but where the prefix is that of
  /// missing keys.
  let hasKeysInPrefixes: Bool

  /// Whether nothing behind the limit will come up any more, as the contents are read and
  /// forgotten.
  let isReadOnce: Bool

  /// Whether no filter keeps an entity out that it is notified of.
  private let acceptsAll: Bool

  /// How many columns there are besides the first one.
  let furtherColumnCount: Int

  // PERFORMANCE: V2: checks of exclusive access would take as long as what is to be done. The
  // properties that leave them out are reached with the core's lock, and no code of the user's runs
  // while one is being changed.

  /// The nodes that a difference will be about.
  @exclusivity(unchecked) @safe nonisolated(unsafe) var touched = TouchedNodes()

  /// The nodes whose entities have changed and that have not been put into their places since,
  /// unless there are many.
  @exclusivity(unchecked) @safe nonisolated(unsafe) var stale: [ID] = []

  /// Whether all of these nodes are listed.
  @exclusivity(unchecked) @safe nonisolated(unsafe) var areStaleListed = true

  /// What was reported to observers last, if the nodes do not tell any more.
  @exclusivity(unchecked) @safe nonisolated(unsafe) var earlierEntities: [Entity]?

  /// The number of entities that are shown at most; those behind wait in the tree.
  let limit: Int

  /// The nodes of the entities.
  @exclusivity(unchecked) @safe nonisolated(unsafe) var places: LiveViewPlaces

  /// The nodes that stayed behind at their old places while transactions ran.
  @exclusivity(unchecked) @safe nonisolated(unsafe) var ghosts: [ID] = []

  /// The transaction that was running when the view began its work, and the last one that noted it.
  let firstSavepoint: UInt64
  var savepoint: UInt64 = 0

  /// The last transaction that had begun when the first one of the observers came, or the last one
  /// went.
  private(set) var lastBeginning: UInt64 = 0

  /// Whether a router passes on what concerns the view, and only that.
  let isRouted: Bool

  /// The ID of the key that the router has the view under; nil if it has not.
  var key: UInt32?

  /// Whether nothing refers to the view any more.
  var isReleased = false

  /// Whether the owner of the view was destroyed.
  var hasEnded = false

  /// The observers; nil if there are none.
  var observers: ObserverList? {
    willSet {
      if !isObserved, newValue != nil { settle() }
      noteForReturn()
    }
    didSet {
      observerList = observers.map { UnmanagedReference($0) }
      if !isObserved { forgetChanges() }
      lastBeginning = core.transactions.lastSavepoint
    }
  }

  /// Whether there are observers.
  var isObserved: Bool { observerList != nil }

  let definition: LiveViewDefinition
  let tests: [LiveViewDefinition.Test]
  let columns: [SortColumn]

  /// The only test, if it alone decides.
  // PERFORMANCE: V2: not to be retained with the array at each change.
  private let singleTest: LiveViewDefinition.Test?

  /// The group that related entities must belong to as well; nil if none.
  let members: TableSet?

  init(_ definition: LiveViewDefinition, isReadOnce: Bool = false, isRouted: Bool = false) {
    self.isRouted = isRouted
    limit = definition.limit
    self.isReadOnce = isReadOnce
    core = definition.core
    self.definition = definition
    firstSavepoint = core.transactions.savepoint
    let filters = isRouted ? definition.filters : definition.allFilters
    tests = filters.map { [core] in $0.makeTest(core) }
    columns = definition.keys.map { [core] in $0.makeColumn(core) }
    isExact = columns.isEmpty || (columns.count == 1 && columns[0].isExact)
    hasKeysInPrefixes = isExact && !columns.contains(where: \.keepsKeys)
    loadFirst = columns.first?.load
    furtherColumnCount = max(0, columns.count - 1)
    let isOfGroup = if case .group = definition.source { true } else { false }
    singleTest = isOfGroup && tests.count == 1 ? tests[0] : nil
    acceptsAll = isOfGroup && tests.isEmpty
    trial = nodes.make(.dead)
    switch definition.source {
    case .group(let group):
      places = LiveViewPlaces(ofLinked: false)
      members = nil
      super.init(group.tables, more: definition.mentioned)
    case .related(_, let group):
      places = LiveViewPlaces(ofLinked: true)
      members = group?.tables
      super.init(nil, more: definition.mentioned)
    }
  }

  deinit {
    // The map lies in memory that nothing else gives back.
    places.removeAll()
  }

  override func end() {
    observers = nil
    nodes.removeAll()
    _ = nodes.make(.dead)
    places.removeAll()
    touched = TouchedNodes()
    stale = []
    areStaleListed = true
  }

  #if InternalChecks
    override var walkLength: Int { nodes.used + places.count }

    override func checkInvariants() { checkContents() }

    override func plant(_ contradiction: PlantedCorruption) { plantHere(contradiction) }
  #endif

  // MARK: Reading

  /// The number of entities that are shown.
  var count: Int {
    settle()
    return min(nodes.count, limit)
  }

  var entities: [Entity] { entities(first: count) }

  func entities<Entities: RangeReplaceableCollection<Entity>>(
    first maximumCount: Int
  ) -> Entities {
    entities(at: 0..<maximumCount)
  }

  /// The entities at positions, as many as there are.
  func entities<Entities: RangeReplaceableCollection<Entity>>(
    at positions: Range<Int>
  ) -> Entities {
    let positions = positions.clamped(to: 0..<count)
    var entities = Entities()
    entities.reserveCapacity(positions.count)
    nodes.visit(from: positions.lowerBound, count: positions.count) {
      entities.append(entity($0))
    }
    return entities
  }

  func entity(_ id: ID) -> Entity { Entity(core: core, handle: nodes[id].handle) }

  /// The entity at a position; nil if there are not that many.
  func entity(at position: Int) -> Entity? {
    guard position >= 0, position < count else { return nil }
    return entity(nodes.node(at: position))
  }

  /// The position of an entity; nil if it is not shown.
  func position(of handle: Handle) -> Int? {
    settle()
    guard let id = node(of: handle) else { return nil }
    let position = nodes.position(id)
    return position < limit ? position : nil
  }

  /// Whether an entity is in the view, shown or beyond the limit.
  func contains(_ handle: Handle) -> Bool {
    settle()
    return node(of: handle) != nil
  }

  /// The node of an entity of the view.
  func node(of handle: Handle) -> ID? {
    let id = places[handle.index]
    return id != OrderedNodes.none && nodes[id].handle == handle ? id : nil
  }

  // MARK: Changes

  override func react(_ kind: ReactionKind, _ handle: Handle) {
    if isObserved {
      prefetch(handle)
    } else if kind == .updated, postpone(handle) {
      return
    }
    // What has waited would move nodes otherwise when a filter or a key reads the view.
    settleNodes()
    noteForReturn()
    let id = node(of: handle)
    let belongs =
      kind != .removed && (acceptsAll || core.refusingChanges(.filtering) { accepts(handle) })
    switch (id, belongs) {
    case (nil, false): return
    case (nil, true): add(handle)
    case (let id?, false): remove(id)
    case (let id?, true): update(id)
    }
    markObservers()
  }

  /// Notes that there is something to notify observers of.
  func markObservers() { observerList?.visit { $0.mark() } }

  /// Lets the processor fetch what lies elsewhere of a view that is observed.
  // PERFORMANCE: V3: all at once, and not one after the other as it is looked at.
  @inline(__always)
  private func prefetch(_ handle: Handle) {
    nodes.prefetch()
    places.prefetch(handle.index)
    observerList?.prefetch(to: 127)
    nodes.prefetchRoot()
  }

  func accepts(_ handle: Handle) -> Bool {
    if let singleTest { return singleTest(core, handle) }
    guard places.isCandidate(handle.index) else { return false }
    if let members, !core.isMember(handle, of: members) { return false }
    for test in tests where !test(core, handle) { return false }
    return true
  }

  override func settle() { settleNodes() }

  private func add(_ handle: Handle) {
    if isReadOnce, nodes.count >= limit, !makeRoom(for: handle) { return }
    let id = nodes.make(handle)
    loadKeys(id, handle)
    nodes[id].flags = !isObserved ? [.isPresent, .wasPresent] : .isPresent
    insert(id)
    places[handle.index] = id
    if isObserved { touch(id) }
  }

  /// Drops the last entity, if another one comes before it.
  private func makeRoom(for handle: Handle) -> Bool {
    guard limit > 0 else { return false }
    let last = nodes.node(at: nodes.count - 1)
    loadKeys(trial, handle)
    guard comparing({ isBefore(trial, last) }) else { return false }
    remove(last)
    return true
  }

  func remove(_ id: ID) {
    places[nodes[id].handle.index] = OrderedNodes.none
    leavePlace(id)
  }

  /// Takes a node out of the present sequence.
  func leavePlace(_ id: ID) {
    let flags = nodes[id].flags
    if isObserved, flags.contains(.wasPresent) {
      nodes.setFlags(id, flags.subtracting(.isPresent))
      touch(id)
      if core.isRecording { ghosts.append(id) }
    } else {
      nodes.remove(id)
      nodes[id].flags = flags.intersection(.isTouched)
      // A touched node is freed with the difference, even if it is not part of it in the end.
      if !flags.contains(.isTouched) { free(id) }
    }
  }

  /// Something has changed that decides about an entity besides its components.
  ///
  /// It need not be one that the view might show, nor be alive.
  @inline(never)
  func dependencyChanged(of handle: Handle) {
    guard core.isAlive(handle),
      tables.map({ core.isMember(handle, of: $0) }) ?? places.isCandidate(handle.index)
    else { return }
    react(.updated, handle)
  }

  /// Shows an entity, unless a filter keeps it out, in contents that are read once.
  func show(_ handle: Handle) {
    if places.areOfLinked { link(handle) } else { react(.added, handle) }
  }

  // MARK: Links

  /// An entity was linked to the owner of the view.
  @inline(never)
  func link(_ handle: Handle) {
    noteForReturn()
    if places.isFull {
      places.renumber()
      creationsWereRenumbered()
    }
    places.link(handle.index)
    react(.updated, handle)
  }

  /// The link between an entity and the owner of the view has gone.
  func unlink(_ handle: Handle) {
    noteForReturn()
    react(.removed, handle)
    places.unlink(handle.index)
  }

  func isLinked(_ slot: UInt32) -> Bool { places.isCandidate(slot) }

  /// The owner of the view was destroyed: there will be no more to tell.
  func ownerEnded() {
    hasEnded = true
    guard let observers else { return }
    observers.endAfterDelivery()
    observers.mark()
  }

  /// The slots of linked entities, in their order.
  var linkedSlots: [UInt32] {
    var slots: [UInt32] = []
    definition.forEachCandidate { slots.append($0.index) }
    return slots
  }

  func skipArrivals(leaving count: UInt32) { places.skipArrivals(leaving: count) }

  // MARK: Order

  override func creationsWereRenumbered() {
    if !touched.isEmpty, earlierEntities == nil { earlierEntities = sequenceBefore() }
    forgetChanges(keepingEarlier: true)
    var id = nodes.first
    while id != OrderedNodes.none {
      let creation = order(of: nodes[id].handle)
      nodes[id].creation = creation
      if columns.isEmpty { nodes.setPrefix(id, UInt64(creation)) }
      id = nodes.next(after: id)
    }
  }

  /// What there is counts as reported.
  func forgetChanges(keepingEarlier: Bool = false) {
    ghosts = []
    if !keepingEarlier { earlierEntities = nil }
    while let id = touched.popLast() {
      let flags = nodes[id].flags
      if flags.contains(.isPresent) {
        nodes.setFlags(id, [.isPresent, .wasPresent])
      } else {
        if flags.contains(.isLinked) { nodes.remove(id) }
        nodes[id].flags = []
        free(id)
      }
    }
  }
}
