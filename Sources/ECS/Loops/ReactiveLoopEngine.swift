import Dispatch
import Synchronization

/// Makes the passes of a reactive loop.
///
/// Two things are guarded separately. `turn` is held during a pass: the thread that has it may use
/// the runner and its systems. `guardian` guards the state, for moments only; nothing else is
/// called meanwhile. The lock of a context is taken inside a turn, but never inside `guardian`,
/// since wakes and calls of users may come from critical sections.
// Guarded as said above.
final class ReactiveLoopEngine: @unchecked Sendable {
  let name: String
  let core: Core
  let queue: DispatchQueue
  let timing: ReactiveLoop.Timing
  let maxPasses: Int
  let retry: ReactiveLoop.Retry
  let clock: LoopClock

  // INVARIANT: used by the holder of the turn only.
  let runner: SystemRunner
  var feeding = FeedingRecord()
  var failuresInRow = 0

  /// Whether systems came that were not yet found to belong to the queue.
  private var hasUncheckedSystems = true

  private let turn = DispatchSemaphore(value: 1)

  /// The thread that has the turn, or 0.
  private let turnHolder = Atomic<UInt>(0)

  /// Whether a change woke the loop since the running or last pass looked; see `wake(_:)`.
  let isWoken = Atomic<Bool>(false)

  // INVARIANT: used inside `guardian` only.
  private var state = ReactiveLoopState()
  private var stepCount = 0
  private var waiters: [(collector: Collector, number: Int)] = []
  private let guardian = DispatchQueue(label: "ECS.ReactiveLoop.state")

  /// The mark of the queue; nil for the global queues, which can't be marked, and need not be: they
  /// are concurrent.
  private let queueMark: QueueMark?

  @inline(never)
  init(
    _ runner: sending SystemRunner, core: Core, queue: DispatchQueue,
    timing: ReactiveLoop.Timing, maxPasses: Int, retry: ReactiveLoop.Retry, clock: LoopClock
  ) {
    require(maxPasses > 0, "A loop was given \(maxPasses) as maxPasses: it must be at least 1.")
    name = runner.loop
    self.runner = runner
    self.core = core
    self.queue = queue
    self.timing = timing
    self.maxPasses = maxPasses
    self.retry = retry
    self.clock = clock
    state.statistics = runner.statistics
    state.claims = runner.claims
    state.loggers = LoggerList(runner.logger)
    state.hasTeardown = runner.steps.contains { $0.ending != nil }
    queueMark = queue.label.hasPrefix("com.apple.root.") ? nil : QueueMark.of(queue)
    refuseMainActor(runner.systemOfMainActor)
  }

  deinit { stopListening() }

  /// Runs a body that reads or writes the state and calls nothing else.
  func withState<Result>(_ body: (inout ReactiveLoopState) -> Result) -> Result {
    guardian.sync { body(&state) }
  }

  /// Runs a body that has the turn.
  @inline(never)
  func withTurn<Result>(_ body: () -> Result) -> Result {
    turn.wait()
    turnHolder.store(ThreadIdentity.current, ordering: .relaxed)
    defer {
      turnHolder.store(0, ordering: .relaxed)
      turn.signal()
    }
    return body()
  }

  /// Whether the caller is called by a system of this loop.
  var isInTurn: Bool { turnHolder.load(ordering: .relaxed) == ThreadIdentity.current }

  /// Whether the queue is the main queue, of which there may be several objects.
  var isOnMainQueue: Bool { queue.label == DispatchQueue.main.label }

  var isOnQueue: Bool { queueMark?.isHere == true }

  // MARK: Waking

  /// Waits for collectors to fill, and makes a first pass if there is something to do.
  func start() {
    let steps = runner.steps
    let (needsInit, triggers) = (runner.needsInit, steps.flatMap(\.triggers))
    for step in steps { listen(to: step) }
    // Last: a change before a collector had its waiter has woken nothing, and one since then has
    // woken the loop.
    if needsInit || triggers.contains(where: { !$0.isEmpty }) {
      trigger(isForced: true, timing: .immediate)
    }
  }

  private func listen(to step: SystemStep) {
    let position = guardian.sync {
      stepCount += 1
      return stepCount - 1
    }
    for collector in step.triggers {
      let number = collector.addWaiter { [weak self, weak collector] in
        self?.wake(position, collector)
      }
      guardian.sync { waiters.append((collector, number)) }
    }
  }

  private func stopListening() {
    let ended = guardian.sync {
      defer { waiters = [] }
      return waiters
    }
    for (collector, number) in ended { collector.removeWaiter(number) }
  }

  /// Whether a system has something new to do, asked by any thread.
  var hasNews: Bool {
    let attended = guardian.sync {
      waiters.map(\.collector).filter { !state.leftOut.contains(ObjectIdentifier($0)) }
    }
    return attended.contains(where: \.hasNews)
  }

  /// A collector of a step got its first entity.
  ///
  /// Called by the thread that changed the context, without the context's lock.
  private func wake(_ position: Int, _ collector: Collector?) {
    if isInTurn {
      // The pass looks for news at its end.
      feeding.note(runner.current, feeds: position)
      if timing.isDebounce { collector?.awaitArrival() }
      return
    }
    let wasWoken = isWoken.exchange(true, ordering: .acquiringAndReleasing)
    if timing.isDebounce {
      collector?.awaitArrival()
    } else if wasWoken {
      return
    }
    trigger()
  }

  /// Plans a pass, unless one is planned or running, which looks for news at its end.
  func trigger(isForced: Bool = false, timing: ReactiveLoop.Timing? = nil) {
    let now = clock.now()
    let launch = withState { state -> ReactiveLoopState.Launch in
      guard state.canRun else { return .nothing }
      if isForced { state.isForced = true }
      switch state.phase {
      case .running:
        return .nothing
      case .scheduled:
        // A timer of the loop's own is no change that restarts the time.
        if self.timing.isDebounce, timing == nil {
          state.due = self.timing.due(triggeredAt: now, lastPass: state.lastPass)
        }
        return .nothing
      case .idle:
        return state.schedule(timing ?? self.timing, at: now)
      }
    }
    perform(launch)
  }

  /// Sees to it that a planned pass begins: the caller may be in a section, and the clock
  /// may have locks of its own.
  @inline(never)
  func perform(_ launch: ReactiveLoopState.Launch) {
    if case .nothing = launch { return }
    core.runWhenFree { [weak self] in self?.begin(launch) }
  }

  private func begin(_ launch: ReactiveLoopState.Launch) {
    switch launch {
    case .nothing: break
    case .now(let ticket):
      queue.async { [weak self] in
        Delay.pass.wait()
        self?.runScheduled(ticket)
      }
      Delay.change.wait()
    case .later(let wait, let ticket):
      clock.run(wait, queue) { [weak self] in self?.runScheduled(ticket) }
    }
  }

  // MARK: What the loop's owner asks for

  func add(_ step: sending SystemStep) {
    // Here, where the caller that made the mistake can see it, not when the next pass lets the
    // system in.
    let claims = CollectorClaims(step)
    let conflict = withState { state in
      let conflict = state.claims.conflict(with: claims, inLoop: name)
      if conflict == nil { state.claims.add(claims, inLoop: name) }
      return conflict
    }
    if let conflict { stop(conflict) }
    refuseMainActor(step.isolation.isOfMainActor ? step.name : step.nested?.systemOfMainActor)
    let (needsInit, triggers) = (step.needsInit, step.triggers)
    listen(to: step)
    // Handed over: the holder of the turn uses it from now on.
    @safe nonisolated(unsafe) let step = step
    withState { state in
      if step.ending != nil { state.hasTeardown = true }
      state.additions.append(step)
      if let system = step.reactive as? AsyncSystem {
        system.isPaused = state.isPaused
        state.asyncSystems.append((state.statistics.count, system))
      }
      state.statistics.append(step.statistics)
    }
    // Last: a change before a collector had its waiter, or before the step was there, is seen here.
    if needsInit || triggers.contains(where: { !$0.isEmpty }) { trigger(isForced: true) }
  }

  /// Stops if there is a system of the main actor and the queue is another one than the main queue.
  private func refuseMainActor(_ system: String?) {
    if let system { requireMainQueue(for: system) }
  }

  /// Stops unless the queue is the main queue.
  func requireMainQueue(for system: String) {
    require(
      isOnMainQueue,
      "System \(system) belongs to the main actor, but loop \(name) runs on the queue \(queue.label): use a loop on the main queue, such as ReactiveLoop(ctx: context, systems: []); or mark the system's closure as @Sendable if it does not need the main actor."
    )
  }

  func pause() {
    resumeSleepers(
      withState { state in
        state.isPaused = true
        for (_, system) in state.asyncSystems { system.isPaused = true }
        state.unschedule()
        return state.takeSleepers()
      })
  }

  func resume() {
    let wasPaused = withState { state in
      defer { state.isPaused = false }
      for (_, system) in state.asyncSystems { system.isPaused = false }
      return state.isPaused
    }
    // Whether there is something to do is seen in the pass.
    if wasPaused { trigger(isForced: true) }
    for (_, system) in withState(\.asyncSystems) { system.startWaiting() }
  }

  func cancel() {
    let (isFirst, tearsDown, sleepers) = withState { state in
      let isFirst = !state.isCancelled
      state.isCancelled = true
      state.unschedule()
      if isFirst { state.isTearingDown = state.hasTeardown }
      return (isFirst, isFirst && state.hasTeardown, state.takeSleepers())
    }
    if isFirst {
      stopListening()
      for (_, system) in withState(\.asyncSystems) { system.cancel() }
    }
    // The systems are kept until they are torn down.
    if tearsDown { queue.async { self.tearDown() } }
    resumeSleepers(sleepers)
  }

  private func tearDown() {
    withTurn {
      admitAdditions()
      runner.teardown()
      let sleepers = withState { state in
        state.isTearingDown = false
        state.statistics = runner.statistics + state.additions.map(\.statistics)
        return state.takeSleepers()
      }
      resumeSleepers(sleepers)
    }
  }

  /// Lets in the systems that were added, and makes sure that all belong here.
  func admitAdditions() {
    let (additions, logger) = withState { state in
      let logger = state.hasNewLoggers ? state.loggers.combined : runner.logger
      state.hasNewLoggers = false
      defer { state.additions = [] }
      return (state.additions, logger)
    }
    // What is replaced may end here, which may call the loop.
    let replaced = runner.logger
    runner.logger = logger
    withExtendedLifetime(replaced) {}
    for step in additions { runner.append(step) }
    if !additions.isEmpty { hasUncheckedSystems = true }
    guard hasUncheckedSystems else { return }
    runner.checkIsolation("the queue \(queue.label)", isMainQueue: isOnMainQueue)
    hasUncheckedSystems = false
  }

  /// Wakes tasks that waited: the thread that stops the loop may be in a section.
  func resumeSleepers(_ sleepers: [CheckedContinuation<Void, Never>]) {
    guard !sleepers.isEmpty else { return }
    core.runWhenFree { [core] in
      core.assertIsFree()
      for sleeper in sleepers { sleeper.resume() }
    }
  }

  var isPaused: Bool { withState(\.isPaused) }
  var isCancelled: Bool { withState(\.isCancelled) }
  var statistics: [SystemStatistics] {
    var (statistics, systems) = withState { ($0.statistics, $0.asyncSystems) }
    for (position, system) in systems { statistics[position] = system.statistics }
    return statistics
  }
}
