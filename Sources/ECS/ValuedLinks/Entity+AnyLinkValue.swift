// Values of links whose types are not known where they are read or set: of what was noted.
extension Entity {
  /// Links the entity to a target by a relation of which it is not known whether links have values.
  ///
  /// For code that is written for any relation, such as what applies a ``Journal`` to another
  /// context; elsewhere use ``relate(_:to:)`` and ``relate(_:to:_:)``, as which it works.
  ///
  /// ```swift
  /// source.relate(relation, to: target, anyValue: change.newLinkValue)
  /// ```
  ///
  /// - Parameters:
  ///   - relation: The relation.
  ///   - target: The entity to link to.
  ///   - anyValue: The value of the link; nil if links of the relation have none.
  /// - Precondition: The value has the relation's type of values; it is nil if and only if that has
  ///   none. For the rest see ``relate(_:to:_:)``.
  /// - Complexity: O(1) on average.
  public func relate<R: Relation>(
    _ relation: R.Type, to target: Entity, anyValue: (any Component)?
  ) {
    if let anyValue {
      relate(relation, to: target, opened: anyValue)
    } else {
      relate(relation, to: target)
    }
  }

  /// Links the entity to a target with a value, or replaces the value of the link that they have.
  func relate<R: Relation, Value: Component>(
    _ relation: R.Type, to target: Entity, opened value: Value
  ) {
    core.enter()
    defer { core.leave() }
    guard core.acceptsChanges else {
      noteComingLink(relation, to: target)
      core.relationsMadeIfNeeded()?.noteComing(
        value, of: relation, from: handle, to: target.handle)
      let entity = self
      return core.commands.add { entity.relate(relation, to: target, opened: value) }
    }
    guard let (relations, store) = store(of: relation, with: target) else { return }
    let (source, slot) = (handle.index, target.handle.index)
    checkNoCycle(store.wouldCycle(source: source, target: slot), with: target)
    store.addLink(source: source, target: slot, value, in: relations)
  }

  /// The value of the link to a target, whatever its type; nil if there is no link, or if the
  /// relation has no values.
  package func anyValue<R: Relation>(
    of relation: R.Type, to target: Entity
  ) -> (any Component)? {
    var value: (any Component)?
    targets(relation).withValue(of: target) { value = $0.value(of: $1) }
    return value
  }

  /// Makes the entity a child of another one, or of none, by a hierarchy of which it is not known
  /// whether links have values.
  ///
  /// - Throws: ``HierarchyCycle`` if the parent is the entity itself or a descendant of it; nothing
  ///   is changed then.
  package func setParent<R: Hierarchy>(
    _ parent: Entity?, in hierarchy: R.Type, anyValue: (any Component)?
  ) throws(HierarchyCycle) {
    core.enter()
    defer { core.leave() }
    guard let parent else {
      unrelate(hierarchy)
      return
    }
    if core == parent.core, wouldCycle(below: parent, in: hierarchy) {
      throw HierarchyCycle(child: self, parent: parent)
    }
    relate(hierarchy, to: parent, anyValue: anyValue)
  }
}
