/// A system that prepares something before the first pass.
public protocol InitSystem: System {
  /// Called once, before any system of the loop executes.
  ///
  /// - Throws: Whatever may prevent it. The system is left out then until a further call succeeds;
  ///   see ``LoopFailure``.
  func initialise() throws
}
