extension LiveViewSource {
  /// A live view of the first entities, at most so many.
  ///
  /// ```swift
  /// let best = context.group(Score.matcher).sorted(by: \Score.points, .descending).limited(to: 10)
  /// best.observe(by: list) { list, change in list.apply(change.difference) }
  /// ```
  ///
  /// The limit counts last: what is filtered or sorted from this view on is, too, before the first
  /// ones are taken. Of several limits the lowest counts.
  ///
  /// A view at work remembers the entities behind the limit, so that they come up when others go: it
  /// takes as much memory as one without a limit, and is as fast. Its observers are told of what they
  /// can see alone: an entity that comes up is an insertion, one that is driven out a removal, and
  /// what changes behind the limit makes no call. A view that is not at work finds the first ones in
  /// O(*n* log *k*), where *n* is the number of entities and *k* the limit.
  ///
  /// To read the first ones of a view once, ask it for ``LiveView/first(_:)``.
  ///
  /// - Parameter maximumCount: The number of entities that are shown if there are as many.
  /// - Returns: A new view; this one does not change.
  /// - Precondition: The limit is not negative.
  public func limited(to maximumCount: Int) -> LiveView {
    require(
      maximumCount >= 0,
      "A view was to be limited to \(maximumCount) entities: a limit is zero or more.")
    return LiveView(view().definition.limited(to: maximumCount))
  }
}
