/// The components that a component type requires, with the values that entities get which have
/// none.
///
/// ```swift
/// struct Velocity: Component {
///   var x = 0.0, y = 0.0
///
///   static var requires: Requirement {
///     Position()
///     Requirement(Mass(1), whenRemoved: .cascades)
///   }
/// }
/// ```
///
/// See ``Component/requires``.
public struct Requirement: Sendable {
  /// A component that is required.
  @safe
  struct Part: Sendable {
    let key: ComponentKey
    let rule: RemovalRule

    /// Finds the identifier of the type, which may be the first use of it.
    let cid: @Sendable () -> CID

    /// Makes a value.
    let make: @Sendable () -> any Component

    /// Makes a value in an uninitialized place.
    let initialize: @Sendable (UnsafeMutableRawPointer) -> Void
  }

  let parts: [Part]

  init(parts: [Part]) { self.parts = parts }

  /// Makes a requirement of nothing.
  public init() { parts = [] }

  /// Makes a requirement of a component.
  ///
  /// - Parameters:
  ///   - component: The value for an entity that has no such component. It is made anew for each,
  ///     within the change that sets the requiring component and in the critical section of the
  ///     context, and must not change the context, which stops with a message.
  ///   - rule: What becomes of removing it while the requiring component is there. If a component
  ///     is named several times, the strictest rule holds.
  public init<C: Component>(
    _ component: @autoclosure @escaping @Sendable () -> C, whenRemoved rule: RemovalRule = .free
  ) {
    self.init(making: component, whenRemoved: rule)
  }

  init<C: Component>(making make: @escaping @Sendable () -> C, whenRemoved rule: RemovalRule) {
    // SAFETY: callers pass uninitialized places of values of this type.
    let part = unsafe Part(
      key: ComponentKey(C.self), rule: rule, cid: { C.cid }, make: make,
      initialize: { place in unsafe place.initializeMemory(as: C.self, to: make()) })
    parts = [part]
  }
}
