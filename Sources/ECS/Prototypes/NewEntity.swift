/// An entity that is about to be created from a template or as a copy, to be changed before.
///
/// Closures of ``Context/createEntities(_:from:changing:)`` and of `clone` are given one for each
/// entity. What they set costs least if it is the same component types, in the same order, for
/// each. It cannot escape the closure that it is passed to.
@safe
public struct NewEntity: ~Escapable {
  // SAFETY: lives as long as the call of the closure.
  @usableFromInline let writer: UnsafeMutablePointer<EntityWriter>

  @_lifetime(immortal)
  init(_ writer: UnsafeMutablePointer<EntityWriter>) { unsafe self.writer = writer }

  /// The entity of which this one becomes a copy; nil if it is made from a template.
  ///
  /// Where the copy is made in another context, the closure must not use this entity's one: two
  /// threads that copy in both directions would wait for each other. `get` has the values.
  public var original: Entity? { unsafe writer.pointee.original }

  /// Lets the entity have a component, in place of one of the same type.
  ///
  /// What the component requires and the entity lacks comes along when the closure has returned.
  ///
  /// - Complexity: O(1) if it is done as for the entity before, otherwise O(*c*), where *c* is the
  ///   number of components.
  @inlinable
  public func set<C: Component>(_ component: C) {
    // PERFORMANCE: Q4: one comparison, and the value is put where it is moved from as a column.
    let step = unsafe writer.pointee.step
    if unsafe step < writer.pointee.stepCount {
      let next = unsafe writer.pointee.steps + step
      if unsafe next.pointee.key == ComponentKey(C.self), let place = unsafe next.pointee.place {
        // SAFETY: the place is one for a value of this type, and uninitialized.
        unsafe place.assumingMemoryBound(to: C.self).initialize(to: component)
        unsafe writer.pointee.step = step &+ 1
        return
      }
    }
    unsafe writer.pointee.change(ComponentRegistry.cid(of: C.self), component)
  }

  /// Lets the entity not have a component; does nothing if it would not have it anyway.
  ///
  /// - Complexity: As ``set(_:)``.
  @inlinable
  public func remove<C: Component>(_ type: C.Type) {
    let step = unsafe writer.pointee.step
    if unsafe step < writer.pointee.stepCount {
      let next = unsafe writer.pointee.steps + step
      if unsafe next.pointee.key == ComponentKey(C.self), unsafe next.pointee.place == nil {
        unsafe writer.pointee.step = step &+ 1
        return
      }
    }
    unsafe writer.pointee.change(ComponentRegistry.cid(of: C.self), nil)
  }

  /// The component that the entity is to have; nil if it is not to have it.
  ///
  /// Handles in it mean what they mean in the original.
  ///
  /// - Complexity: O(*c*), where *c* is the number of components.
  @inlinable
  public func get<C: Component>(_ type: C.Type = C.self) -> C? {
    unsafe writer.pointee.value(of: ComponentKey(type))?.value(of: type)
  }

  /// Whether the entity is to have a component.
  ///
  /// - Complexity: O(*c*), where *c* is the number of components.
  @inlinable
  public func has<C: Component>(_ type: C.Type) -> Bool {
    unsafe writer.pointee.value(of: ComponentKey(type)) != nil
  }
}
