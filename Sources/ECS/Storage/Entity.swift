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
@frozen
public struct Entity: Hashable, Sendable {
  @usableFromInline
  let core: Core

  @usableFromInline
  let handle: Handle

  @inlinable
  init(core: Core, handle: Handle) {
    self.core = core
    self.handle = handle
  }
}
