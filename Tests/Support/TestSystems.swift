package import ECS

/// An error for systems to throw.
package struct Refusal: Error, Equatable {
  package init() {}
}

/// A system of every kind that records what it is called for.
package final class Chatty: InitSystem, ExecuteSystem, CleanupSystem, TeardownSystem {
  package let name: String
  private let recorder: Recorder<String>
  private var throwing: [LoopFailure.Phase]

  /// Makes a system that throws in some phases, each as often as it is listed.
  package init(
    _ name: String, _ recorder: Recorder<String>, throwing: [LoopFailure.Phase] = []
  ) {
    self.name = name
    self.recorder = recorder
    self.throwing = throwing
  }

  package func initialise() throws { try record("init", .initialise) }
  package func execute() throws { try record("execute", .execute) }
  package func cleanup() throws { try record("cleanup", .cleanup) }
  package func teardown() throws { try record("teardown", .teardown) }

  private func record(_ what: String, _ phase: LoopFailure.Phase) throws {
    recorder.append("\(what) \(name)")
    guard let place = throwing.firstIndex(of: phase) else { return }
    throwing.remove(at: place)
    throw Refusal()
  }
}

/// A strict reactive system made of a closure.
package final class StrictClosureSystem: StrictReactiveSystem {
  package let collector: Collector
  private let body: (EntitySet) throws -> Void

  package init(_ collector: Collector, _ body: @escaping (EntitySet) throws -> Void) {
    self.collector = collector
    self.body = body
  }

  package func execute(entities: EntitySet) throws { try body(entities) }
}

/// A system that calls a closure at its end.
package final class Farewell: TeardownSystem {
  private let body: () -> Void

  package init(_ body: @escaping () -> Void) { self.body = body }

  package func teardown() { body() }
}
