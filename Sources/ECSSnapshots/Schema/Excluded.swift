public import ECS

/// A component type that is never saved, said so on purpose: a ``Snapshot`` does not report it.
public struct Excluded<C: Component>: Sendable {
  /// Leaves a component type out of snapshots.
  public init(_ type: C.Type) {}
}

/// A component type that is never saved.
@available(*, unavailable, renamed: "Excluded")
public typealias Left<C: Component> = Excluded<C>
