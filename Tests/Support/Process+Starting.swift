package import Foundation

private let starting = NSLock()

extension Process {
  /// Starts it while no other one is started.
  ///
  /// On Linux, Foundation gives a process what other threads open meanwhile, for as long as it runs:
  /// what reads the output of another one would wait for both to end.
  ///
  /// It blocks no signals, though threads of the system may, which a process inherits: it could not
  /// be terminated.
  ///
  /// - Parameter prepare: Makes the pipes.
  /// - Throws: What keeps it from being started.
  package func start(_ prepare: () -> Void = {}) throws {
    try starting.withLock {
      prepare()
      var (none, earlier) = (sigset_t(), sigset_t())
      unsafe sigemptyset(&none)
      unsafe pthread_sigmask(SIG_SETMASK, &none, &earlier)
      defer { unsafe pthread_sigmask(SIG_SETMASK, &earlier, nil) }
      try run()
    }
  }

  /// Starts it while no other one is started.
  ///
  /// - Parameter withErrors: Whether what it writes as errors comes as well.
  /// - Returns: Where what it writes is read.
  /// - Throws: What keeps it from being started.
  package func startWithOutput(withErrors: Bool = false) throws -> FileHandle {
    var pipe: Pipe?
    try start {
      pipe = Pipe()
      standardOutput = pipe
      if withErrors { standardError = pipe }
    }
    return pipe?.fileHandleForReading ?? .nullDevice
  }
}
