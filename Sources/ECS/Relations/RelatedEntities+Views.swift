extension RelatedEntities {
  /// A live view of the entities, in the order in which they were linked.
  ///
  /// ```swift
  /// let drafts = author.sources(WrittenBy.self).view(in: context.group(Draft.matcher))
  /// drafts.observe(by: list) { list, change in list.apply(change.difference) }
  /// ```
  ///
  /// Observers of the view are also told when components change that the group's matcher, a filter
  /// or a sort key mentions, and get a difference; see ``LiveView``. Their observation ends when
  /// ``entity`` is destroyed.
  ///
  /// - Parameter group: What the entities have to belong to besides; nil for all.
  /// - Returns: A new view.
  /// - Precondition: The group is of the same context.
  public func view(in group: Group? = nil) -> LiveView {
    precondition(
      group == nil || group?.core == entity.core,
      "A view of what is related to \(entity) was to be restricted to a group of another context.")
    return LiveView(LiveViewDefinition(.related(RelatedSource(self), in: group)))
  }

  /// A live view of the entities that have a component and pass a test of it.
  ///
  /// See ``LiveView/filtered(_:)-((C)->Bool)``.
  @inlinable
  public func filtered<C: Component>(_ isIncluded: @escaping @Sendable (C) -> Bool) -> LiveView {
    view().filtered(isIncluded)
  }

  /// A live view of the entities that have several components and pass a test of them.
  ///
  /// See ``LiveView/filtered(_:)-((C)->Bool)``.
  @inlinable
  public func filtered<A: Component, B: Component, each C: Component>(
    _ isIncluded: @escaping @Sendable (A, B, repeat each C) -> Bool
  ) -> LiveView {
    view().filtered(isIncluded)
  }

  /// A live view of the entities, sorted by a property of a component.
  ///
  /// See ``LiveView/sorted(by:_:)-(KeyPath<C,Key>Sendable,_)``.
  @inlinable
  public func sorted<C: Component, Key: Comparable & Sendable>(
    by property: any KeyPath<C, Key> & Sendable, _ order: LiveViewOrder = .ascending
  ) -> LiveView {
    view().sorted(by: property, order)
  }

  /// A live view of the entities, sorted by a property that may be nil, which comes last.
  ///
  /// See ``LiveView/sorted(by:_:)-(KeyPath<C,Key>Sendable,_)``.
  @inlinable
  public func sorted<C: Component, Key: Comparable & Sendable>(
    by property: any KeyPath<C, Key?> & Sendable, _ order: LiveViewOrder = .ascending
  ) -> LiveView {
    view().sorted(by: property, order)
  }
}

extension Group {
  /// A live view of the entities that are linked to a target.
  ///
  /// They are found by their links: the group is not searched. To ask once, take
  /// ``RelatedEntities/entities(in:)``.
  ///
  /// ```swift
  /// let tagged = articles.related(TaggedWith.self, to: tag).sorted(by: \Score.points)
  /// ```
  ///
  /// - Precondition: The target is of the same context.
  public func related<R: Relation>(_ relation: R.Type, to target: Entity) -> LiveView {
    target.sources(relation).view(in: self)
  }
}
