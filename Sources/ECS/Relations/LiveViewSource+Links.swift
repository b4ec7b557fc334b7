// Views that are filtered by which links their entities have.
extension LiveViewSource {
  /// A live view of the entities that have a target by a relation, in the same order.
  ///
  /// ```swift
  /// let docked = context.group(Ship.matcher).filtered(byLink: DockedAt.self)
  /// ```
  ///
  /// The view is exact when links come and go; a link costs as much as a change of its source. See
  /// ``filtered(byTarget:_:)`` for what else may be asked of targets.
  ///
  /// - Returns: A new view; this one does not change.
  public func filtered<R: Relation>(byLink relation: R.Type) -> LiveView {
    filtered(ViewDependency(on: [], ofTargetsOf: relation)) { core in
      let links = TargetFinder(relation, in: core)
      return { _, handle in links.hasTarget(handle) }
    }
  }

  /// A live view of the entities that are linked to a target by a relation, in the same order.
  ///
  /// As ``RelatedEntities`` of the target, of those of the group or view, in its order.
  ///
  /// - Returns: A new view; this one does not change. It is empty when the target is dead.
  /// - Precondition: The target belongs to the same context.
  public func filtered<R: Relation>(byLink relation: R.Type, to target: Entity) -> LiveView {
    checkContext(of: target)
    let target = target.handle
    return filtered(ViewDependency(on: [], ofTargetsOf: relation)) { core in
      let links = TargetFinder(relation, in: core)
      return { _, handle in links.isLinked(handle, to: target) }
    }
  }

  /// A live view of the entities that are below another one in a hierarchy: its children, theirs
  /// and so on, in the same order.
  ///
  /// ```swift
  /// let parts = context.group(Weapon.matcher).filtered(below: ship)
  /// ```
  ///
  /// The view is exact when links of the hierarchy come and go. A link then costs as much as a
  /// change of each entity that it takes along, wherever that was before: O(*s* *d*), where *s* is
  /// the number of entities below its source, and *d* their depth.
  ///
  /// - Returns: A new view; this one does not change. It is empty when the ancestor is dead.
  /// - Precondition: The ancestor belongs to the same context.
  public func filtered<H: Hierarchy>(
    below ancestor: Entity, in hierarchy: H.Type = ChildOf.self
  ) -> LiveView {
    checkContext(of: ancestor)
    let ancestor = ancestor.handle
    return filtered(ViewDependency(onAncestorsIn: hierarchy)) { core in
      let links = TargetFinder(hierarchy, in: core)
      return { _, handle in links.isBelow(handle.index, ancestor) }
    }
  }

  /// A live view of the entities that are linked by a relation to an entity, or to what is below it
  /// in a hierarchy, in the same order.
  ///
  /// ```swift
  /// // Wherever they are docked: at the planet, its moons, and the stations of these.
  /// let there = context.group(Ship.matcher).filtered(byLink: DockedAt.self, within: planet)
  /// ```
  ///
  /// The view is exact when links of both relations come and go. A link of the hierarchy costs as
  /// much as a change of each entity that is linked to one that it takes along; see
  /// ``filtered(below:in:)``.
  ///
  /// - Returns: A new view; this one does not change. It is empty when the ancestor is dead.
  /// - Precondition: The ancestor belongs to the same context.
  public func filtered<R: Relation, H: Hierarchy>(
    byLink relation: R.Type, within ancestor: Entity, in hierarchy: H.Type = ChildOf.self
  ) -> LiveView {
    checkContext(of: ancestor)
    let ancestor = ancestor.handle
    var definition = view().definition
    definition.add(ViewDependency(on: [], ofTargetsOf: relation))
    return LiveView(definition)
      .filtered(ViewDependency(onAncestorsOfTargetsOf: relation, in: hierarchy)) { core in
        let (links, ancestors) = (
          TargetFinder(relation, in: core), TargetFinder(hierarchy, in: core)
        )
        return { core, handle in
          guard core.isAlive(ancestor) else { return false }
          return links.containsTarget(of: handle) {
            $0 == ancestor.index || ancestors.isBelow($0, ancestor)
          }
        }
      }
  }

  private func filtered(
    _ dependency: ViewDependency, _ makeTest: @escaping @Sendable (Core) -> LiveViewDefinition.Test
  ) -> LiveView {
    var definition = view().definition
    definition.add(dependency)
    definition.filters.append(LiveViewDefinition.Filter(mentioned: [], makeTest: makeTest))
    return LiveView(definition)
  }

  private func checkContext(of entity: Entity) {
    require(
      entity.core == view().definition.core,
      "A view was to be filtered by links to \(entity), which belongs to another context: use an entity of the view's context."
    )
  }
}

/// The kinds of dependencies on a hierarchy.
private enum AncestorsKind<H> {}
private enum TargetAncestorsKind<R, H> {}

extension ViewDependency {
  /// That on what the entities are below of.
  fileprivate init<H: Hierarchy>(onAncestorsIn hierarchy: H.Type) {
    self.init(ObjectIdentifier(AncestorsKind<H>.self), []) { sink, _ in
      sink.core.relationsMadeIfNeeded().map { relations in
        SubtreeFeed(sink, relations.store(hierarchy), linkedBy: nil)
      }
    }
  }

  /// That on what the targets of the entities are below of.
  fileprivate init<R: Relation, H: Hierarchy>(
    onAncestorsOfTargetsOf relation: R.Type, in hierarchy: H.Type
  ) {
    self.init(ObjectIdentifier(TargetAncestorsKind<R, H>.self), []) { sink, _ in
      sink.core.relationsMadeIfNeeded().map { relations in
        SubtreeFeed(sink, relations.store(hierarchy), linkedBy: relations.store(relation))
      }
    }
  }
}

/// A dependency of a view on what is above its entities, or above what these are linked to.
// Guarded by the lock of the core.
private final class SubtreeFeed: LinkListener, ViewFeed, @unchecked Sendable {
  private let sink: LiveViewSink
  private let hierarchy: RelationStore

  /// The relation by which the entities of the view are linked to those of the hierarchy; nil if
  /// they are in it.
  private let relation: RelationStore?

  init(_ sink: LiveViewSink, _ hierarchy: RelationStore, linkedBy relation: RelationStore?) {
    (self.sink, self.hierarchy, self.relation) = (sink, hierarchy, relation)
    super.init()
    hierarchy.add(self)
  }

  func end() {
    hierarchy.remove(self)
    sink.core.retire(self)
  }

  override func linkChanged(_ step: RelationStore.Step, of source: Handle) {
    var slots = [step.source]
    while let slot = slots.popLast() {
      if let relation {
        relation.links.forEach(slot, .sources) { changed($0) }
      } else {
        changed(slot)
      }
      hierarchy.links.forEach(slot, .sources) { slots.append($0) }
    }
  }

  private func changed(_ slot: UInt32) {
    sink.dependencyChanged(of: sink.core.lastHandle(ofSlot: slot))
  }
}
