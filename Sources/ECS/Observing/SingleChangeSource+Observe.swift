public import Dispatch

extension SingleChangeSource {
  /// Calls a closure after each single change of the source.
  ///
  /// ```swift
  /// let subscription = group.observeChanges(.addedOrUpdated) { change in
  ///   print(change.entity, change.new(Position.self) as Any)
  /// }
  /// ```
  ///
  /// Changes are delivered one at a time, in the order in which they were made, when the
  /// outermost change or ``Context/perform(_:)`` ends: by then the context is complete and
  /// consistent. Observers may change it; notifications of their changes queue behind. For each
  /// change, observers of the entity are called first, then those of groups, in the order in which
  /// the groups were made, then those of the context; several observers of a source are called in
  /// the order in which they subscribed. `added` and `updated` are skipped if the entity is dead or
  /// no longer matches by the time of delivery; `removed` is always delivered, with the last value.
  ///
  /// To an entity, `added` and `removed` mean that it got or lost a component. `destroyed` is
  /// delivered to observers of `removed`, carries the last values of all components, and ends the
  /// observation. Observing a dead entity does nothing.
  ///
  /// Observers run on the thread that made the change, in the context's critical section, unless
  /// they are given a queue. On a queue, the closure runs later and without the lock: what a
  /// ``Change`` carries is as it was when the change was made, but the entity may have changed
  /// again, or be dead. Whether a change is out of date is decided in the critical section, when it
  /// is sent to the queue. Any number of changes may wait there; ``changes(_:buffering:)`` can be
  /// limited.
  ///
  /// - Parameters:
  ///   - kinds: The kinds of changes to deliver.
  ///   - name: Names the observer in ``ChangeSource/observerNames`` and in the ``RunawayReport``.
  ///   - queue: Where to run, in the order of the changes if the queue is serial; nil to run right
  ///     after the outermost change.
  ///   - file: Where the observation begins, for the ``Cause`` of what the closure changes.
  ///   - line: The line in the file.
  ///   - body: Called with each change.
  /// - Returns: A token; releasing it ends the observation.
  /// - Complexity: O(1) amortized, as is ending the observation. While there is an observer, each
  ///   change of the source copies its old and new value.
  public func observeChanges(
    _ kinds: ChangeKinds = .addedUpdatedOrRemoved, name: String? = nil,
    on queue: DispatchQueue? = nil, file: StaticString = #fileID, line: Int = #line,
    _ body: @escaping @Sendable (Change) -> Void
  ) -> Subscription {
    attach(kinds, name: name, by: nil, on: queue, at: SourceLocation(file, line), body)
  }

  /// Calls a closure with the old and new value of a component after each single change of the
  /// source.
  ///
  /// Works like ``observeChanges(_:name:on:file:line:_:)``, but faster: the values are read in
  /// place. The old or new value is nil if the change has none of this type. Changes of an entity's
  /// other components are not delivered. For a group they are, with two nils, since they may be why
  /// an entity came to match.
  @inlinable
  public func observeChanges<C: Component>(
    of type: C.Type, _ kinds: ChangeKinds = .addedUpdatedOrRemoved, name: String? = nil,
    on queue: DispatchQueue? = nil, file: StaticString = #fileID, line: Int = #line,
    _ body: @escaping @Sendable (Entity, _ old: C?, _ new: C?) -> Void
  ) -> Subscription {
    let (signal, location) = (changeSignal, SourceLocation(file, line))
    let tellsAll = signal.tellsWithoutValues
    guard let queue else {
      return signal.attachToValues(
        kinds, name: name, by: nil, at: location, ValueHandler(tellsAll: tellsAll, body))
    }
    return signal.attachToChanges(
      kinds, name: name, by: nil, on: queue, reading: { ValueChange($0, tellsAll: tellsAll) },
      { body($0.entity, $0.old, $0.new) })
  }

  /// Calls a closure after each single change of the source, as long as an owner lives.
  ///
  /// Works like ``observeChanges(_:name:on:file:line:_:)``. The owner is held weakly and passed to
  /// the closure, which therefore need not capture it; when the owner is gone, the closure is no
  /// longer called. What the closure captured is released as described for
  /// ``ChangeSource/observe(by:name:initial:on:file:line:_:)``. A name has the same effect, too:
  /// the observation replaces the owner's earlier one of that name, whether that was of single
  /// changes or not.
  ///
  /// ```swift
  /// scores.observeChanges(.added, by: log, name: "new scores") { log, change in
  ///   log.note(change.entity)
  /// }
  /// ```
  ///
  /// - Returns: A token to end the observation early; releasing it does nothing.
  @discardableResult
  public func observeChanges<Owner: AnyObject & Sendable>(
    _ kinds: ChangeKinds = .addedUpdatedOrRemoved, by owner: Owner, name: String? = nil,
    on queue: DispatchQueue? = nil, file: StaticString = #fileID, line: Int = #line,
    _ body: @escaping @Sendable (Owner, Change) -> Void
  ) -> Subscription {
    attach(kinds, name: name, by: owner, on: queue, at: SourceLocation(file, line)) {
      [weak owner] change in
      if let owner { body(owner, change) }
    }
  }

  /// Calls a closure with the old and new value of a component after each single change of the
  /// source, as long as an owner lives.
  ///
  /// Like ``observeChanges(of:_:name:on:file:line:_:)`` and
  /// ``observeChanges(_:by:name:on:file:line:_:)``.
  @inlinable
  @discardableResult
  public func observeChanges<C: Component, Owner: AnyObject & Sendable>(
    of type: C.Type, _ kinds: ChangeKinds = .addedUpdatedOrRemoved, by owner: Owner,
    name: String? = nil, on queue: DispatchQueue? = nil, file: StaticString = #fileID,
    line: Int = #line, _ body: @escaping @Sendable (Owner, Entity, _ old: C?, _ new: C?) -> Void
  ) -> Subscription {
    let (signal, location) = (changeSignal, SourceLocation(file, line))
    let tellsAll = signal.tellsWithoutValues
    guard let queue else {
      return signal.attachToValues(
        kinds, name: name, by: owner, at: location,
        ValueHandler<C>(tellsAll: tellsAll) { [weak owner] entity, old, new in
          if let owner { body(owner, entity, old, new) }
        })
    }
    return signal.attachToChanges(
      kinds, name: name, by: owner, on: queue, reading: { ValueChange($0, tellsAll: tellsAll) },
      { [weak owner] change in
        if let owner { body(owner, change.entity, change.old, change.new) }
      })
  }

  private func attach(
    _ kinds: ChangeKinds, name: String?, by owner: AnyObject?, on queue: DispatchQueue?,
    at location: SourceLocation, _ body: @escaping @Sendable (Change) -> Void
  ) -> Subscription {
    let signal = changeSignal
    let isOfEntity = signal.subject.isEntity
    guard let queue else {
      return signal.attachToChanges(kinds, name: name, by: owner, at: location) {
        body(Change($0, isOfEntity: isOfEntity))
      }
    }
    return signal.attachToChanges(
      kinds, name: name, by: owner, on: queue,
      reading: { Change($0, isOfEntity: isOfEntity) }, body)
  }
}

extension SingleChangeSource {
  /// Calls a closure of the main actor after each single change of the source, as long as an owner
  /// lives.
  ///
  /// Like ``observeChanges(_:by:name:on:file:line:_:)`` on the main queue.
  @MainActor
  @discardableResult
  public func observeChangesOnMainActor<Owner: AnyObject & Sendable>(
    _ kinds: ChangeKinds = .addedUpdatedOrRemoved, by owner: Owner, name: String? = nil,
    _ body: @escaping @MainActor @Sendable (Owner, Change) -> Void
  ) -> Subscription {
    attach(kinds, name: name, by: owner, on: .main, at: .unknown) { [weak owner] change in
      MainActor.assumeIsolated {
        if let owner { body(owner, change) }
      }
    }
  }

  /// Calls a closure of the main actor with the old and new value of a component after each single
  /// change of the source, as long as an owner lives.
  ///
  /// Like ``observeChanges(of:_:by:name:on:file:line:_:)`` on the main queue.
  @MainActor
  @discardableResult
  public func observeChangesOnMainActor<C: Component, Owner: AnyObject & Sendable>(
    of type: C.Type, _ kinds: ChangeKinds = .addedUpdatedOrRemoved, by owner: Owner,
    name: String? = nil,
    _ body: @escaping @MainActor @Sendable (Owner, Entity, _ old: C?, _ new: C?) -> Void
  ) -> Subscription {
    observeChanges(of: type, kinds, by: owner, name: name, on: .main) { owner, entity, old, new in
      MainActor.assumeIsolated { body(owner, entity, old, new) }
    }
  }
}

/// The values of one component that a change ended and brought.
@usableFromInline
struct ValueChange<C: Component>: Sendable {
  @usableFromInline let entity: Entity
  @usableFromInline let old: C?
  @usableFromInline let new: C?

  /// Reads a change; nil if it has no values of the type, unless those are wanted, too.
  @inlinable
  init?(_ change: QueuedChange, tellsAll: Bool) {
    entity = change.entity
    (old, new) = change.values(of: C.self)
    guard old != nil || new != nil || tellsAll else { return nil }
  }
}
