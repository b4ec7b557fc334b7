// PERFORMANCE: C1, E1: elements of packs are copied by way of the metadata of their types, also
// where these are known: four calls for each component. These take entities with few components,
// which most have.
extension Core {
  /// Ends a short call that has created an entity, which may have taken something away from another
  /// one.
  @inlinable
  @inline(__always)
  func leaveCreating(_ isOutermost: Bool) {
    if isOutermost || pointer.pointee.section.pending.isEmpty { return leaveBriefly(isOutermost) }
    // What ends then ends now, and not with the section around.
    enter()
    leave()
  }

  @inlinable
  @inline(__always)
  func createOrReserve<A: Component>(_ a: A) -> Handle {
    guard pointer.pointee.section.mode.isEmpty else { return commands.create(a) }
    var target = unsafe pointer.pointee.tables.root
    unsafe extend(&target, with: A.self)
    let (handle, row, table) = unsafe beginCreation(in: target)
    unsafe target = unsafe table
    unsafe initialize(a, in: target, row: row)
    unsafe endCreation(handle, in: target, row: row)
    return handle
  }

  @inlinable
  @inline(__always)
  func createOrReserve<A: Component, B: Component>(_ a: A, _ b: B) -> Handle {
    guard pointer.pointee.section.mode.isEmpty else { return commands.create(a, b) }
    var target = unsafe pointer.pointee.tables.root
    unsafe extend(&target, with: A.self)
    unsafe extend(&target, with: B.self)
    let (handle, row, table) = unsafe beginCreation(in: target)
    unsafe target = unsafe table
    unsafe initialize(a, in: target, row: row)
    unsafe initialize(b, in: target, row: row)
    unsafe endCreation(handle, in: target, row: row)
    return handle
  }

  @inlinable
  @inline(__always)
  func createOrReserve<A: Component, B: Component, C: Component>(_ a: A, _ b: B, _ c: C) -> Handle {
    guard pointer.pointee.section.mode.isEmpty else { return commands.create(a, b, c) }
    var target = unsafe pointer.pointee.tables.root
    unsafe extend(&target, with: A.self)
    unsafe extend(&target, with: B.self)
    unsafe extend(&target, with: C.self)
    let (handle, row, table) = unsafe beginCreation(in: target)
    unsafe target = unsafe table
    unsafe initialize(a, in: target, row: row)
    unsafe initialize(b, in: target, row: row)
    unsafe initialize(c, in: target, row: row)
    unsafe endCreation(handle, in: target, row: row)
    return handle
  }

  @inlinable
  @inline(__always)
  func createOrReserve<A: Component, B: Component, C: Component, D: Component>(
    _ a: A, _ b: B, _ c: C, _ d: D
  ) -> Handle {
    guard pointer.pointee.section.mode.isEmpty else { return commands.create(a, b, c, d) }
    var target = unsafe pointer.pointee.tables.root
    unsafe extend(&target, with: A.self)
    unsafe extend(&target, with: B.self)
    unsafe extend(&target, with: C.self)
    unsafe extend(&target, with: D.self)
    let (handle, row, table) = unsafe beginCreation(in: target)
    unsafe target = unsafe table
    unsafe initialize(a, in: target, row: row)
    unsafe initialize(b, in: target, row: row)
    unsafe initialize(c, in: target, row: row)
    unsafe initialize(d, in: target, row: row)
    unsafe endCreation(handle, in: target, row: row)
    return handle
  }

  /// Creates an entity with components: now, or when the running iteration ends.
  @inlinable
  @inline(__always)
  func createOrReserve<each C: Component>(_ components: repeat each C) -> Handle {
    if pointer.pointee.section.mode.isEmpty { return create(repeat each components, as: nil) }
    return commands.create(repeat each components)
  }
}
