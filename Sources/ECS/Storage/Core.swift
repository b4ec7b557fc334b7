/// The storage of one context: slots, tables, unique components, and the lock that guards them; a
/// trivially copyable reference to it.
///
/// Cores live at stable addresses and are never freed: entities point to them, and stay safe to
/// use when their context is gone. A core whose context ended frees its memory and waits in
/// the ``CorePool``; when it is reused it starts above every generation it ever gave out.
@frozen
@usableFromInline
// Guarded by the lock in the state, and never freed.
struct Core: @unchecked Sendable, Hashable {
  @usableFromInline let pointer: UnsafeMutablePointer<State>

  /// Makes a core in a place that nothing else will ever use.
  init(at place: UnsafeMutablePointer<State>) {
    pointer = place
    pointer.initialize(to: State())
  }

  var bits: UInt { UInt(bitPattern: pointer) }

  /// How many contexts have had the core before.
  var life: Int { pointer.pointee.life }
}
