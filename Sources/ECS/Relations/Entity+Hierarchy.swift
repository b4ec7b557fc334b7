extension Entity {
  /// The parent of the entity; nil if it has none.
  ///
  /// - Complexity: O(1).
  public var parent: Entity? { target(ChildOf.self) }

  /// The children of the entity, in the order in which they were added.
  public var children: RelatedEntities<ChildOf> { sources(ChildOf.self) }

  /// Makes the entity a child of another one, the last of its children, or of none.
  ///
  /// An entity without children, such as a new one, can't become an ancestor of itself, and needs
  /// no `try`: `part.relate(ChildOf.self, to: car)`, or `car.children.insert(part)`.
  ///
  /// Inside a closure or chunk iteration the link waits until that ends; other links that wait are
  /// taken into account. In a hierarchy whose links have values, use ``setParent(_:in:_:)``.
  ///
  /// - Throws: ``HierarchyCycle`` if the parent is the entity itself or a descendant of it; nothing
  ///   is changed then.
  /// - Complexity: O(1) if the entity has no children, otherwise O(*d*), where *d* is the depth of
  ///   the parent.
  public func setParent<R: Hierarchy>(
    _ parent: Entity?, in hierarchy: R.Type = ChildOf.self
  ) throws(HierarchyCycle) {
    try setParent(parent, in: hierarchy, anyValue: nil)
  }

  /// Whether becoming a child of another entity would make it its own ancestor.
  ///
  /// - Complexity: O(1) if the entity has no children, otherwise O(*d*), where *d* is the depth of
  ///   the parent.
  package func wouldCycle<R: Hierarchy>(below parent: Entity, in hierarchy: R.Type) -> Bool {
    guard core.isSeenAlive(handle), core.isSeenAlive(parent.handle) else { return false }
    guard core.acceptsChanges, let store = core.relations?.existingStore(hierarchy) else {
      return core.relations?.wouldComeToCycle(hierarchy, from: handle, to: parent.handle)
        ?? (self == parent)
    }
    return store.wouldCycle(source: handle.index, target: parent.handle.index)
  }

  /// The parent, its parent and so on.
  ///
  /// - Complexity: O(*d*), where *d* is the depth of the entity.
  public func ancestors<R: Hierarchy>(in hierarchy: R.Type = ChildOf.self) -> EntitySet {
    core.readingSection(keepsNothing: true) {
      var ancestors = ContiguousArray<Entity>()
      var next = target(hierarchy)
      while let ancestor = next {
        ancestors.append(ancestor)
        next = ancestor.target(hierarchy)
      }
      return EntitySet(unique: ancestors)
    }
  }

  /// The uppermost ancestor; the entity itself if it has no parent.
  ///
  /// - Complexity: O(*d*), where *d* is the depth of the entity.
  public func root<R: Hierarchy>(in hierarchy: R.Type = ChildOf.self) -> Entity {
    ancestors(in: hierarchy).last ?? self
  }

  /// The entity itself if it has a component, or else the nearest of its ancestors that has it; nil
  /// if there is none.
  ///
  /// - Complexity: O(*d*), where *d* is the distance of that ancestor.
  public func nearest<C: Component, R: Hierarchy>(
    with type: C.Type, in hierarchy: R.Type = ChildOf.self
  ) -> Entity? {
    core.readingSection(keepsNothing: true) {
      var next: Entity? = self
      while let entity = next, !entity.has(type) { next = entity.target(hierarchy) }
      return next
    }
  }

  /// A component of the entity, or else of the nearest of its ancestors that has it; nil if there
  /// is none.
  ///
  /// ```swift
  /// fleet.set(Team(name: "red"))
  /// gun.inherited(Team.self)?.name  // of a ship of the fleet: red
  /// ```
  ///
  /// Nothing is copied: what an ancestor gets is seen by all of its descendants that have none of
  /// their own. Groups and indexes have only what entities have themselves.
  ///
  /// - Complexity: As ``nearest(with:in:)``.
  public func inherited<C: Component, R: Hierarchy>(
    _ type: C.Type = C.self, in hierarchy: R.Type = ChildOf.self
  ) -> C? {
    core.readingSection(keepsNothing: true) { nearest(with: type, in: hierarchy)?.get(type) }
  }

  /// The children, each followed by its own descendants, at this moment.
  ///
  /// - Complexity: O(*k*), where *k* is the number of descendants.
  public func descendants<R: Hierarchy>(in hierarchy: R.Type = ChildOf.self) -> EntitySet {
    var entities = ContiguousArray<Entity>()
    walk(in: hierarchy) { entity, _ in entities.append(entity) }
    return EntitySet(unique: entities)
  }

  /// Visits the children, each followed by its own descendants, with their depth below this entity.
  ///
  /// Neither recursion nor memory grows with the depth. The body runs in the context's critical
  /// section and must not change the context, which stops with a message: use ``descendants(in:)``
  /// for that.
  ///
  /// - Parameters:
  ///   - hierarchy: The relation to follow.
  ///   - body: Called with each descendant and its depth: 1 for children, 2 for their children.
  /// - Complexity: O(*k*), where *k* is the number of descendants.
  public func walk<R: Hierarchy>(
    in hierarchy: R.Type = ChildOf.self, _ body: (Entity, Int) -> Void
  ) {
    core.readingSection(keepsNothing: true) {
      guard core.isAlive(handle), let relations = core.relations,
        let store = relations.existingStore(hierarchy)
      else { return }
      core.refusingChanges(.walking) {
        store.walk(from: handle.index) { slot, depth in body(relations.entity(slot), depth) }
      }
    }
  }
}

extension RelationStore {
  /// Visits the sources of a slot, each followed by its own.
  fileprivate func walk(from root: UInt32, _ body: (UInt32, Int) -> Void) {
    var depth = 1
    var next = links.first(root, .sources)
    while var link = next {
      let slot = links.slot(of: link, .sources)
      body(slot, depth)
      next = links.first(slot, .sources)
      if next != nil {
        depth += 1
        continue
      }
      // The last one of its siblings: go on with the next sibling of an ancestor.
      while true {
        next = links.next(after: link, .sources)
        depth -= next == nil ? 1 : 0
        guard next == nil, depth > 0 else { break }
        guard let up = links.first(links.slot(of: link, .targets), .targets) else { break }
        link = up
      }
    }
  }
}
