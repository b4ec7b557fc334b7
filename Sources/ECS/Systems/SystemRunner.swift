/// Calls the systems of a loop, one at a time, and keeps count.
final class SystemRunner {
  private let loop: String
  private let logger: (any SystemLogger)?
  private let now: @Sendable () -> Duration
  private let errorHandler: (inout LoopFailure) -> Void
  private(set) var steps: [SystemStep]

  /// The position of the step that is being carried out.
  private(set) var current = 0

  init(
    loop: String, systems: [any System], logger: (any SystemLogger)?, clock: LoopClock,
    errorHandler: @escaping (inout LoopFailure) -> Void
  ) {
    self.loop = loop
    self.logger = logger
    now = clock.now
    self.errorHandler = errorHandler
    steps = systems.map(SystemStep.init)
  }

  func append(_ step: SystemStep) { steps.append(step) }

  /// Whether something was collected that no system has worked on, restored entities apart.
  var hasNews: Bool { steps.contains(where: \.hasNews) }

  /// Whether some trigger holds restored entities only.
  var hasRestored: Bool { steps.contains(where: \.hasRestored) }

  /// Whether something is collected at all.
  var hasCollected: Bool { steps.contains(where: \.hasCollected) }

  var needsInit: Bool { steps.contains(where: \.needsInit) }

  var statistics: [SystemStatistics] { steps.map(\.statistics) }

  // MARK: The phases

  /// Initialises the systems that have not been.
  func initialise() {
    forEachStep { step in
      guard let system = step.initial, !step.isInitialised else { return }
      step.isInitialised = true
      logger?.willInit(step.name)
      attempt(step, .initialise) { try system.initialise() }
      logger?.didInit(step.name)
    }
  }

  func execute() {
    forEachStep { step in
      if let system = step.executing {
        run(step, .execute) { try system.execute() }
      }
      if let system = step.reactive, let collector = step.collector {
        execute(system, collector, of: step)
      }
    }
  }

  func cleanup() {
    forEachStep { step in
      guard let system = step.cleaning else { return }
      run(step, .cleanup) { try system.cleanup() }
    }
  }

  /// Tears down, in reverse, the systems that were initialised or need not be.
  func teardown() {
    for position in steps.indices.reversed() {
      let step = steps[position]
      guard let system = step.ending, !step.needsInit else { continue }
      current = position
      logger?.willTeardown(step.name)
      attempt(step, .teardown) { try system.teardown() }
      logger?.didTeardown(step.name)
    }
  }

  private func forEachStep(_ body: (SystemStep) -> Void) {
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
    let start = now()
    let dropsEntities = attempt(step, phase, entities, body)
    step.statistics.noteRun(entities: entities.count, time: now() - start)
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
    do {
      try body()
      return nil
    } catch {
      step.statistics.errors += 1
      logger?.didFail(step.name, error)
      return report(.systemThrew(error, in: phase), [step.name], entities)
    }
  }

  /// Tells the error handler.
  ///
  /// Returns whether it gives up the entities.
  @discardableResult
  func report(
    _ reason: LoopFailure.Reason, _ systems: [String], _ entities: EntitySet = []
  ) -> Bool {
    var failure = LoopFailure(reason: reason, loop: loop, systems: systems, entities: entities)
    errorHandler(&failure)
    return failure.dropsEntities
  }
}
