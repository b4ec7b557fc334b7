/// A handle to an entity: the identity to which a context attaches components.
///
/// Entities are made by a context and used like values: copying one copies 16 bytes and counts no
/// references, and any thread may use it.
///
/// ```swift
/// let player = context.createEntity().set(Position(x: 1, y: 2)).set(Health(points: 10))
/// player.update(Health.self) { $0.points -= 1 }
/// player.get(Health.self)?.points  // 9
/// player.destroy()
/// ```
///
/// A handle is dead once its entity is destroyed or its context is gone. It never comes to mean
/// another entity. Reads of a dead handle return nil or false; writes do nothing, and are counted
/// in the context's ``Context/statistics``.
///
/// Each call is atomic. To make several calls one, use ``Context/perform(_:)``.
@safe
@frozen
// What it points to is guarded by a lock of its own, and never freed.
public struct Entity: @unchecked Sendable {
  // Not a pointer: for look-ups in dictionary variables, Swift 6.3 without optimization compares
  // all of an optional value with zero if the value's only free bit pattern is a null pointer, but
  // clears the pointer alone, and so takes nil for an entity.
  // SAFETY: never taken for an object: only the bits of a core are in it, or come out of it.
  @safe @usableFromInline let anchor: Unmanaged<CoreAnchor>

  @usableFromInline
  let handle: Handle

  @inlinable
  @inline(__always)
  init(core: Core, handle: Handle) {
    // SAFETY: both are one pointer, and nothing retains the object that there is not.
    anchor = unsafe unsafeBitCast(core, to: Unmanaged<CoreAnchor>.self)
    self.handle = handle
  }

  @inlinable
  @inline(__always)
  var core: Core {
    // SAFETY: as in `init(core:handle:)`.
    unsafe unsafeBitCast(anchor, to: Core.self)
  }
}

/// The class that an ``Entity`` says it refers to: there are no objects of it.
@usableFromInline
final class CoreAnchor {
  private init() {}
}

extension Entity: Hashable {
  /// Whether both are handles to one entity.
  @inlinable
  public static func == (left: Entity, right: Entity) -> Bool {
    left.core == right.core && left.handle == right.handle
  }

  /// Hashes the identity.
  @inlinable
  public func hash(into hasher: inout Hasher) {
    hasher.combine(core)
    hasher.combine(handle)
  }
}

extension Entity: CustomReflectable {
  /// The slot and the generation, for debuggers and tests.
  ///
  /// What the handle refers to is no object, which a mirror of stored properties would take it for.
  public var customMirror: Mirror {
    Mirror(
      self, children: ["slot": handle.index, "generation": handle.generation],
      displayStyle: .struct)
  }
}
