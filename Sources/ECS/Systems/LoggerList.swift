/// The loggers of a loop: the one that it was made with, and those that have a name.
struct LoggerList: Sendable {
  private let first: (any SystemLogger)?
  private var named: [(name: String, logger: any SystemLogger)] = []

  /// All of them as one; nil if there are none.
  private(set) var combined: (any SystemLogger)?

  init(_ first: (any SystemLogger)?) {
    self.first = first
    combined = first
  }

  /// The logger of a name.
  subscript(name: String) -> (any SystemLogger)? { named.first { $0.name == name }?.logger }

  /// Puts a logger in the position of the one that has its name, or behind all others.
  mutating func set(_ logger: (any SystemLogger)?, named name: String) {
    let position = named.firstIndex { $0.name == name }
    switch (position, logger) {
    case (let position?, let logger?): named[position].logger = logger
    case (let position?, nil): named.remove(at: position)
    case (nil, let logger?): named.append((name, logger))
    case (nil, nil): return
    }
    combined = named.reduce(first) { combined, next in
      combined.map { CombinedLogger(outer: $0, inner: next.logger) } ?? next.logger
    }
  }
}

/// Two loggers, of which one is around the other.
private struct CombinedLogger: SystemLogger {
  let outer: any SystemLogger
  let inner: any SystemLogger

  func willBegin(_ phase: LoopFailure.Phase) {
    outer.willBegin(phase)
    inner.willBegin(phase)
  }

  func didEnd(_ phase: LoopFailure.Phase) {
    inner.didEnd(phase)
    outer.didEnd(phase)
  }

  func willInit(_ name: String) {
    outer.willInit(name)
    inner.willInit(name)
  }

  func didInit(_ name: String) {
    inner.didInit(name)
    outer.didInit(name)
  }

  func willExecute(_ name: String) {
    outer.willExecute(name)
    inner.willExecute(name)
  }

  func didExecute(_ name: String) {
    inner.didExecute(name)
    outer.didExecute(name)
  }

  func willCleanup(_ name: String) {
    outer.willCleanup(name)
    inner.willCleanup(name)
  }

  func didCleanup(_ name: String) {
    inner.didCleanup(name)
    outer.didCleanup(name)
  }

  func willTeardown(_ name: String) {
    outer.willTeardown(name)
    inner.willTeardown(name)
  }

  func didTeardown(_ name: String) {
    inner.didTeardown(name)
    outer.didTeardown(name)
  }

  func didFail(_ name: String, _ error: any Error) {
    inner.didFail(name, error)
    outer.didFail(name, error)
  }

  func pass(_ body: () -> Void) { outer.pass { inner.pass(body) } }

  func run(_ name: String, in phase: LoopFailure.Phase, entities: Int, _ body: () -> Void) {
    outer.run(name, in: phase, entities: entities) {
      inner.run(name, in: phase, entities: entities, body)
    }
  }

  func didRun(_ name: String, in phase: LoopFailure.Phase, entities: Int, time: Duration) {
    inner.didRun(name, in: phase, entities: entities, time: time)
    outer.didRun(name, in: phase, entities: entities, time: time)
  }

  func work(
    _ name: String, _ body: () async throws -> @Sendable () -> Void
  ) async throws -> @Sendable () -> Void {
    try await outer.work(name) { try await inner.work(name, body) }
  }
}
