/// A system made from a closure that is called in every pass, after all systems have executed.
///
/// Like a ``ClosureSystem``, it belongs to the actor of its closure.
public final class ClosureCleanupSystem: CleanupSystem, IsolatedByClosure {
  /// The name in logs, statistics and errors.
  public let name: String

  let isolation: (any Actor)?
  private let body: () throws -> Void

  /// Makes a system that calls a closure at the end of every pass.
  public init(_ name: String, _ body: @escaping @isolated(any) () throws -> Void) {
    self.name = name
    isolation = body.isolation
    self.body = IsolatedFunction.erasingIsolation(of: body)
  }

  /// Calls the closure.
  public func cleanup() throws { try body() }
}
