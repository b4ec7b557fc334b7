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
