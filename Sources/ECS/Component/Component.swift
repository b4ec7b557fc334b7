/// A value that an entity can hold, at most one of each type.
///
/// Any `Sendable` struct, enum or final class can be a component: trivial values, empty tags,
/// values that hold references or `weak` members, large and over-aligned ones.
///
/// ```swift
/// struct Position: Component { var x: Float; var y: Float }
/// struct Selected: Component {}
/// ```
///
/// There is nothing to implement. A type of which a context holds at most one value, such as a
/// service or the state of an app, conforms to ``UniqueComponent`` instead.
public protocol Component: IterationValue {
  /// The identifier of this component type.
  ///
  /// The default looks the type up in a process-wide, lock-free registry: O(1). Code that asks for
  /// identifiers very often can store it: `static let cid = CID(Self.self)`.
  static var cid: CID { get }
}

extension Component {
  /// The identifier of this component type, looked up in the registry: O(1), lock-free.
  @inlinable
  public static var cid: CID { CID(Self.self) }

  /// The identifier of this value's component type.
  @inlinable
  public var cid: CID { Self.cid }
}
