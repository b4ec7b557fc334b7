/// Calls the systems of a loop, one at a time, and keeps count.
final class SystemRunner {
  let loop: String

  /// What is called before, around and after the calls of systems.
  var logger: (any SystemLogger)?
  private let now: @Sendable () -> Duration
  private let errorHandler: ((inout LoopFailure) -> Void)?
  private(set) var steps: [SystemStep]

  /// What the systems drain.
  private(set) var claims: CollectorClaims

  /// While this is the runner of a loop that another one calls as a system: the caller.
  private var outer: (runner: SystemRunner, step: SystemStep)?

  /// The position of the step that is being carried out.
  private(set) var current = 0

  @inline(never)
  init(
    loop: String, systems: [any System], logger: (any SystemLogger)?, clock: LoopClock,
    errorHandler: ((inout LoopFailure) -> Void)?
  ) {
    self.loop = loop
    self.logger = logger?.logger(ofLoop: loop)
    now = clock.now
    self.errorHandler = errorHandler
    steps = systems.map { SystemStep($0, inLoop: loop) }
    claims = CollectorClaims(steps, ofLoop: loop)
  }

  func append(_ step: SystemStep) {
    claims.add(CollectorClaims(step), inLoop: loop)
    steps.append(step)
  }

  /// Whether something was collected that no system has worked on, restored entities apart.
  var hasNews: Bool { steps.contains(where: \.hasNews) }

  /// The same without what is to be done because of the time.
  var hasCollectedNews: Bool { steps.contains(where: \.hasCollectedNews) }

  /// Whether some trigger holds restored entities only.
  var hasRestored: Bool { steps.contains(where: \.hasRestored) }

  /// Whether something is collected at all.
  var hasCollected: Bool { steps.contains(where: \.hasCollected) }

  var needsInit: Bool { steps.contains(where: \.needsInit) }

  /// The triggers of systems that are left out because they could not be initialized.
  var leftOutTriggers: [Collector] { steps.flatMap(\.leftOutTriggers) }

  /// Whether a system is left out because it could not be initialized.
  var hasLeftOut: Bool {
    steps.contains { $0.isLeftOut || $0.nested?.hasLeftOut == true }
  }

  var statistics: [SystemStatistics] { steps.map(\.statistics) }

  // MARK: The phases

  /// Carries out a pass.
  @inline(never)
  func pass(_ body: () -> Void) {
    if let logger { logger.pass(body) } else { body() }
  }

  /// Initializes the systems that have not been.
  ///
  /// Returns whether one of them threw.
  @inline(never)
  @discardableResult
  func initialise() -> Bool {
    var hasFailed = false
    forEachStep(.initialise) { step in
      guard let system = step.initial, step.needsInit else { return }
      step.initialisation = .done
      logger?.willInit(step.name)
      if attempt(step, .initialise, [], { try system.initialise() }) != nil {
        step.initialisation = .failed
      }
      logger?.didInit(step.name)
      if step.isLeftOut || step.nested?.hasLeftOut == true { hasFailed = true }
    }
    return hasFailed
  }

  @inline(never)
  func execute() {
    forEachStep(.execute) { step in
      guard !step.isLeftOut else { return }
      if let system = step.executing, step.due?.take() ?? true {
        run(step, .execute) { try system.execute() }
      }
      // PERFORMANCE: SY: mostly there is nothing to drain.
      if let collector = step.collector, !collector.isIdle, let system = step.reactive {
        execute(system, collector, of: step)
      }
    }
  }

  func cleanup() {
    forEachStep(.cleanup) { step in
      guard let system = step.cleaning, !step.isLeftOut else { return }
      run(step, .cleanup) { try system.cleanup() }
    }
  }

  /// Tears down, in reverse, the systems that were initialized or need not be.
  @inline(never)
  func teardown() {
    logger?.willBegin(.teardown)
    defer { logger?.didEnd(.teardown) }
    for position in steps.indices.reversed() {
      let step = steps[position]
      guard let system = step.ending, step.canBeTornDown else { continue }
      current = position
      logger?.willTeardown(step.name)
      attempt(step, .teardown) { try system.teardown() }
      logger?.didTeardown(step.name)
    }
  }

  private func forEachStep(_ phase: LoopFailure.Phase, _ body: (SystemStep) -> Void) {
    logger?.willBegin(phase)
    defer { logger?.didEnd(phase) }
    for position in steps.indices {
      current = position
      body(steps[position])
    }
  }

  // MARK: Single calls

  private func execute(_ system: any ReactiveSystem, _ collector: Collector, of step: SystemStep) {
    let entities = step.isStrict ? collector.drainMatching() : collector.drain()
    guard !entities.isEmpty else { return }
    let dropsEntities = run(step, .execute, entities) { try system.execute(entities: entities) }
    if dropsEntities == false { collector.restore(entities) }
  }

  @discardableResult
  private func run(
    _ step: SystemStep, _ phase: LoopFailure.Phase, _ entities: EntitySet = [],
    _ body: () throws -> Void
  ) -> Bool? {
    if phase == .execute { logger?.willExecute(step.name) } else { logger?.willCleanup(step.name) }
    var dropsEntities: Bool?
    var time = Duration.zero
    func attempt() {
      let start = now()
      dropsEntities = self.attempt(step, phase, entities, body)
      time = now() - start
    }
    if let logger {
      logger.run(step.name, in: phase, entities: entities.count) { attempt() }
    } else {
      attempt()
    }
    step.statistics.noteRun(entities: entities.count, time: time)
    logger?.didRun(step.name, in: phase, entities: entities.count, time: time)
    if phase == .execute { logger?.didExecute(step.name) } else { logger?.didCleanup(step.name) }
    return dropsEntities
  }

  /// Calls a body.
  ///
  /// If it throws, tells so, and returns whether its entities are given up.
  @discardableResult
  private func attempt(
    _ step: SystemStep, _ phase: LoopFailure.Phase, _ entities: EntitySet = [],
    _ body: () throws -> Void
  ) -> Bool? {
    let nested = step.nested
    let outerBefore = nested?.outer
    nested?.outer = (self, step)
    defer { nested?.outer = outerBefore }
    do {
      try step.cause.run(body)
      return nil
    } catch {
      note(error, of: step)
      return report(.systemThrew(error, in: phase), [step.name], entities)
    }
  }

  // MARK: Isolation

  /// The name of a system whose closure belongs to the main actor; nil if there is none.
  var systemOfMainActor: String? {
    for step in steps {
      if step.isolation.isOfMainActor { return step.name }
      if let name = step.nested?.systemOfMainActor { return name }
    }
    return nil
  }

  /// Stops unless the running code is where all systems belong.
  ///
  /// - Parameters:
  ///   - executor: Where it runs, in words.
  ///   - isMainQueue: Whether that is the main queue. Where no thread is the main one for good, as
  ///     on Linux, the language does not find conformances of the main actor in its blocks.
  func checkIsolation(_ executor: String, isMainQueue: Bool) {
    for step in steps {
      var message: String {
        "System \(step.name) of loop \(loop) belongs to an actor, and cannot run on \(executor): if it is the main actor, use a loop on the main queue, such as ReactiveLoop(ctx: context, systems: [])."
      }
      require(isMainQueue || step.isolation.isCurrent, message)
      step.isolation.checkClosure(message)
      step.nested?.checkIsolation(executor, isMainQueue: isMainQueue)
    }
  }

  // MARK: Failures

  /// Counts an error, also for the loops that this one is in.
  private func note(_ error: any Error, of step: SystemStep) {
    step.statistics.errors += 1
    logger?.didFail(step.name, error)
    if let outer { outer.runner.note(error, of: outer.step) }
  }

  /// Counts and reports that work of a system on an entity threw, which was not done in a pass.
  ///
  /// Returns whether the entity is given up.
  func noteFailure(_ error: any Error, of system: any ReactiveSystem, _ entity: Entity) -> Bool {
    for step in steps where step.collector === system.collector { note(error, of: step) }
    return report(.systemThrew(error, in: .execute), [system.name], [entity])
  }

  /// Reports a failure to the handler of failures; if there is none, it is logged.
  ///
  /// Returns whether the entities are given up.
  @discardableResult
  func report(
    _ reason: LoopFailure.Reason, _ systems: [String], _ entities: EntitySet = []
  ) -> Bool {
    var failure = LoopFailure(reason: reason, loop: loop, systems: systems, entities: entities)
    if !tell(&failure) { failure.log() }
    return failure.dropsEntities
  }

  /// Tells the error handlers of this loop and of those that it is in.
  ///
  /// Returns whether there is one.
  private func tell(_ failure: inout LoopFailure) -> Bool {
    errorHandler?(&failure)
    let isReported = outer?.runner.tell(&failure) ?? false
    return isReported || errorHandler != nil
  }
}
