/// Gathers the entities of a group that change, each once, until somebody drains it.
///
/// ```swift
/// let moved = Collector(group: context.group(Position.matcher), type: .addedOrUpdated)
/// // ... some changes later:
/// for entity in moved.drain() { redraw(entity) }
/// ```
///
/// Entities come in the order in which they were first collected since the last drain. A collector
/// holds handles only, so it keeps nothing alive, and entities may be dead when it is drained.
/// Draining one collector never affects another. While paused it ignores changes for good.
///
/// It collects from its creation until it is released. When its context goes, it is empty.
public final class Collector: Sendable {
  /// The group whose changes are collected.
  public let group: Group

  /// The kinds of changes that are collected.
  public let type: ChangeKinds

  let core: CoreReference
  let log = EntityLogBox()
  let waiters: CollectorWaiters

  /// Makes a collector of a group's changes.
  ///
  /// - Parameters:
  ///   - group: The group to watch.
  ///   - type: The kinds of changes to collect.
  ///   - paused: Whether to begin paused.
  /// - Complexity: O(1).
  public init(group: Group, type: ChangeKinds, paused: Bool = false) {
    self.group = group
    self.type = type
    core = group.core
    waiters = CollectorWaiters(group.core)
    core.section {
      log.isPaused = paused
      group.tables.attach(log, type.reactionKinds)
      core.invalidateReactions()
    }
  }

  deinit {
    core.section {
      group.tables.detach(log)
      core.invalidateReactions()
      core.retire(log)
    }
  }

  /// Whether nothing is collected.
  ///
  /// - Complexity: O(1).
  public var isEmpty: Bool { count == 0 }

  /// The number of collected entities.
  ///
  /// - Complexity: O(1).
  public var count: Int {
    core.section { log.count }
  }

  /// Whether an entity is collected.
  ///
  /// - Complexity: O(1); O(*k*), where *k* is the number of collected entities, for a dead entity
  ///   if one that came after it in the same storage is collected as well.
  public func contains(_ entity: Entity) -> Bool {
    guard entity.core == core else { return false }
    return core.section { log.contains(entity.handle) }
  }

  /// Takes out all collected entities, also those that are dead or match no longer.
  ///
  /// Nothing is copied, and the collector goes on with the memory of the drain before if that
  /// result is no longer in use.
  ///
  /// - Complexity: O(1); O(*k*), where *k* is the number of collected entities, after
  ///   ``popFirst()``.
  public func drain() -> EntitySet {
    EntitySet(core.section { log.drain(of: core) })
  }

  /// Takes out all collected entities and returns those that are alive and belong to the group.
  ///
  /// - Complexity: O(*k*), where *k* is the number of collected entities.
  public func drainMatching() -> EntitySet {
    core.section {
      EntitySet(log.drain(of: core) { [core, group] in core.isMember($0, of: group.tables) })
    }
  }

  /// Takes out all collected entities into an array whose storage is used again: in steady state,
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

  /// Collects entities again that were taken out, before those that were collected since.
  ///
  /// For work that could not be done. Entities that have been collected meanwhile come once, at
  /// their earlier place. Nobody is woken for them. Does nothing while the collector is paused;
  /// entities of other contexts are left out.
  ///
  /// - Complexity: O(*k* + *n*), where *k* is the number of collected entities and *n* that of the
  ///   restored ones.
  public func restore(_ entities: EntitySet) {
    core.section {
      guard !log.isPaused, core.uses(group.tables) else { return }
      log.restore(entities.lazy.filter { [core] in $0.core == core }.map(\.handle))
    }
  }

  /// Whether changes are ignored.
  ///
  /// Pausing drops what is collected.
  public var isPaused: Bool {
    get { core.section { log.isPaused } }
    set { core.section { log.isPaused = newValue } }
  }
}

extension Context {
  /// Makes a collector of the changes of a matcher's group.
  public func collector(
    for matcher: Matcher, type: ChangeKinds = .added, paused: Bool = false
  ) -> Collector {
    Collector(group: group(matcher), type: type, paused: paused)
  }
}
