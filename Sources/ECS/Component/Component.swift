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

  /// The components that an entity gets with this one, unless it has them.
  ///
  /// ```swift
  /// struct Velocity: Component {
  ///   var x = 0.0, y = 0.0
  ///   static var requires: Requirement { Position() }
  /// }
  ///
  /// let entity = context.createEntity(Velocity(x: 1))  // at Position()
  /// ```
  ///
  /// Whatever adds the component to an entity, or creates an entity with it, adds those that it
  /// requires, and those that they require: in one step, so that groups, observers and journals see
  /// the entity with all of them, and one `added` for each. A component that is there, or is given
  /// in the same call, is left as it is, and replacing a value brings nothing. If several values
  /// are declared for a component, the nearest counts: that of the type that requires it itself.
  ///
  /// Restoring and merging snapshots, loading from a store and merging with it, undoing, replaying
  /// and cloning put entities where they were, without what they did not have. A ``RemovalRule``
  /// says what becomes of removing a component that another one requires; by default, it is
  /// removed, and the other one stays.
  ///
  /// The default requires nothing, and costs nothing. The property is read when the type is first
  /// used in the process, and must not change a context. The values are made anew for each entity
  /// (those of a ``Template`` once, with it), in the critical section of the context, and must not
  /// change the context, which stops with a message. See <doc:MentalModel>.
  ///
  /// - Precondition: The type does not require itself, by way of whatever other types, which stops
  ///   with a message when the component is first added.
  @RequirementBuilder static var requires: Requirement { get }
}

extension Component {
  /// The identifier of this component type, looked up in the registry: O(1), lock-free.
  @inlinable
  public static var cid: CID { CID(Self.self) }

  /// Nothing is required.
  public static var requires: Requirement { Requirement() }

  /// The identifier of this value's component type.
  @inlinable
  public var cid: CID { Self.cid }
}
