/// A system that prepares something before the first pass.
public protocol InitSystem: System {
  /// Called once, before any system of the loop executes.
  ///
  /// - Throws: Any error that prevents it. The system is then skipped until a later call succeeds;
  ///   see ``LoopFailure``.
  func initialise() throws
}
