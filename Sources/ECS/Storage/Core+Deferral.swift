// Changes that are asked for while an iteration runs wait here until it ends.
extension CoreReference {
  /// Makes the queued changes, in order.
  func applyDeferred() {
    while !pointer.pointee.deferred.isEmpty {
      let changes = pointer.pointee.deferred
      pointer.pointee.deferred = []
      for change in changes { change() }
    }
  }

  /// Queues a change that was asked for while an iteration runs.
  ///
  /// Stops if code runs that must not change the context.
  @usableFromInline
  @inline(never)
  func deferChange(_ change: @escaping () -> Void) {
    checkMode()
    pointer.pointee.deferred.append(change)
  }

  @usableFromInline
  func checkMode() {
    if let refusal = pointer.pointee.mode.refusal { stop(refusal) }
  }

  /// Creates an entity with components: now, or when the running iteration ends.
  @inlinable
  @inline(__always)
  func createOrReserve<each C: Component>(_ components: repeat each C) -> Handle {
    if pointer.pointee.mode.isEmpty { return create(repeat each components, as: nil) }
    return reserve(repeat each components)
  }

  /// Gives out a handle now, and creates its entity when the running iteration ends.
  @usableFromInline
  @inline(never)
  func reserve<each C: Component>(_ components: repeat each C) -> Handle {
    checkMode()
    let handle = reserveSlot()
    deferChange {
      enter()
      _ = create(repeat each components, as: handle)
      leave()
    }
    return handle
  }
}
