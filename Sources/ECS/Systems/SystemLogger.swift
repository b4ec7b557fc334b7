/// Follows what the systems of a loop do, for tracing and measuring.
///
/// Each call is made where the system runs, with the system's name. A logger can serve several
/// loops on different queues. All methods do nothing by default.
///
/// ```swift
/// struct Trace: SystemLogger {
///   func willExecute(_ name: String) { print("->", name) }
/// }
/// ```
public protocol SystemLogger: Sendable {
  /// The logger that a loop calls instead of this one; by default, this one.
  ///
  /// Called once when a loop is made. For loggers that tell systems of several loops apart.
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
}
