/// The rule for removing a component that another one of the same entity requires; see
/// ``Requirement``.
///
/// It is about removing a component from an entity that goes on to live: destroying the entity is
/// always allowed, and so is replacing the component.
public enum RemovalRule: Hashable, Sendable {
  /// The component is removed, and the one that requires it stays: a requirement says what an
  /// entity begins with.
  case free

  /// The component that requires it is removed first, and so is whatever requires that by this
  /// rule.
  case cascades

  /// The component stays while the other one is there: removing it does nothing.
  ///
  /// A ``UniqueComponent`` goes unconditionally where another entity gets it, and by
  /// ``Context/removeUniqueComponent(_:)``.
  case refused
}
