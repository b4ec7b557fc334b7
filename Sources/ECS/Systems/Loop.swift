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
/// Systems are called where you call the loop, and none of them in a critical section. A loop is a
/// system itself, so loops nest; a loop inside a ``ReactiveLoop`` wakes that when its own
/// systems' collectors fill.
///
/// A loop is not `Sendable`, because its systems need not be.
public final class Loop {
  /// The name in errors, and as a system.
  public let name: String

  let runner: SystemRunner

  /// Makes a loop.
  ///
  /// - Parameters:
  ///   - name: The name in errors, and as a system.
  ///   - systems: The systems, in the order in which they are called.
  ///   - logger: Is told what the systems do.
  ///   - clock: Measures the time that systems take.
  ///   - errorHandler: Is told what systems throw; see ``LoopFailure``. Without one, that is logged.
  /// - Precondition: No two systems have the same collector.
  public init(
    name: String, systems: [any System], logger: (any SystemLogger)? = nil,
    clock: LoopClock = .dispatch,
    errorHandler: ((inout LoopFailure) -> Void)? = nil
  ) {
    self.name = name
    runner = SystemRunner(
      loop: name, systems: systems, logger: logger, clock: clock, errorHandler: errorHandler)
  }

  /// Adds a system at the end.
  ///
  /// If the loop was initialized already, call ``initialise()`` again for the new system.
  ///
  /// - Precondition: No other system has the same collector.
  public func add(_ system: any System) {
    runner.append(SystemStep(system, inLoop: name))
  }

  /// What each system has done, in their order.
  public var statistics: [SystemStatistics] { runner.statistics }
}

extension Loop: InitSystem {
  /// Initializes the systems that have not been initialized, in their order.
  ///
  /// Those that threw are among them; see ``LoopFailure``.
  public func initialise() { runner.initialise() }
}

extension Loop: ExecuteSystem {
  /// Lets the systems execute, in their order: reactive ones that have collected something, and
  /// those that execute in every pass.
  ///
  /// Systems that threw in ``initialise()`` are left out.
  public func execute() { runner.execute() }
}

extension Loop: CleanupSystem {
  /// Lets the systems clean up, in their order.
  public func cleanup() { runner.cleanup() }
}

extension Loop: TeardownSystem {
  /// Tears down the systems, the last one first, without those that wait to be initialized.
  public func teardown() { runner.teardown() }

  /// The collectors of all systems.
  public var triggers: [Collector] { runner.steps.flatMap(\.triggers) }
}

/// Its systems need not be, so a loop is not either.
@available(*, unavailable)
extension Loop: Sendable {}
