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
  /// - Complexity: O(1). While somebody observes, each change of the group copies its old and new
  ///   value.
  public func observe(
    _ kinds: ChangeKinds = .addedUpdatedOrRemoved, _ body: @escaping @Sendable (Change) -> Void
  ) -> Subscription {
    core.section {
      guard core.uses(tables) else { return Subscription(endedIn: core) }
      let list = tables.observers as? ObserverList ?? ObserverList(scope: .group(tables))
      tables.observers = list
      core.invalidateReactions()
      return core.subscribe(to: list, kinds, body) { [core, tables, weak list] in
        // Only who listens costs anything; and the list refers to the tables, as they do to it.
        if let list, list.observers.isEmpty, tables.observers === list {
          tables.observers = nil
          core.retire(list)
        }
        core.invalidateReactions()
      }
    }
  }

  /// Calls a closure with the old and new value of a component after each change of the group.
  ///
  /// As ``observe(_:_:)``. A value is nil if the change ended or brought none of this type.
  public func observe<C: Component>(
    _ type: C.Type, _ kinds: ChangeKinds = .addedUpdatedOrRemoved,
    _ body: @escaping @Sendable (Entity, _ old: C?, _ new: C?) -> Void
  ) -> Subscription {
    observe(kinds) { change in body(change.entity, change.old(type), change.new(type)) }
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
    core.section {
      guard core.isAlive(handle), let state = core.state else {
        return Subscription(endedIn: core)
      }
      let list = state.entityObservers[handle] ?? ObserverList(scope: .entity)
      state.entityObservers[handle] = list
      core.startObserving(handle)
      return core.subscribe(to: list, kinds, body) { [weak state, weak list, handle] in
        guard let state, let list, state.entityObservers[handle] === list else { return }
        if list.observers.isEmpty { state.forgetObservers(of: handle) }
      }
    }
  }

  /// Calls a closure with the old and new value after each change of one component of the entity,
  /// and when the entity is destroyed.
  ///
  /// As ``observe(_:_:)``.
  public func observe<C: Component>(
    _ type: C.Type, _ kinds: ChangeKinds = .addedUpdatedOrRemoved,
    _ body: @escaping @Sendable (Entity, _ old: C?, _ new: C?) -> Void
  ) -> Subscription {
    observe(kinds) { change in
      let (old, new) = (change.old(type), change.new(type))
      if old != nil || new != nil { body(change.entity, old, new) }
    }
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
    core.section {
      core.contextObservers = state.contextObservers
      core.invalidateReactions()
      let id = state.addCreationObserver(body)
      return core.subscribe(to: state.contextObservers, .addedUpdatedOrRemoved) { change in
        switch change.kind {
        case .added, .updated: body(.created(change.entity))
        case .removed, .destroyed: body(.destroyed(change.entity, change.values.old))
        }
      } end: { [weak state, core] in
        state?.removeCreationObserver(id)
        if state?.contextObservers.observers.isEmpty == true {
          core.contextObservers = nil
        }
        core.invalidateReactions()
      }
    }
  }
}

extension CoreReference {
  func subscribe(
    to list: ObserverList, _ kinds: ChangeKinds, _ body: @escaping @Sendable (Change) -> Void,
    end: @escaping @Sendable () -> Void
  ) -> Subscription {
    let observer = ObserverList.Observer(
      kinds: kinds, firstNotification: state?.queue.nextNumber ?? 0, body: body)
    list.append(observer)
    // Whoever keeps the token does not keep what the closure owns once the observation has ended.
    return Subscription(
      core: self, isStillActive: { [weak observer] in observer?.isActive == true },
      end: { [weak list, weak observer] in
        if let observer { list?.remove(observer) }
        end()
        return observer
      })
  }
}
