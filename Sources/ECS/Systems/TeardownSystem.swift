/// A system that releases something at the end.
public protocol TeardownSystem: System {
  /// Called once, when the loop is torn down: the last system first.
  func teardown() throws
}
