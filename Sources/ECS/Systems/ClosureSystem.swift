/// A reactive system made of a closure.
///
/// ```swift
/// ClosureSystem("draw", collector: moved) { entities in for entity in entities { draw(entity) } }
/// ```
///
/// A closure that is written in code of the main actor belongs to the main actor, and so does the
/// system then. To use it in a loop on another queue, mark the closure: `{ @Sendable entities in`.
public final class ClosureSystem: ReactiveSystem {
  /// The name in logs, statistics and errors.
  public let name: String

  /// What the system works on.
  public let collector: Collector

  private let body: (EntitySet) throws -> Void

  /// Makes a system that calls a closure with the entities that a collector gathered.
  public init(
    _ name: String, collector: Collector, _ body: @escaping (EntitySet) throws -> Void
  ) {
    self.name = name
    self.collector = collector
    self.body = body
  }

  /// Calls the closure.
  public func execute(entities: EntitySet) throws { try body(entities) }
}

/// A system made of a closure that is called in every pass.
public final class ClosureExecuteSystem: ExecuteSystem {
  /// The name in logs, statistics and errors.
  public let name: String

  private let body: () throws -> Void

  /// Makes a system that calls a closure in every pass.
  public init(_ name: String, _ body: @escaping () throws -> Void) {
    self.name = name
    self.body = body
  }

  /// Calls the closure.
  public func execute() throws { try body() }
}

/// A system made of a closure that is called in every pass, after all systems have executed.
public final class ClosureCleanupSystem: CleanupSystem {
  /// The name in logs, statistics and errors.
  public let name: String

  private let body: () throws -> Void

  /// Makes a system that calls a closure at the end of every pass.
  public init(_ name: String, _ body: @escaping () throws -> Void) {
    self.name = name
    self.body = body
  }

  /// Calls the closure.
  public func cleanup() throws { try body() }
}
