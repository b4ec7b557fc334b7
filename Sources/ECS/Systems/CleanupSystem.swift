/// A system that tidies up after the others, such as one that destroys the events of the pass.
public protocol CleanupSystem: System {
  /// Called in every pass, after all systems have executed.
  func cleanup() throws
}
