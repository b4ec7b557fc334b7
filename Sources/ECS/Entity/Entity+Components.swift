extension Entity {
  /// The value of a component; nil if the entity does not have it or is dead.
  ///
  /// ```swift
  /// let position = entity.get(Position.self)
  /// let velocity: Velocity? = entity.get()
  /// ```
  ///
  /// - Complexity: O(1).
  @inlinable
  public func get<C: Component>(_ type: C.Type = C.self) -> C? {
    core.read { core.value(of: type, handle) }
  }

  /// Adds a component, or replaces the one of the same type.
  ///
  /// Fires `added` or `updated` for every group that mentions the component and that the entity
  /// enters or stays in (and `removed` for groups that exclude the component), even if the new
  /// value equals the old one; see ``setIfChanged(_:)``. Setting a ``UniqueComponent`` takes it
  /// away from its previous holder.
  ///
  /// - Returns: The entity, to chain calls.
  /// - Complexity: O(1) if it replaces, O(*c*) if it adds, where *c* is the number of components of
  ///   the entity; and O(1) for each listener concerned.
  @inlinable
  @discardableResult
  public func set<C: Component>(_ component: C) -> Entity {
    core.set(component, on: handle)
    return self
  }

  /// Adds a component, or replaces the one of the same type if the new value differs.
  ///
  /// Changes nothing and fires nothing if the entity already has an equal value. `==` runs in the
  /// context's critical section.
  ///
  /// - Returns: The entity, to chain calls.
  @inlinable
  @discardableResult
  public func setIfChanged<C: Component & Equatable>(_ component: C) -> Entity {
    // Values end outside of the lock: that may run user code.
    var ended: (old: C?, replaced: C?)
    core.enter()
    defer {
      core.leave()
      withExtendedLifetime(ended) {}
    }
    if !core.acceptsChanges { core.checkMode() }
    ended.old = core.value(of: C.self, handle)
    if ended.old == component { return self }
    if _isPOD(C.self) {
      core.set(component, on: handle)
    } else {
      ended.replaced = core.exchange(component, on: handle)
    }
    return self
  }

  /// Changes a component in place.
  ///
  /// Fires `updated` once, after the closure has returned. If the closure throws, the value is
  /// unchanged and nothing fires. The closure runs in the context's critical section. If it removes
  /// the component or destroys the entity, that takes effect and the closure's value is dropped. If
  /// it sets the component, the closure's value replaces what was set.
  ///
  /// The closure gets the value itself, so an array in it is not copied when changed. It gets a
  /// copy where the old value may be needed: if the closure may throw; if there is an observer of
  /// the single change, or of a journal; in transactions; beside a ``FrozenContext`` that has pages
  /// to copy; if a live view filters or sorts by the component, or the context has more than 16
  /// views; if the type has weak references; and inside iterations. If it destroys the entity,
  /// observers of the destruction are not given the value that the closure holds.
  ///
  /// - Precondition: The closure reads the component of this entity only from its parameter, unless
  ///   the type is trivial, and does not iterate over the component.
  /// - Returns: What the closure returns; nil, without calling it, if the entity does not have the
  ///   component.
  @inlinable
  @discardableResult
  public func update<C: Component, Result, Failure: Error>(
    _ type: C.Type = C.self, _ body: (inout C) throws(Failure) -> Result
  ) throws(Failure) -> Result? {
    // What the section leaves behind ends outside of the lock: that may run user code.
    var ended: C?
    core.enter()
    defer {
      core.leave()
      withExtendedLifetime(ended) {}
    }
    return try core.update(type, of: handle, ending: &ended, body)
  }

  /// Changes a component in place if the closure leaves a different value.
  ///
  /// Like ``update(_:_:)``, but fires nothing if the closure leaves an equal value.
  @inlinable
  @discardableResult
  public func updateIfChanged<C: Component & Equatable, Result, Failure: Error>(
    _ type: C.Type = C.self, _ body: (inout C) throws(Failure) -> Result
  ) throws(Failure) -> Result? {
    // As in `update`.
    var ended: (old: C?, other: C?)
    core.enter()
    defer {
      core.leave()
      withExtendedLifetime(ended) {}
    }
    ended.old = core.value(of: type, handle)
    guard var value = ended.old else {
      if !core.isSeenAlive(handle) { core.noteStaleWrite(handle) }
      return nil
    }
    do throws(Failure) {
      let result = try core.callUser { () throws(Failure) in try body(&value) }
      ended.other = value == ended.old ? value : core.replaceIfPresent(value, on: handle)
      return result
    } catch {
      ended.other = value
      throw error
    }
  }

  /// Removes a component and returns it; nil if the entity does not have it.
  ///
  /// Fires as ``remove(_:)-(CID)``.
  ///
  /// - Complexity: O(*c*), where *c* is the number of components of the entity, and O(1) for each
  ///   listener concerned.
  @inlinable
  public func take<C: Component>(_ type: C.Type = C.self) -> C? {
    core.enter()
    defer { core.leave() }
    let value = core.value(of: type, handle)
    core.removeComponent(ComponentKey(type), from: handle)
    return value
  }

  /// Whether the entity has a component.
  ///
  /// False if it is dead.
  ///
  /// - Complexity: O(1).
  public func has(_ cid: CID) -> Bool {
    core.read { core.has(cid.key, handle) }
  }

  /// Whether the entity has a component of a type.
  ///
  /// False if it is dead.
  ///
  /// - Complexity: O(1).
  @inlinable
  public func has<C: Component>(_ type: C.Type) -> Bool {
    core.read { core.has(ComponentKey(type), handle) }
  }

  /// Removes a component.
  ///
  /// Does nothing if the entity does not have it, or another of its components refuses that by a
  /// ``RemovalRule``.
  ///
  /// Fires `removed`, with the last value, for groups that the entity leaves; `added` for groups
  /// that exclude the component and that it enters; `updated` for groups that mention the component
  /// and that it stays in.
  ///
  /// - Returns: The entity, to chain calls.
  /// - Complexity: O(*c*), where *c* is the number of components of the entity, and O(1) for each
  ///   listener concerned.
  @discardableResult
  public func remove(_ cid: CID) -> Entity {
    core.removeComponent(cid.key, from: handle)
    return self
  }

  /// Removes a component of a type.
  ///
  /// See ``remove(_:)-(CID)``.
  ///
  /// - Returns: The entity, to chain calls.
  @inlinable
  @discardableResult
  public func remove<C: Component>(_ type: C.Type) -> Entity {
    core.removeComponent(ComponentKey(type), from: handle)
    return self
  }
}
