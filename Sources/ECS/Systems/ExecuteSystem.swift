/// A system that does something in every pass.
public protocol ExecuteSystem: System {
  /// Called in every pass, in the system's position among the others.
  func execute() throws
}
