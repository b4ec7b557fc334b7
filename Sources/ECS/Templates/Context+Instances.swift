extension Context {
  /// Lets the entities that were made from a template follow a change of it.
  ///
  /// What differs between the template and the changed one differs afterwards in each of its
  /// entities in the same way: components are set, added and removed, and the name in
  /// ``InstanceOf`` is the changed one's. An entity that has changed a component since it was made
  /// keeps it:
  ///
  /// ```swift
  /// let stronger = Template("orc") {
  ///   Health(points: 90)
  ///   Sprite(.orc)
  /// }
  /// context.updateInstances(of: orc, to: stronger)  // not those that have lost health
  /// ```
  ///
  /// Whether a component has changed is seen where its type is `Equatable`, or has no size. One of
  /// another type is added to entities that don't have it, and otherwise left as it is. Children
  /// are left as they are, as are entities of templates that were made of this one.
  ///
  /// What an entity has changed is seen before anything of it is changed here. Values are compared
  /// by their `==` in the context's critical section, which must not change the context, nor wait
  /// for other threads.
  ///
  /// Events are those of ``Entity/set(_:)`` and ``Entity/remove(_:)-(CID)``, in one critical
  /// section. A component that others require is removed by its ``RemovalRule``.
  ///
  /// - Parameters:
  ///   - template: What the entities were made from.
  ///   - changed: What they are to be as if made from.
  /// - Returns: The number of entities that have changed.
  /// - Precondition: `template` has a name.
  /// - Complexity: O(*n* · *c*), where *n* is the number of entities of all templates and *c* the
  ///   number of components that differ.
  @discardableResult
  public func updateInstances(of template: Template, to changed: Template) -> Int {
    guard let name = template.name else {
      stop(
        "updateInstances(of:to:) was given a template without a name, whose entities are not known: name it when it is made."
      )
    }
    let edits = TemplateEdits(from: template, to: changed)
    return perform {
      let instances = group(InstanceOf.matcher).filter { $0.template == name }
      return instances.count { edits.apply(to: $0) }
    }
  }
}

/// The differences between the components of two templates.
private struct TemplateEdits {
  /// A component of which the templates have two values, or only one has one.
  private struct Edit {
    let cid: CID
    let old: (any Component)?
    let new: (any Component)?
  }

  /// The name is the last one, so that observers see the other components with the old one.
  private let edits: [Edit]

  init(from template: Template, to changed: Template) {
    let old = template.components
    let new = changed.components
    let edits = Set(old.keys).union(new.keys).ascending().map { cid in
      Edit(cid: cid, old: old[cid], new: new[cid])
    }
    let different = edits.filter { edit in
      guard let old = edit.old, let new = edit.new else { return true }
      return old.canBeCompared && !isKnownEqual(old, new)
    }
    self.edits =
      different.filter { $0.cid != InstanceOf.cid } + different.filter { $0.cid == InstanceOf.cid }
  }

  /// Changes what the entity has not changed itself; whether that is anything.
  func apply(to entity: Entity) -> Bool {
    let wanted = edits.filter { edit in
      switch (edit.old, edit.cid.type.value(of: entity)) {
      case (nil, nil): true
      case (let old?, let present?): isKnownEqual(old, present)
      default: false
      }
    }
    let values = wanted.compactMap(\.new)
    let hasRemoved = remove(wanted.filter { $0.new == nil }.map(\.cid), of: entity)
    for value in values { entity.set(value) }
    return hasRemoved || !values.isEmpty
  }

  /// Removes components, each after those that keep it there; whether one has gone.
  private func remove(_ cids: [CID], of entity: Entity) -> Bool {
    var (left, count) = (cids, cids.count + 1)
    while left.count < count {
      count = left.count
      for cid in left { entity.remove(cid) }
      left.removeAll { !entity.has($0) }
    }
    return count < cids.count
  }
}

extension Template {
  fileprivate var components: [CID: any Component] {
    Dictionary(uniqueKeysWithValues: nodes[0].values.values(row: 0).map { ($0.cid, $0) })
  }
}

extension Component {
  fileprivate static func value(of entity: Entity) -> (any Component)? { entity.get(Self.self) }

  /// Whether it is seen if two values are the same.
  fileprivate var canBeCompared: Bool { self is any Equatable || MemoryLayout<Self>.size == 0 }
}
