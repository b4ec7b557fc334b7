// Views that are filtered and sorted by what their entities are linked to.
extension LiveViewSource {
  /// A live view of the entities whose targets have a component and pass a test on it, in the same
  /// order.
  ///
  /// The target is the entity at the other end of a to-one relation. An entity without one is not
  /// in the view, nor is one whose target lacks a component.
  ///
  /// ```swift
  /// let new = context.group(Episode.matcher)
  ///   .filtered(byTarget: PartOf.self) { (show: Show) in show.isSubscribed }
  ///   .sorted(by: \Episode.day, .descending)
  /// ```
  ///
  /// The view is exact when links come, go or lead elsewhere, and when the components of targets
  /// change: a change of a target brings all entities of the view up to date that are linked to it,
  /// each as if it had changed itself, in O(*k* log *n*). While nothing observes the view that is
  /// put off until it is read or the outermost change ends, and done for all together. Contexts
  /// without such a view do nothing for it; in others, only changes of these components and links
  /// of this relation take longer.
  ///
  /// - Parameters:
  ///   - relation: The relation that leads to the targets.
  ///   - isIncluded: What to test of a target. It has to keep to what ``filtered(_:)-((C)->Bool)``
  ///     says.
  /// - Returns: A new view; this one does not change.
  @inlinable
  public func filtered<R: ToOneRelation, C: Component>(
    byTarget relation: R.Type, _ isIncluded: @escaping @Sendable (C) -> Bool
  ) -> LiveView {
    filtered(byTarget: relation, [C.cid]) { (core, target) throws(MissingComponent) in
      isIncluded(try core.existingValue(target))
    }
  }

  /// A live view of the entities whose targets have several components and pass a test on them.
  @_documentation(visibility: internal)
  @inlinable
  public func filtered<R: ToOneRelation, A: Component, B: Component, each C: Component>(
    byTarget relation: R.Type, _ isIncluded: @escaping @Sendable ((A, B, repeat each C)) -> Bool
  ) -> LiveView {
    var components = [A.cid, B.cid]
    repeat components.append((each C).cid)
    return filtered(byTarget: relation, components) { (core, target) throws(MissingComponent) in
      isIncluded(
        (
          try core.existingValue(target), try core.existingValue(target),
          repeat try core.existingValue(target) as each C
        ))
    }
  }

  @inlinable
  func filtered<R: ToOneRelation>(
    byTarget relation: R.Type, _ components: [CID],
    _ isIncluded: @escaping @Sendable (Core, Handle) throws(MissingComponent) -> Bool
  ) -> LiveView {
    var definition = view().definition
    definition.add(ViewDependency(on: components, ofTargetsOf: relation))
    definition.filters.append(
      LiveViewDefinition.Filter(mentioned: []) { core in
        let finder = TargetFinder(relation, in: core)
        return { core, handle in
          guard let target = finder.target(of: handle) else { return false }
          do throws(MissingComponent) {
            return try isIncluded(core, target)
          } catch {
            return false
          }
        }
      })
    return LiveView(definition)
  }

  /// A live view of the entities, sorted by a property of a component of their targets.
  ///
  /// Entities without a target come last, in either direction, and so do those whose target lacks
  /// the component. Everything else is as in
  /// ``LiveViewSource/sorted(by:_:)-(KeyPath<C,Key>Sendable,_)``; see ``filtered(byTarget:_:)`` for
  /// what keeps the view exact.
  ///
  /// ```swift
  /// let episodes = context.group(Episode.matcher)
  ///   .sorted(by: \Show.title, ofTarget: PartOf.self)
  ///   .then(by: \Episode.number)
  /// ```
  ///
  /// - Parameters:
  ///   - property: What to sort by. A computed one must depend only on the component.
  ///   - relation: The relation that leads to the targets.
  ///   - order: The direction.
  /// - Returns: A new view; this one does not change.
  @inlinable
  public func sorted<R: ToOneRelation, C: Component, Key: Comparable & Sendable>(
    by property: any KeyPath<C, Key> & Sendable, ofTarget relation: R.Type,
    _ order: LiveViewOrder = .ascending
  ) -> LiveView {
    var definition = view().definition
    definition.add(ViewDependency(on: [C.cid], ofTargetsOf: relation))
    definition.keys.insert(.init(property, ofTarget: relation, order), at: 0)
    return LiveView(definition)
  }

  /// A live view of the entities, sorted by a property of their targets that may be nil, which
  /// comes last.
  ///
  /// See ``LiveViewSource/sorted(by:ofTarget:_:)-(KeyPath<C,Key>Sendable,_,_)``.
  @inlinable
  public func sorted<R: ToOneRelation, C: Component, Key: Comparable & Sendable>(
    by property: any KeyPath<C, Key?> & Sendable, ofTarget relation: R.Type,
    _ order: LiveViewOrder = .ascending
  ) -> LiveView {
    var definition = view().definition
    definition.add(ViewDependency(on: [C.cid], ofTargetsOf: relation))
    definition.keys.insert(.init(optional: property, ofTarget: relation, order), at: 0)
    return LiveView(definition)
  }
}

extension LiveView {
  /// The entities of the view, sorted by a further property, one of their targets, where they were
  /// equal so far.
  ///
  /// See ``LiveViewSource/sorted(by:ofTarget:_:)-(KeyPath<C,Key>Sendable,_,_)``.
  @inlinable
  public func then<R: ToOneRelation, C: Component, Key: Comparable & Sendable>(
    by property: any KeyPath<C, Key> & Sendable, ofTarget relation: R.Type,
    _ order: LiveViewOrder = .ascending
  ) -> LiveView {
    var definition = definition
    definition.add(ViewDependency(on: [C.cid], ofTargetsOf: relation))
    definition.keys.append(.init(property, ofTarget: relation, order))
    return LiveView(definition)
  }

  /// The entities of the view, sorted by a further property, one of their targets that may be nil,
  /// which comes last.
  ///
  /// See ``LiveViewSource/sorted(by:ofTarget:_:)-(KeyPath<C,Key>Sendable,_,_)``.
  @inlinable
  public func then<R: ToOneRelation, C: Component, Key: Comparable & Sendable>(
    by property: any KeyPath<C, Key?> & Sendable, ofTarget relation: R.Type,
    _ order: LiveViewOrder = .ascending
  ) -> LiveView {
    var definition = definition
    definition.add(ViewDependency(on: [C.cid], ofTargetsOf: relation))
    definition.keys.append(.init(optional: property, ofTarget: relation, order))
    return LiveView(definition)
  }
}

extension LiveView {
  /// The sections of the view at this moment, by what a closure makes of a component of the
  /// entities' targets.
  ///
  /// ```swift
  /// let episodes = context.group(Episode.matcher).sorted(by: \Show.title, ofTarget: PartOf.self)
  /// let byShow = episodes.sections(by: \Show.title, ofTarget: PartOf.self)
  /// ```
  ///
  /// Entities without a target, or whose target lacks the component, have no key. Everything else
  /// is as in ``sections(by:)``.
  ///
  /// - Parameters:
  ///   - key: What to divide by.
  ///   - relation: The relation that leads to the targets.
  /// - Returns: The sections at this moment.
  /// - Complexity: Same as ``sections(by:)``.
  @inlinable
  public func sections<R: ToOneRelation, C: Component, Key: Hashable & Sendable>(
    by key: (C) -> Key?, ofTarget relation: R.Type
  ) -> LiveViewSections<Key> {
    sections(ofTarget: relation) { core, target in core.value(of: C.self, target).flatMap(key) }
  }

  @usableFromInline
  func sections<R: ToOneRelation, Key: Hashable & Sendable>(
    ofTarget relation: R.Type, _ key: (Core, Handle) -> Key?
  ) -> LiveViewSections<Key> {
    var known: TargetFinder?
    return sections { core, handle in
      let finder = known ?? TargetFinder(relation, in: core)
      known = finder
      return finder.target(of: handle).flatMap { key(core, $0) }
    }
  }
}

extension LiveViewDefinition.Key {
  @inlinable
  init<R: ToOneRelation, C: Component, Key: Comparable & Sendable>(
    _ property: any KeyPath<C, Key> & Sendable, ofTarget relation: R.Type, _ order: LiveViewOrder
  ) {
    let offset = MemoryLayout<C>.offset(of: property)
    self.init(mentioned: nil) { core in
      let finder = TargetFinder(relation, in: core)
      return SortColumn.make(descending: order == .descending) { core, handle -> Key? in
        finder.target(of: handle).flatMap { core.property(property, offset: offset, of: $0) }
      }
    }
  }

  @inlinable
  init<R: ToOneRelation, C: Component, Key: Comparable & Sendable>(
    optional property: any KeyPath<C, Key?> & Sendable, ofTarget relation: R.Type,
    _ order: LiveViewOrder
  ) {
    let offset = MemoryLayout<C>.offset(of: property)
    self.init(mentioned: nil) { core in
      let finder = TargetFinder(relation, in: core)
      return SortColumn.make(descending: order == .descending) { core, handle -> Key? in
        finder.target(of: handle)
          .flatMap { core.property(property, offset: offset, of: $0) }
          .flatMap { $0 }
      }
    }
  }
}

extension ViewDependency {
  /// That on components of what entities are linked to.
  @usableFromInline
  init<R: Relation>(on components: [CID], ofTargetsOf relation: R.Type) {
    self.init(ObjectIdentifier(relation), components) { sink, components in
      sink.core.relationsMadeIfNeeded().map { relations in
        TargetFeed(sink, relations.store(relation), components)
      }
    }
  }
}
