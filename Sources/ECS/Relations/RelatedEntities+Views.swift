extension RelatedEntities: LiveViewSource {
  /// A live view of the entities, in their order.
  ///
  /// See ``view(in:)``.
  public func view() -> LiveView { view(restrictedTo: nil) }

  /// A live view of those of the entities that belong to a group, in their order.
  ///
  /// ```swift
  /// let drafts = author.sources(WrittenBy.self).view(in: context.group(Draft.matcher))
  /// drafts.observe(by: list) { list, change in list.apply(change.difference) }
  /// ```
  ///
  /// Observers of the view also run when a component changes that the group's matcher, a filter or
  /// a sort key mentions, and get a difference; see ``LiveView``. Their observation ends when
  /// ``entity`` is destroyed.
  ///
  /// - Parameter group: The group that the entities must belong to as well.
  /// - Returns: A new view.
  /// - Precondition: The group belongs to the same context.
  public func view(in group: Group) -> LiveView { view(restrictedTo: group) }

  private func view(restrictedTo group: Group?) -> LiveView {
    require(
      group == nil || group?.core == entity.core,
      "A view of what is related to \(entity) was restricted to a group of another context: use a group of the entity's context."
    )
    return LiveView(LiveViewDefinition(.related(RelatedSource(self), in: group)))
  }
}

extension Group {
  /// A live view of the entities that are linked to a target.
  ///
  /// They are found by their links: the group is not searched. To ask once, use
  /// ``RelatedEntities/entities(in:)``.
  ///
  /// ```swift
  /// let tagged = articles.related(TaggedWith.self, to: tag).sorted(by: \Score.points)
  /// ```
  ///
  /// - Precondition: The target belongs to the same context.
  public func related<R: Relation>(_ relation: R.Type, to target: Entity) -> LiveView {
    target.sources(relation).view(in: self)
  }
}
