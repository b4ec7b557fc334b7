/// A reactive system made from a closure.
///
/// ```swift
/// ClosureSystem("draw", collector: moved) { entities in for entity in entities { draw(entity) } }
/// ```
///
/// A closure that is written in code of the main actor belongs to the main actor, and so does its
/// system: a loop on another queue stops with a message. To use it there, mark the closure:
/// `{ @Sendable entities in`.
public final class ClosureSystem: ReactiveSystem, IsolatedByClosure {
  /// The name in logs, statistics and errors.
  public let name: String

  /// What the system works on.
  public let collector: Collector

  let isolation: (any Actor)?
  private let body: (EntitySet) throws -> Void

  /// Makes a system that calls a closure with the entities that a collector gathered.
  public init(
    _ name: String, collector: Collector,
    _ body: @escaping @isolated(any) (EntitySet) throws -> Void
  ) {
    self.name = name
    self.collector = collector
    isolation = body.isolation
    self.body = IsolatedFunction.erasingIsolation(of: body)
  }

  /// Calls the closure.
  public func execute(entities: EntitySet) throws { try body(entities) }
}
