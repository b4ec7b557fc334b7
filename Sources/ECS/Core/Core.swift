/// The storage of one context: slots, tables, unique components, and the lock that guards them; a
/// trivially copyable reference to it.
///
/// Cores live at stable addresses and are never freed: entities point to them, and stay safe to
/// use when their context is gone. A core whose context ended frees its memory and waits in
/// the ``CorePool``; when it is reused it starts above every generation it ever gave out.
@safe
@frozen
@usableFromInline
// Guarded by the lock in the state, and never freed.
struct Core: @unchecked Sendable, Hashable {
  // SAFETY: what it points to is initialized as long as the process runs.
  @safe @usableFromInline let pointer: UnsafeMutablePointer<State>

  /// Makes a core in memory that nothing else will ever use.
  init(at address: UnsafeMutablePointer<State>) {
    pointer = unsafe address
    unsafe pointer.initialize(to: State())
  }

  /// What is above the core; nil if its context is gone.
  var client: ContextState? { pointer.pointee.client }

  var bits: UInt { UInt(bitPattern: pointer) }

  /// How many contexts have had the core before.
  var incarnation: Int { pointer.pointee.slots.incarnation }
}

// Written out, since what the compiler would write does not say `unsafe`.
extension Core {
  @inlinable
  static func == (left: Core, right: Core) -> Bool { unsafe left.pointer == right.pointer }

  @inlinable
  func hash(into hasher: inout Hasher) { unsafe hasher.combine(pointer) }
}
