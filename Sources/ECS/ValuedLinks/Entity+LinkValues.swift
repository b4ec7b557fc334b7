extension Entity {
  /// Links the entity to a target with a value, or replaces the value of the link that they have.
  ///
  /// In a ``ToOneRelation`` the target replaces the previous one. The link and its value are one
  /// change: observers of both entities, and of both sides of the relation, run once at the end of
  /// the outermost change, and journals tell ``CommittedChange/Kind/linked`` with the value, or
  /// ``CommittedChange/Kind/linkUpdated`` if there was a link. As by ``set(_:)``, a value is
  /// replaced even by an equal one. Dead entities are not linked; that is counted in the context's
  /// ``Context/statistics``.
  ///
  /// ```swift
  /// ada.relate(MemberOf.self, to: team, Membership(role: .admin))
  /// ```
  ///
  /// - Precondition: Both entities belong to the same context. In a ``Hierarchy``, the target is
  ///   not the entity itself or a descendant of it: see ``setParent(_:in:_:)`` for data that may
  ///   ask for that.
  /// - Returns: The entity, to chain calls.
  /// - Complexity: O(1) on average.
  @discardableResult
  public func relate<R: Relation>(
    _ relation: R.Type, to target: Entity, _ value: R.Value
  ) -> Entity where R.Value: Component {
    relate(relation, to: target, opened: value)
    return self
  }

  /// The value of the entity's link to a target; nil if they are not linked, or dead.
  ///
  /// - Complexity: As that of ``RelatedEntities/contains(_:)``.
  public func value<R: Relation>(
    of relation: R.Type, to target: Entity
  ) -> R.Value? where R.Value: Component {
    targets(relation).value(of: target)
  }

  /// The value of the entity's link to its target; nil if it has none, or is dead.
  ///
  /// - Complexity: O(1).
  public func value<R: ToOneRelation>(of relation: R.Type) -> R.Value? where R.Value: Component {
    core.read {
      guard let location = targets(relation).location,
        let link = location.store.links.first(location.slot, .targets)
      else { return nil }
      return location.store.values?.value(of: link, as: R.Value.self)
    }
  }

  /// Changes the value of the entity's link to a target.
  ///
  /// Observers run as by ``relate(_:to:_:)``, once, after the closure has returned. If the closure
  /// throws, the value is unchanged and nothing fires. The closure gets a copy and runs in the
  /// context's critical section; if it removes the link, the copy is dropped. Inside a closure or
  /// chunk iteration it runs at once, and gets the value of a link that waits as well, while the
  /// change is made when the iteration ends.
  ///
  /// ```swift
  /// ada.update(MemberOf.self, to: team) { $0.role = .owner }
  /// ```
  ///
  /// - Returns: What the closure returns; nil, without calling it, if there is no link.
  /// - Complexity: O(1) on average.
  @discardableResult
  public func update<R: Relation, Result, Failure: Error>(
    _ relation: R.Type, to target: Entity, _ body: (inout R.Value) throws(Failure) -> Result
  ) throws(Failure) -> Result? where R.Value: Component {
    // As by `update` of components.
    var ended: R.Value?
    core.enter()
    defer {
      core.leave()
      withExtendedLifetime(ended) {}
    }
    let coming =
      core.acceptsChanges || target.core != core
      ? nil : core.relations?.comingValue(of: relation, from: handle, to: target.handle)
    guard var value = coming ?? value(of: relation, to: target) else { return nil }
    do throws(Failure) {
      let result = try core.callUser { () throws(Failure) in try body(&value) }
      ended = value
      replaceValue(of: relation, to: target, value)
      return result
    } catch {
      ended = value
      throw error
    }
  }

  /// Replaces the value of the link to a target, unless there is none by then.
  private func replaceValue<R: Relation>(
    of relation: R.Type, to target: Entity, _ value: R.Value
  ) where R.Value: Component {
    guard core.acceptsChanges else {
      core.relationsMadeIfNeeded()?.noteComing(value, of: relation, from: handle, to: target.handle)
      let entity = self
      return core.commands.add { entity.replaceValue(of: relation, to: target, value) }
    }
    guard core.isAlive(target.handle), let (store, relations, slot) = targets(relation).location,
      let link = store.links.find(source: slot, target: target.handle.index)
    else { return }
    store.replaceValue(of: link, by: value)
    relations.noteValue(store, slot, target.handle.index)
  }

  /// Makes the entity a child of another one, the last of its children, with a value of the link.
  ///
  /// If it is one already, the value is replaced. ``unrelate(_:)`` ends that. See
  /// ``setParent(_:in:)`` and ``relate(_:to:_:)``.
  ///
  /// - Throws: ``HierarchyCycle`` if the parent is the entity itself or a descendant of it; nothing
  ///   is changed then.
  /// - Complexity: As ``setParent(_:in:)``.
  public func setParent<R: Hierarchy>(
    _ parent: Entity, in hierarchy: R.Type, _ value: R.Value
  ) throws(HierarchyCycle) where R.Value: Component {
    try setParent(parent, in: hierarchy, anyValue: value)
  }
}
