/// A system made of a closure that is called in every pass, after all systems have executed.
///
/// As for ``ClosureSystem``, it belongs where the closure does.
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
