extension Group {
  /// Calls a closure after each change of the group.
  ///
  /// ```swift
  /// let subscription = group.observe(.addedOrUpdated) { change in
  ///   print(change.entity, change.new(Position.self) as Any)
  /// }
  /// ```
  ///
  /// Changes are delivered one after the other, in the order in which they were made, when the
  /// outermost change or ``Context/perform(_:)`` ends: the context is complete and consistent by
  /// then. Observers may change it; their changes queue behind. Of several groups the one made
  /// first is told first, of several observers of a group the one that subscribed first. `added`
  /// and `updated` are skipped if the entity is dead or matches no longer by the time of delivery;
  /// `removed` always comes, with the last value.
  ///
  /// Observers run on the thread that made the change, in the context's critical section.
  ///
  /// - Parameters:
  ///   - kinds: The kinds of changes to be told.
  ///   - body: Called with each change.
  /// - Returns: A token; releasing it ends the observation.
  /// - Complexity: O(1) amortized, as is ending the observation. While somebody observes, each change
  ///   of the group copies its old and new value.
  public func observe(
    _ kinds: ChangeKinds = .addedUpdatedOrRemoved, _ body: @escaping @Sendable (Change) -> Void
  ) -> Subscription {
    observe(kinds, ended: {}, body)
  }

  func observe(
    _ kinds: ChangeKinds, ended: @escaping @Sendable () -> Void,
    _ body: @escaping @Sendable (Change) -> Void
  ) -> Subscription {
    observe(kinds, ended: ended, handler: { body(Change($0, Change.Kind($0.kind))) })
  }

  @usableFromInline
  func observe(
    _ kinds: ChangeKinds, ended: @escaping @Sendable () -> Void,
    handler: @escaping @Sendable (QueuedChange) -> Void
  ) -> Subscription {
    changeSignal.attach(.change(handler), kinds, ended: ended)
  }

  /// Calls a closure with the old and new value of a component after each change of the group.
  ///
  /// As ``observe(_:_:)``, but faster: the values are read where they are. A value is nil if the
  /// change ended or brought none of this type.
  @inlinable
  public func observe<C: Component>(
    _ type: C.Type, _ kinds: ChangeKinds = .addedUpdatedOrRemoved,
    _ body: @escaping @Sendable (Entity, _ old: C?, _ new: C?) -> Void
  ) -> Subscription {
    observe(
      kinds, ended: {},
      handler: { change in
        let (old, new) = change.values(of: type)
        body(change.entity, old, new)
      })
  }
}

extension Entity {
  /// Calls a closure after each change of the entity's components, and when it is destroyed.
  ///
  /// Delivery is as described for ``Group/observe(_:_:)``; observers of entities come before those
  /// of groups. `destroyed` comes to observers of `removed`, carries the last values of all
  /// components, and ends the observation.
  ///
  /// - Returns: A token; releasing it ends the observation. Observing a dead entity does nothing.
  public func observe(
    _ kinds: ChangeKinds = .addedUpdatedOrRemoved, _ body: @escaping @Sendable (Change) -> Void
  ) -> Subscription {
    observe(kinds, ended: {}, body)
  }

  func observe(
    _ kinds: ChangeKinds, ended: @escaping @Sendable () -> Void,
    _ body: @escaping @Sendable (Change) -> Void
  ) -> Subscription {
    observe(
      kinds, ended: ended,
      handler: { body(Change($0, $0.isEnd ? .destroyed : Change.Kind($0.kind))) })
  }

  @usableFromInline
  func observe(
    _ kinds: ChangeKinds, ended: @escaping @Sendable () -> Void,
    handler: @escaping @Sendable (QueuedChange) -> Void
  ) -> Subscription {
    changeSignal.attach(.change(handler), kinds, ended: ended)
  }

  /// Calls a closure with the old and new value after each change of one component of the entity,
  /// and when the entity is destroyed.
  ///
  /// As ``observe(_:_:)``, but faster: the values are read where they are.
  @inlinable
  public func observe<C: Component>(
    _ type: C.Type, _ kinds: ChangeKinds = .addedUpdatedOrRemoved,
    _ body: @escaping @Sendable (Entity, _ old: C?, _ new: C?) -> Void
  ) -> Subscription {
    observe(
      kinds, ended: {},
      handler: { change in
        let (old, new) = change.values(of: type)
        if old != nil || new != nil { body(change.entity, old, new) }
      })
  }
}

extension Context {
  /// What observers of a context are told.
  public enum Event: Sendable {
    /// An entity was created.
    case created(Entity)

    /// An entity was destroyed; with the last values of its components.
    case destroyed(Entity, [any Component])

    /// A group was made.
    case createdGroup(Group)

    /// An index of a component was made.
    case createdIndex(CID)
  }

  /// Calls a closure after each creation and destruction of an entity, and when groups and indexes
  /// are made.
  ///
  /// Delivery of `created` and `destroyed` is as described for ``Group/observe(_:_:)``; observers
  /// of contexts come after those of groups. Groups and indexes are told at once.
  ///
  /// - Returns: A token; releasing it ends the observation.
  public func observe(_ body: @escaping @Sendable (Event) -> Void) -> Subscription {
    ChangeSignal(core: core, subject: .context) { ContextObserverList($0.notifier, .context) }
      .attach(.event(body), .addedUpdatedOrRemoved)
  }
}

extension Context.Event {
  init(_ change: QueuedChange) {
    self =
      change.isEnd
      ? .destroyed(change.entity, change.components(areOld: true)) : .created(change.entity)
  }
}
