/// Follows what the systems of a loop do, for tracing and measuring.
///
/// Each call is made where the system runs, and those about one have its name. A logger can serve
/// several loops on different queues. By default, methods do nothing but call what they are given.
///
/// ```swift
/// struct Trace: SystemLogger {
///   func willExecute(_ name: String) { print("->", name) }
/// }
/// ```
public protocol SystemLogger: Sendable {
  /// The logger that a loop calls instead of this one; by default, this one.
  ///
  /// Called once when the loop gets the logger. For loggers that tell systems of several loops
  /// apart.
  ///
  /// - Parameter name: The name of the loop.
  /// - Returns: The logger.
  func logger(ofLoop name: String) -> any SystemLogger

  /// The loop is about to initialize, execute, clean up or tear down its systems.
  func willBegin(_ phase: LoopFailure.Phase)

  /// The loop has done so.
  func didEnd(_ phase: LoopFailure.Phase)

  /// A system is about to be initialized.
  func willInit(_ name: String)

  /// A system was initialized, or threw.
  func didInit(_ name: String)

  /// A system is about to execute.
  func willExecute(_ name: String)

  /// A system executed, or threw.
  func didExecute(_ name: String)

  /// A system is about to clean up.
  func willCleanup(_ name: String)

  /// A system cleaned up, or threw.
  func didCleanup(_ name: String)

  /// A system is about to be torn down.
  func willTeardown(_ name: String)

  /// A system was torn down, or threw.
  func didTeardown(_ name: String)

  /// A system threw. Called before the matching `did...`, and before the loop's error handler.
  func didFail(_ name: String, _ error: any Error)

  /// Carries out a pass: what a ``ReactiveLoop`` executes and cleans up at a time, or a call of
  /// ``Loop/execute()``.
  ///
  /// For what has to be around the pass, such as values of task-local variables.
  ///
  /// - Parameter body: The pass, which has to be called once.
  func pass(_ body: () -> Void)

  /// Carries out a run of a system.
  ///
  /// - Parameters:
  ///   - name: The name of the system.
  ///   - phase: `.execute` or `.cleanup`.
  ///   - entities: How many entities the system gets; 0 if it is not called with entities.
  ///   - body: The run, which has to be called once. It calls ``didFail(_:_:)`` if the system
  ///     throws.
  func run(_ name: String, in phase: LoopFailure.Phase, entities: Int, _ body: () -> Void)

  /// A system ran, or threw.
  ///
  /// The run of a system whose work awaits begins its works: see ``work(_:_:)``.
  ///
  /// - Parameters:
  ///   - name: The name of the system.
  ///   - phase: `.execute` or `.cleanup`.
  ///   - entities: How many entities the system got.
  ///   - time: How long it took, by the clock of the loop.
  func didRun(_ name: String, in phase: LoopFailure.Phase, entities: Int, time: Duration)

  /// Carries out the work of a system on one entity, in a task of its own; see
  /// ``ReactiveLoop/onAsync(_:name:limit:_:)``.
  ///
  /// - Parameters:
  ///   - name: The name of the system.
  ///   - body: The work, which has to be called once, and whose result has to be returned.
  /// - Returns: The change that the work asks for.
  /// - Throws: What the work throws.
  func work(
    _ name: String, _ body: () async throws -> @Sendable () -> Void
  ) async throws -> @Sendable () -> Void
}

extension SystemLogger {
  /// This logger.
  public func logger(ofLoop name: String) -> any SystemLogger { self }

  /// Does nothing.
  public func willBegin(_ phase: LoopFailure.Phase) {}

  /// Does nothing.
  public func didEnd(_ phase: LoopFailure.Phase) {}

  /// Does nothing.
  public func willInit(_ name: String) {}

  /// Does nothing.
  public func didInit(_ name: String) {}

  /// Does nothing.
  public func willExecute(_ name: String) {}

  /// Does nothing.
  public func didExecute(_ name: String) {}

  /// Does nothing.
  public func willCleanup(_ name: String) {}

  /// Does nothing.
  public func didCleanup(_ name: String) {}

  /// Does nothing.
  public func willTeardown(_ name: String) {}

  /// Does nothing.
  public func didTeardown(_ name: String) {}

  /// Does nothing.
  public func didFail(_ name: String, _ error: any Error) {}

  /// Carries out the pass.
  public func pass(_ body: () -> Void) { body() }

  /// Carries out the run.
  public func run(
    _ name: String, in phase: LoopFailure.Phase, entities: Int, _ body: () -> Void
  ) { body() }

  /// Does nothing.
  public func didRun(
    _ name: String, in phase: LoopFailure.Phase, entities: Int, time: Duration
  ) {}

  /// Carries out the work.
  public func work(
    _ name: String, _ body: () async throws -> @Sendable () -> Void
  ) async throws -> @Sendable () -> Void { try await body() }
}
