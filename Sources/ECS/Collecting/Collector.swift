/// Gathers the entities of a group that change, each once, until it is drained.
///
/// ```swift
/// let moved = Collector(group: context.group(Position.matcher), type: .addedOrUpdated)
/// // ... some changes later:
/// for entity in moved.drain() { redraw(entity) }
/// ```
///
/// Entities come in the order in which they were first collected since the last drain. A collector
/// holds handles only, so it keeps nothing alive, and entities may be dead when it is drained.
/// Draining one collector never affects another. Changes made while it is paused are not collected.
///
/// **When it is not drained.** A collector that does not collect removals drops dead entities when
/// they are at least half of what it holds: it looks for them at 32 entities, and each time
/// their count has doubled since. So it holds at most four times as many entities as are alive, or
/// 32. One that collects removals keeps dead entities, since they are its purpose: give it a
/// ``limit`` if it may not be drained for long. ``Context/statistics`` shows what waits in
/// collectors.
///
/// It collects from its creation until it is released. When its context goes away, it is empty.
public final class Collector: Sendable {
  /// The group whose changes are collected; for a collector of a view, the group whose entities the
  /// view shows, or that of all entities.
  public let group: Group

  /// The kinds of changes that are collected.
  public let type: ChangeKinds

  /// How many entities it holds at most; nil if there is no limit.
  ///
  /// When it is full, a new entity replaces the one that was collected first.
  public let limit: Int?

  let core: Core
  let log: CollectedSet
  let waiters: CollectorWaiters

  /// Whether an entity belongs to what is collected from, unless that is the group.
  private let isShown: (@Sendable (Entity) -> Bool)?

  /// Makes a collector of a group's changes.
  ///
  /// - Parameters:
  ///   - group: The group to watch.
  ///   - type: The kinds of changes to collect.
  ///   - paused: Whether to begin paused.
  ///   - limit: How many entities to hold at most; see ``limit``.
  /// - Precondition: The limit is positive.
  /// - Complexity: O(1), as is releasing it: only those of the group's tables are touched in which
  ///   there were changes since anything last began or ceased to listen to the group. The next
  ///   change of each kind in each of the group's tables works out again what listens.
  public convenience init(
    group: Group, type: ChangeKinds, paused: Bool = false, limit: Int? = nil
  ) {
    self.init(group, type, paused, limit, reactions: type.reactionKinds, isShown: nil)
  }

  /// Makes a collector of what reactions of a group put into its log, or a source that is added.
  ///
  /// `isShown` says whether an entity belongs to what is collected from, unless that is the group.
  init(
    _ group: Group, _ type: ChangeKinds, _ paused: Bool, _ limit: Int?, reactions: [ReactionKind],
    isShown: (@Sendable (Entity) -> Bool)?
  ) {
    require(
      limit.map { $0 > 0 } ?? true,
      "A collector of \(group.matcher) was given the limit \(limit ?? 0): it must be at least 1.")
    self.group = group
    self.type = type
    self.limit = limit
    self.isShown = isShown
    core = group.core
    log = CollectedSet(
      core: group.core, kinds: reactions, keepsDead: type.contains(ChangeKinds.removed),
      limit: limit)
    waiters = CollectorWaiters(group.core)
    core.section {
      log.isPaused = paused
      group.tables.logs.append(log)
      core.reactionLists.invalidate(of: group.tables)
    }
  }

  deinit {
    core.sectionAfterReading { [core, group, log] in
      if group.tables.logs.contains(log) {
        group.tables.logs.remove(log)
        core.reactionLists.invalidate(of: group.tables)
      }
      log.close()
      core.retire(log)
    }
  }

  /// Whether nothing is collected.
  ///
  /// - Complexity: O(1).
  public var isEmpty: Bool { count == 0 }

  /// Whether there is nothing to drain, and no memory that draining would give back.
  var isIdle: Bool { core.readingSection(keepsNothing: true) { log.isIdle } }

  /// The number of collected entities.
  ///
  /// - Complexity: O(1).
  public var count: Int {
    core.readingSection(keepsNothing: true) { log.count }
  }

  /// How many entities have been dropped because of the ``limit`` so far.
  ///
  /// If this has grown, changes were missed: look at all entities of the group instead.
  ///
  /// - Complexity: O(1).
  public var lostCount: Int {
    core.readingSection(keepsNothing: true) { log.lostCount }
  }

  /// Whether an entity is collected.
  ///
  /// - Complexity: O(1); O(*k*), where *k* is the number of collected entities, for a dead entity
  ///   if one that came after it in the same storage is collected as well.
  public func contains(_ entity: Entity) -> Bool {
    guard entity.core == core else { return false }
    return core.readingSection(keepsNothing: true) { log.contains(entity.handle) }
  }

  /// Takes out all collected entities, including those that no longer match, and dead ones that
  /// were not dropped.
  ///
  /// Nothing is copied, and the collector reuses the memory of the previous drain if that
  /// result is no longer in use.
  ///
  /// - Complexity: O(1); O(*k*), where *k* is the number of collected entities, after
  ///   ``popFirst()``.
  public func drain() -> EntitySet {
    EntitySet(core.section { log.drain() })
  }

  /// Takes out all collected entities and returns those that are alive and belong to the group, or
  /// to the view.
  ///
  /// - Complexity: O(*k*), where *k* is the number of collected entities.
  public func drainMatching() -> EntitySet {
    core.section {
      EntitySet(
        log.drain(where: { [core, group, isShown] handle in
          isShown?(Entity(core: core, handle: handle)) ?? core.isMember(handle, of: group.tables)
        }))
    }
  }

  /// Whether an entity belongs to what is collected from.
  func isMember(_ entity: Entity) -> Bool { isShown?(entity) ?? group.contains(entity) }

  /// Takes out all collected entities into an array whose storage is reused: in a steady state,
  /// nothing is allocated.
  ///
  /// - Parameter entities: Emptied, and filled with the entities in the order of `drain()`.
  /// - Complexity: O(*k*), where *k* is the number of collected entities.
  public func drain(into entities: inout [Entity]) {
    core.section {
      entities.removeAll(keepingCapacity: true)
      entities.reserveCapacity(log.count)
      log.drain { entities.append(Entity(core: core, handle: $0)) }
    }
  }

  /// Takes out the entity that was collected first; nil if nothing is collected.
  ///
  /// - Complexity: O(1).
  public func popFirst() -> Entity? {
    core.section { log.popFirst().map { Entity(core: core, handle: $0) } }
  }

  /// Takes out all collected entities and pauses.
  public func drainAndPause() -> EntitySet {
    core.section {
      let entities = drain()
      log.isPaused = true
      return entities
    }
  }

  /// Puts back entities that were taken out, before those that were collected since.
  ///
  /// For work that could not be done. Entities that have been collected in the meantime come once,
  /// at their earlier position. This wakes no task. If there are more than the ``limit``, the last
  /// ones are kept. Does nothing while the collector is paused; entities of other contexts are
  /// ignored.
  ///
  /// - Complexity: O(*k* + *n*), where *k* is the number of collected entities and *n* the number
  ///   of restored ones.
  public func restore(_ entities: EntitySet) {
    core.section {
      guard !log.isPaused, core.uses(group.tables) else { return }
      log.restore(entities.lazy.filter { [core] in $0.core == core }.map(\.handle))
    }
  }

  /// Puts entities in as if they had changed just now, behind those that are collected already.
  ///
  /// For work that is found in another way than by changes: this wakes tasks that wait for the
  /// collector. Does nothing while the collector is paused, or ignores changes; entities of other
  /// contexts, and those that are gone, are ignored.
  ///
  /// - Complexity: O(*k*), where *k* is the number of entities.
  public func collect(_ entities: EntitySet) {
    core.section {
      guard core.uses(group.tables) else { return }
      for entity in entities where entity.core == core && core.isSeenAlive(entity.handle) {
        log.collect(entity.handle)
      }
    }
  }

  // MARK: Pausing

  /// Whether changes are ignored.
  public var isPaused: Bool { core.readingSection(keepsNothing: true) { log.isPaused } }

  /// Ignores changes until ``resume()``, and drops what is collected.
  ///
  /// Does nothing if the collector is paused already. See ``drainAndPause()`` for keeping it. No
  /// ``Context/transaction(_:)`` takes it back: it is no change of entities.
  ///
  /// - Complexity: O(*k*), where *k* is the number of collected entities.
  public func pause() { core.section { log.isPaused = true } }

  /// Collects changes again, from now on.
  ///
  /// Does nothing unless the collector is paused. No ``Context/transaction(_:)`` takes it back.
  ///
  /// - Complexity: O(1)
  public func resume() { core.section { log.isPaused = false } }
}
