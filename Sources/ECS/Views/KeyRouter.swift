/// The listener of views by key: it has the key of each entity of a group, and passes each change
/// on to the views of the key that the entity had, and of the one that it has.
// Guarded by the lock of the core.
final class KeyRouter: EntitySink, @unchecked Sendable {
  /// The key of an entity, and the slots of the entities of the key beside it.
  private struct Entry: BitwiseCopyable, Equatable {
    var key: UInt32
    var previous = KeyRouter.none
    var next = KeyRouter.none
  }

  /// A key that has entities or views.
  private struct Bucket {
    /// The slot of the first entity.
    var first = KeyRouter.none
    var sinks = StableList<SingleRole<LiveViewSink>>()

    var isEmpty: Bool { first == KeyRouter.none && sinks.isEmpty }
  }

  private static var none: UInt32 { .max }

  private let core: Core
  private let group: TableSet
  private let access: KeyAccess

  // PERFORMANCE: V3: as in views, checks of exclusive access would take as long as what is to be
  // done. No code of the user's runs while one of these is being changed.

  /// The entities that have a key, by slot.
  @exclusivity(unchecked) @safe nonisolated(unsafe) private var entries = SlotMap(
    absent: Entry(key: KeyRouter.none))

  /// What each key has, by the ID of the key.
  @exclusivity(unchecked) @safe nonisolated(unsafe) private var buckets: ContiguousArray<Bucket> =
    []

  private var lastRegistration: UInt64 = 0

  init(_ core: Core, _ tables: TableSet, more: [CID], _ access: KeyAccess) {
    (self.core, self.access) = (core, access)
    group = tables
    super.init(tables, more: more)
  }

  deinit {
    // The map lies in memory that nothing else gives back.
    entries.removeAll()
  }

  override func end() {
    for sink in sinks { sink.end() }
    entries.removeAll()
    buckets = []
  }

  private var sinks: [LiveViewSink] { buckets.flatMap(\.sinks) }

  // MARK: Views

  /// Takes in all entities of the group, once, before there are views.
  func fill() {
    core.forEach(in: group) { handle in
      let key = key(of: handle)
      if key != KeyRouter.none { link(handle, key) }
    }
  }

  /// Fills a view of a key and keeps it up to date from here on.
  func register(_ sink: LiveViewSink, under key: UInt32) {
    makeBucket(key)
    lastRegistration += 1
    sink.registration = lastRegistration
    sink.key = key
    buckets[Int(key)].sinks.append(sink)
    sink.fill { visit(key, $0) }
  }

  func unregister(_ sink: LiveViewSink) {
    guard let key = sink.key, Int(key) < buckets.count else { return }
    buckets[Int(key)].sinks.remove(sink)
    sink.key = nil
    freeIfEmpty(key)
    core.retire(sink)
  }

  /// Visits the entities of a key.
  func visit(_ key: UInt32, _ body: (Handle) -> Void) {
    guard Int(key) < buckets.count else { return }
    var slot = buckets[Int(key)].first
    while slot != KeyRouter.none {
      body(core.handle(ofSlot: slot))
      slot = entries[slot].next
    }
  }

  override func creationsWereRenumbered() {
    for sink in sinks { sink.creationsWereRenumbered() }
  }

  // MARK: Changes

  override func react(_ kind: ReactionKind, _ handle: Handle) {
    let old = entries[handle.index].key
    if old != KeyRouter.none { buckets[Int(old)].sinks.only?.prefetch(to: 255) }
    let new = kind == .removed ? KeyRouter.none : key(of: handle, mostly: old)
    if old == new {
      if old != KeyRouter.none { tell(old, kind, handle) }
      return
    }
    if old != KeyRouter.none { unlink(handle.index) }
    if new != KeyRouter.none { link(handle, new) }
    if old != KeyRouter.none {
      tell(old, .removed, handle)
      freeIfEmpty(old)
    }
    if new != KeyRouter.none { tell(new, .added, handle) }
  }

  private func tell(_ key: UInt32, _ kind: ReactionKind, _ handle: Handle) {
    if let only = buckets[Int(key)].sinks.only { return only.visit { $0.react(kind, handle) } }
    // PERFORMANCE: V3: not the iterator, which retains the list.
    // A closure of a view may be what ends others, or begins some, which have the change already.
    let end = buckets[Int(key)].sinks.beginWalk()
    for index in 0..<end { buckets[Int(key)].sinks.member(at: index)?.react(kind, handle) }
    buckets[Int(key)].sinks.endWalk()
  }

  /// The ID of an entity's key, which is the one that it had, mostly.
  private func key(of handle: Handle, mostly last: UInt32 = KeyRouter.none) -> UInt32 {
    let mode = core.beginRefusingChanges(.buildingKeys)
    let key = access.id(core, handle, last)
    core.endRefusingChanges(mode)
    return key ?? KeyRouter.none
  }

  // MARK: Entries

  private func makeBucket(_ key: UInt32) {
    while Int(key) >= buckets.count { buckets.append(Bucket()) }
  }

  private func freeIfEmpty(_ key: UInt32) {
    guard buckets[Int(key)].isEmpty else { return }
    core.refusingChanges(.buildingKeys) { access.free(key) }
  }

  private func link(_ handle: Handle, _ key: UInt32) {
    makeBucket(key)
    let next = buckets[Int(key)].first
    if next != KeyRouter.none { change(next) { $0.previous = handle.index } }
    buckets[Int(key)].first = handle.index
    entries.insert(handle.index, Entry(key: key, next: next))
  }

  private func unlink(_ slot: UInt32) {
    let entry = entries[slot]
    if entry.next != KeyRouter.none { change(entry.next) { $0.previous = entry.previous } }
    if entry.previous == KeyRouter.none {
      buckets[Int(entry.key)].first = entry.next
    } else {
      change(entry.previous) { $0.next = entry.next }
    }
    entries.remove(slot)
  }

  private func change(_ slot: UInt32, _ body: (inout Entry) -> Void) {
    var entry = entries[slot]
    body(&entry)
    entries.update(slot, entry)
  }

  #if InternalChecks
    override var walkLength: Int {
      entries.count + buckets.count + sinks.reduce(0) { $0 + $1.walkLength }
    }

    override func checkInvariants() {
      entries.checkInvariants()
      var (count, expected) = (0, 0)
      for (index, bucket) in buckets.enumerated() {
        let key = UInt32(truncatingIfNeeded: index)
        visit(key) { handle in
          count += 1
          require(
            core.isMember(handle, of: group) && self.key(of: handle) == key,
            "A router has an entity under a key that it does not have.")
        }
        for sink in bucket.sinks {
          require(sink.key == key, "A view is under a key that it is not of.")
          sink.checkInvariants()
        }
      }
      core.forEach(in: group) { if key(of: $0) != KeyRouter.none { expected += 1 } }
      require(
        count == entries.count && count == expected,
        "A router has \(count) entities, knows where \(entries.count) are, of \(expected).")
    }

    override func plant(_ contradiction: PlantedCorruption) {
      for sink in sinks { sink.plant(contradiction) }
    }
  #endif
}

/// The common part of views by key: the one listener, and what it takes to make it.
@usableFromInline
final class KeyRouting: Sendable {
  private let base: LiveViewDefinition
  private let access: KeyAccess

  /// The components that decide, other than those that the group's tables report anyway.
  private let mentioned: [CID]

  /// The life of the core in which it was made.
  private let incarnation: Int

  /// The listener, from the first view at work on.
  // Guarded by the lock of the core.
  @safe nonisolated(unsafe) private var startedRouter: KeyRouter?

  /// Makes what views have in common whose key is made of a component, and that are defined alike
  /// but for the key.
  @usableFromInline
  init(_ base: LiveViewDefinition, of component: CID, _ access: KeyAccess) {
    (self.base, self.access) = (base, access)
    let isReported = base.group?.matcher.mentions(component) == true
    mentioned = Set(base.mentioned + (isReported ? [] : [component])).ascending()
    let core = base.core
    incarnation = core.read { core.incarnation }
  }

  deinit {
    guard let startedRouter else { return }
    base.core.sectionAfterReading { [core = base.core, incarnation] in
      if core.incarnation == incarnation { core.sinks.unregister(startedRouter) }
    }
  }

  /// Whether all changes that matter to a view are those that the listener is notified of.
  func serves(_ definition: LiveViewDefinition) -> Bool {
    guard case .group = definition.source, definition.dependencies.isEmpty else { return false }
    return Set(definition.mentioned).isSubset(of: mentioned)
  }

  /// The listener, if it is at work; nil as well if the context is gone.
  ///
  /// Ask within a section.
  var router: KeyRouter? { base.core.incarnation == incarnation ? startedRouter : nil }

  /// The listener, begun if it was not; nil if the context is gone.
  ///
  /// Ask within a section.
  func beginWork() -> KeyRouter? {
    let core = base.core
    guard core.incarnation == incarnation, case .group(let group) = base.source else { return nil }
    if let startedRouter { return startedRouter }
    let router = KeyRouter(core, group.tables, more: mentioned, access)
    core.sinks.register(router)
    router.fill()
    if let startedRouter {
      // A closure of keys has begun the work.
      core.sinks.unregister(router)
      return startedRouter
    }
    startedRouter = router
    return router
  }
}

/// The way from a listener that many views have in common to the view of one key.
@usableFromInline
struct KeyRoute: Sendable {
  let routing: KeyRouting

  /// What the view tests if it listens by itself, or does not listen.
  let filter: LiveViewDefinition.Filter

  /// The ID of the key, if it has one, or given out if that is wanted; nil then if the key does not
  /// equal itself.
  private let id: @Sendable (_ givingOut: Bool) -> UInt32?

  @usableFromInline
  init(
    _ routing: KeyRouting, _ filter: LiveViewDefinition.Filter,
    id: @escaping @Sendable (_ givingOut: Bool) -> UInt32?
  ) {
    (self.routing, self.filter, self.id) = (routing, filter, id)
  }

  /// Fills a view and keeps it up to date from here on; does nothing if the context is gone.
  func register(_ sink: LiveViewSink) {
    guard let router = routing.beginWork(),
      let key = sink.core.refusingChanges(.buildingKeys, { id(true) })
    else { return }
    router.register(sink, under: key)
  }

  func unregister(_ sink: LiveViewSink) { routing.router?.unregister(sink) }

  /// Visits the entities of the key, in any order; returns whether they are known.
  func visit(_ core: Core, _ body: (Handle) -> Void) -> Bool {
    guard let router = routing.router else { return false }
    if let key = core.refusingChanges(.buildingKeys, { id(false) }) { router.visit(key, body) }
    return true
  }
}
