public import ECS

/// Whether the server can be reached, as the program sees it, such as from `NWPathMonitor`.
///
/// ```swift
/// context.setUniqueComponent(Connectivity(isReachable: false))
/// ```
///
/// A ``SendingSystem`` waits while it can't, and tries all again at once when it can: whenever the
/// component becomes true, also if it was not there before. Without it, the server counts as
/// reachable.
public struct Connectivity: UniqueComponent, Hashable {
  /// Whether it can be reached.
  public var isReachable: Bool

  /// Makes a statement.
  public init(isReachable: Bool) { self.isReachable = isReachable }
}
