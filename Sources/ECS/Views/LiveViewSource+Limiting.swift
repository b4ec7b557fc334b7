extension LiveViewSource {
  /// A live view of the first entities, at most the given number.
  ///
  /// ```swift
  /// let best = context.group(Score.matcher).sorted(by: \Score.points, .descending).limited(to: 10)
  /// best.observe(by: list) { list, change in list.apply(change.difference) }
  /// ```
  ///
  /// The limit applies last: filters and sort keys that are added to the returned view apply before
  /// the first entities are taken. Of several limits, the lowest applies.
  ///
  /// A view at work remembers the entities beyond the limit, so that they move up when others
  /// leave: it takes as much memory as one without a limit, and is as fast. Its observers hear only
  /// of what it shows: an entity that moves up is an insertion, one that is pushed out is a
  /// removal, and changes beyond the limit make no call. A view that is not at work finds the first
  /// entities in O(*n* log *k*), where *n* is the number of entities and *k* the limit.
  ///
  /// To read the first entities of a view once, use ``LiveView/first(_:)``.
  ///
  /// - Parameter maximumCount: The largest number of entities to show.
  /// - Returns: A new view; this one does not change.
  /// - Precondition: The limit is not negative.
  public func limited(to maximumCount: Int) -> LiveView {
    require(
      maximumCount >= 0,
      "A view was limited to \(maximumCount) entities: a limit must be at least 0.")
    return LiveView(view().definition.limited(to: maximumCount))
  }
}
