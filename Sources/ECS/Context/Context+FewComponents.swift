// PERFORMANCE: C1, E1: elements of packs are copied by way of the metadata of their types, also
// where these are known: four calls for each component. These take entities with few components,
// which most have.
extension Context {
  /// Creates an entity with a component, as with any number of them.
  @_documentation(visibility: internal)
  @inlinable
  @discardableResult
  public func createEntity<A: Component>(with a: A) -> Entity {
    let isOutermost = core.enterBriefly()
    let handle = core.createOrReserve(a)
    core.leaveCreating(isOutermost)
    return Entity(core: core, handle: handle)
  }

  /// Creates an entity with two components, as with any number of them.
  @_documentation(visibility: internal)
  @inlinable
  @discardableResult
  public func createEntity<A: Component, B: Component>(with a: A, _ b: B) -> Entity {
    let isOutermost = core.enterBriefly()
    let handle = core.createOrReserve(a, b)
    core.leaveCreating(isOutermost)
    return Entity(core: core, handle: handle)
  }

  /// Creates an entity with three components, as with any number of them.
  @_documentation(visibility: internal)
  @inlinable
  @discardableResult
  public func createEntity<A: Component, B: Component, C: Component>(with a: A, _ b: B, _ c: C)
    -> Entity
  {
    let isOutermost = core.enterBriefly()
    let handle = core.createOrReserve(a, b, c)
    core.leaveCreating(isOutermost)
    return Entity(core: core, handle: handle)
  }

  /// Creates an entity with four components, as with any number of them.
  @_documentation(visibility: internal)
  @inlinable
  @discardableResult
  public func createEntity<A: Component, B: Component, C: Component, D: Component>(
    with a: A, _ b: B, _ c: C, _ d: D
  ) -> Entity {
    let isOutermost = core.enterBriefly()
    let handle = core.createOrReserve(a, b, c, d)
    core.leaveCreating(isOutermost)
    return Entity(core: core, handle: handle)
  }
}
