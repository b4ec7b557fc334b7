public import ECS

extension EventLog: SystemLogger {
  /// A logger that records the same with the name of the loop.
  public func logger(ofLoop name: String) -> any SystemLogger {
    LoopEventLogger(log: self, loop: state.newLoop(name))
  }

  /// Records it.
  public func willInit(_ name: String) { state.begin(.willInit, name, .none) }

  /// Records it, with how long it took.
  public func didInit(_ name: String) { state.end(.didInit, name, of: .willInit, .none) }

  /// Records it; a tick begins if the system has executed in the present one.
  public func willExecute(_ name: String) { state.begin(.willExec, name, .none) }

  /// Records it, with how long it took.
  public func didExecute(_ name: String) { state.end(.didExec, name, of: .willExec, .none) }

  /// Records it.
  public func willCleanup(_ name: String) { state.begin(.willCleanup, name, .none) }

  /// Records it, with how long it took.
  public func didCleanup(_ name: String) { state.end(.didCleanup, name, of: .willCleanup, .none) }

  /// Records it.
  public func willTeardown(_ name: String) { state.begin(.willTeardown, name, .none) }

  /// Records it, with how long it took.
  public func didTeardown(_ name: String) {
    state.end(.didTeardown, name, of: .willTeardown, .none)
  }

  /// Records the error as a text.
  public func didFail(_ name: String, _ error: any Error) { noteFailure(name, error, .none) }

  fileprivate func noteFailure(_ name: String, _ error: any Error, _ loop: EventLogState.Loop) {
    var row = note(.errorLog, "\(error)", nil)
    row.causeKind = .system
    row.cause = name
    row.loop = loop.name
    state.append(row)
  }
}

/// Records what the systems of one loop do.
private struct LoopEventLogger: SystemLogger {
  let log: EventLog
  let loop: EventLogState.Loop

  func willInit(_ name: String) { log.state.begin(.willInit, name, loop) }

  func didInit(_ name: String) { log.state.end(.didInit, name, of: .willInit, loop) }

  func willExecute(_ name: String) { log.state.begin(.willExec, name, loop) }

  func didExecute(_ name: String) { log.state.end(.didExec, name, of: .willExec, loop) }

  func willCleanup(_ name: String) { log.state.begin(.willCleanup, name, loop) }

  func didCleanup(_ name: String) { log.state.end(.didCleanup, name, of: .willCleanup, loop) }

  func willTeardown(_ name: String) { log.state.begin(.willTeardown, name, loop) }

  func didTeardown(_ name: String) { log.state.end(.didTeardown, name, of: .willTeardown, loop) }

  func didFail(_ name: String, _ error: any Error) { log.noteFailure(name, error, loop) }
}
