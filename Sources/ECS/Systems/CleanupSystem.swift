/// A system that tidies up after the others, for instance by destroying the events of the pass.
public protocol CleanupSystem: System {
  /// Called in every pass, after all systems have executed.
  func cleanup() throws
}
