/// An ordered list of systems that you run yourself: in a game loop, in a command, in a test.
///
/// ```swift
/// let loop = Loop(name: "game", systems: [Input(context), Move(context), Draw(context)])
/// loop.initialise()
/// while isRunning {
///   loop.execute()
///   loop.cleanup()
/// }
/// loop.teardown()
/// ```
///
/// Systems are called where you call the loop, never in a critical section. A loop is itself a
/// system, so loops nest; a loop inside a ``ReactiveLoop`` wakes that one when its own systems'
/// collectors fill.
///
/// A loop is not `Sendable`, because its systems need not be.
public final class Loop {
  /// The name in errors, and as a system.
  public let name: String

  let runner: SystemRunner
  private var loggers: LoggerList

  /// Makes a loop.
  ///
  /// - Parameters:
  ///   - name: The name in errors, and as a system.
  ///   - systems: The systems, in the order in which they are called.
  ///   - logger: Gets a call before and after each call of a system.
  ///   - clock: Measures the time that systems take.
  ///   - errorHandler: Gets what systems throw; see ``LoopFailure``. Without one, it is logged.
  /// - Precondition: No two systems have the same collector.
  public init(
    name: String, systems: [any System], logger: (any SystemLogger)? = nil,
    clock: LoopClock = .dispatch,
    errorHandler: ((inout LoopFailure) -> Void)? = nil
  ) {
    self.name = name
    runner = SystemRunner(
      loop: name, systems: systems, logger: logger, clock: clock, errorHandler: errorHandler)
    loggers = LoggerList(runner.logger)
  }

  /// Adds a system at the end.
  ///
  /// If the loop is already initialized, call ``initialise()`` again for the new system.
  ///
  /// - Precondition: No other system has the same collector.
  public func add(_ system: any System) {
    runner.append(SystemStep(system, inLoop: name))
  }

  /// Gives the loop a further logger, in place of the one that has the same name.
  ///
  /// The logger that the loop was made with has no name, and stays. Not for use in a system of the
  /// loop.
  ///
  /// - Parameters:
  ///   - logger: What gets a call before, around and after each call of a system; nil for none.
  ///   - name: The name, of which there is one logger at most.
  /// - Complexity: O(*n*), where *n* is the number of named loggers.
  public func setLogger(_ logger: (any SystemLogger)?, named name: String) {
    let replaced = loggers
    loggers.set(logger?.logger(ofLoop: self.name), named: name)
    runner.logger = loggers.combined
    // It may end here, which may call the loop.
    withExtendedLifetime(replaced) {}
  }

  /// The logger that a name was given.
  package func logger(named name: String) -> (any SystemLogger)? { loggers[name] }

  /// What each system has done, in the order of the systems.
  public var statistics: [SystemStatistics] { runner.statistics }
}

extension Loop: InitSystem {
  /// Initializes, in order, the systems that have not been initialized.
  ///
  /// This includes those that threw; see ``LoopFailure``.
  public func initialise() { runner.initialise() }
}

extension Loop: ExecuteSystem {
  /// Executes the systems in order: reactive ones that have collected something, and
  /// those that execute in every pass.
  ///
  /// Systems that threw in ``initialise()`` are skipped.
  public func execute() { runner.pass { runner.execute() } }
}

extension Loop: CleanupSystem {
  /// Lets the systems clean up, in order.
  public func cleanup() { runner.cleanup() }
}

extension Loop: TeardownSystem {
  /// Tears down the systems, the last one first, except those still waiting to be initialized.
  public func teardown() { runner.teardown() }

  /// The collectors of all systems.
  public var triggers: [Collector] { runner.steps.flatMap(\.triggers) }
}

/// Its systems need not be, so a loop is not either.
@available(*, unavailable)
extension Loop: Sendable {}
