import Dispatch

/// A reactive system whose work awaits: a pass of its loop starts a task for each entity, and goes
/// on.
///
/// Entities stand in lanes, of which each has one in flight at a time: those with the same key in
/// one, those without a key in lanes of their own. Works that failed go back to the collector with
/// what stands behind them, and come again when the loop retries.
// Guarded as said below.
final class AsyncSystem: StrictReactiveSystem, @unchecked Sendable {
  typealias Work = @Sendable (Entity) async throws -> @Sendable () -> Void

  // Keys are Sendable: see `ReactiveLoop.onAsync`.
  private enum LaneID: Hashable, @unchecked Sendable {
    case entity(Entity)
    case key(AnyHashable)
  }

  private struct Lane {
    /// The entities whose work has not begun, oldest first.
    var waiting = FirstInFirstOut<Entity>()

    /// The work in flight.
    var task: Task<Void, Never>?
  }

  let name: String
  let collector: Collector
  private let limit: Int
  private let key: (@Sendable (Entity) -> AnyHashable?)?
  private let work: Work
  private let cause: CurrentCause

  /// The engine that calls the system, and keeps it.
  private unowned let engine: ReactiveLoopEngine

  // INVARIANT: used inside `guardian` only, in which nothing else is called.
  private var lanes: [LaneID: Lane] = [:]
  private var startable = FirstInFirstOut<LaneID>()
  private var lastFailed = false
  private var pauses = false
  private var isCancelled = false
  private var counted: SystemStatistics

  /// The entities whose work is in flight, with their lanes.
  private var inFlight: [Entity: LaneID] = [:]

  /// The entities whose work has not begun, with the order in which they came.
  private var waiting: [Entity: Int] = [:]
  private var lastArrival = 0

  /// How many entities wait when dead ones are looked for next.
  private var nextSweep = AsyncSystem.leastSweep
  private static let leastSweep = 32
  private let guardian = DispatchQueue(label: "ECS.AsyncSystem")

  init(
    _ name: String, collector: Collector, limit: Int, key: (@Sendable (Entity) -> AnyHashable?)?,
    engine: ReactiveLoopEngine, _ work: @escaping Work
  ) {
    require(limit > 0, "System \(name) was given the limit \(limit): it must be at least 1.")
    self.name = name
    self.collector = collector
    self.limit = limit
    self.key = key
    self.work = work
    self.engine = engine
    cause = CurrentCause(Cause(kind: .system, name: name, loop: engine.name))
    counted = SystemStatistics(name: name)
  }

  /// Whether some work is in flight, or about to begin.
  func isBusy(_ canRun: Bool) -> Bool {
    guardian.sync { !inFlight.isEmpty || canRun && !waiting.isEmpty }
  }

  /// Whether the work that ended last failed, and others are under way.
  var isFailing: Bool {
    guardian.sync { lastFailed && !(inFlight.isEmpty && waiting.isEmpty) }
  }

  /// Whether no work begins.
  var isPaused: Bool {
    get { guardian.sync { pauses } }
    set { guardian.sync { pauses = newValue } }
  }

  var statistics: SystemStatistics {
    guardian.sync {
      var statistics = counted
      statistics.inFlight = inFlight.count
      statistics.waiting = waiting.count
      return statistics
    }
  }

  func execute(entities: EntitySet) {
    let found = entities.map { entity in
      (entity, key?(entity).map(LaneID.key) ?? .entity(entity))
    }
    let refused = guardian.sync { () -> Bool in
      if !isCancelled { for (entity, lane) in found { append(entity, to: lane) } }
      return isCancelled
    }
    if refused { collector.restore(entities) }
    dropDead()
    startWaiting(inRun: true)
  }

  private func append(_ entity: Entity, to lane: LaneID) {
    guard waiting[entity] == nil else { return }
    // Its key may have changed since its work began.
    let id = inFlight[entity] ?? lane
    lastArrival += 1
    waiting[entity] = lastArrival
    if lanes[id] == nil { startable.append(id) }
    lanes[id, default: Lane()].waiting.append(entity)
  }

  /// Drops entities that died before their work began, when there may be many.
  private func dropDead() {
    let candidates = guardian.sync { waiting.count < nextSweep ? [] : Array(waiting.keys) }
    guard !candidates.isEmpty else { return }
    let dead = candidates.filter { !$0.isAlive }
    guardian.sync {
      for entity in dead { waiting[entity] = nil }
      for id in lanes.keys { keepWaiting(in: id) { waiting[$0] != nil } }
      startable.removeAll { lanes[$0] == nil }
      nextSweep = max(2 * waiting.count, AsyncSystem.leastSweep)
    }
  }

  /// Drops the entities of a lane that do not meet a condition, and the lane if nothing is left.
  private func keepWaiting(in id: LaneID, where condition: (Entity) -> Bool) {
    lanes[id]?.waiting.removeAll { !condition($0) }
    if let lane = lanes[id], lane.task == nil, lane.waiting.count == 0 { lanes[id] = nil }
  }

  /// Begins as many works as the limit allows, unless the loop is paused.
  ///
  /// Those that a run begins have its task-local values; others have none, since what a work before
  /// them was done for is not what they are done for.
  func startWaiting(inRun: Bool = false) {
    while startNext(inRun) {}
  }

  private func startNext(_ inRun: Bool) -> Bool {
    guardian.sync {
      guard inFlight.count < limit, !pauses, !isCancelled, let id = startable.popFirst(),
        let entity = lanes[id]?.waiting.popFirst()
      else { return false }
      waiting[entity] = nil
      inFlight[entity] = id
      let work: @Sendable () async -> Void = { [self, engine] in
        Delay.task.wait()
        await carryOut(entity, in: id, engine)
      }
      lanes[id]?.task =
        inRun ? Task(operation: work) : .detached(priority: Task.currentPriority, operation: work)
      return true
    }
  }

  private func carryOut(_ entity: Entity, in lane: LaneID, _ engine: ReactiveLoopEngine) async {
    // The loop was cancelled before the task came to run.
    if engine.isCancelled { return giveUp(entity, in: lane, of: engine) }
    let start = engine.clock.now()
    do {
      if collector.isMember(entity) {
        let logger = engine.withState(\.loggers.combined)
        let change =
          if let logger {
            try await logger.work(name) { try await work(entity) }
          } else {
            try await work(entity)
          }
        apply(change, to: entity)
        noteRun(engine.clock.now() - start)
      }
      end(entity, in: lane, of: engine)
    } catch {
      // Nothing failed: the loop's end was the reason.
      if error is CancellationError, engine.isCancelled {
        return giveUp(entity, in: lane, of: engine)
      }
      noteRun(engine.clock.now() - start, failed: true)
      engine.workFailed(error, of: self, entity) { [self] in
        giveBack(entity, and: lane)
      } end: { [self] in
        end(entity, in: lane, of: engine)
      }
    }
  }

  /// Leaves an entity to another loop.
  private func giveUp(_ entity: Entity, in lane: LaneID, of engine: ReactiveLoopEngine) {
    collector.collect([entity])
    end(entity, in: lane, of: engine)
  }

  private func apply(_ change: () -> Void, to entity: Entity) {
    cause.run {
      collector.core.userSection { if collector.isMember(entity) { change() } }
    }
  }

  private func noteRun(_ time: Duration, failed: Bool = false) {
    guardian.sync {
      counted.noteRun(entities: 1, time: time)
      if failed { counted.errors += 1 }
      lastFailed = failed
    }
  }

  /// Puts an entity whose work failed back into the collector, with those behind it.
  private func giveBack(_ entity: Entity, and id: LaneID) {
    let behind = guardian.sync { () -> [Entity] in
      var behind: [Entity] = []
      while let next = lanes[id]?.waiting.popFirst() { behind.append(next) }
      for entity in behind { waiting[entity] = nil }
      return behind
    }
    collector.restore(EntitySet([entity] + behind))
  }

  private func end(_ entity: Entity, in id: LaneID, of engine: ReactiveLoopEngine) {
    guardian.sync {
      inFlight[entity] = nil
      lanes[id]?.task = nil
      if lanes[id]?.waiting.count == 0 { lanes[id] = nil } else { startable.append(id) }
    }
    startWaiting()
    engine.workEnded()
  }

  /// Cancels what is in flight, and puts what has not begun back into the collector.
  func cancel() {
    let (tasks, entities) = guardian.sync {
      isCancelled = true
      let entities = waiting.sorted(byNumber: { UInt64($0.value) }).map(\.key)
      let tasks = lanes.values.compactMap(\.task)
      waiting = [:]
      for id in lanes.keys { keepWaiting(in: id) { _ in false } }
      return (tasks, entities)
    }
    // Handlers of cancellation may take locks, and no transaction is to take this back.
    collector.core.runWhenFree { [collector] in
      for task in tasks { task.cancel() }
      collector.restore(EntitySet(entities))
    }
  }
}
