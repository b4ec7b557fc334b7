extension Collector {
  /// Makes several calls one atomic section whose changes this collector does not collect.
  ///
  /// For what comes from where collected changes go to, such as a database or a server, and must
  /// not be sent back. All others are notified of the changes as of any others: observers, views,
  /// indexes, and other collectors.
  ///
  /// ```swift
  /// let unsaved = context.collector(for: Title.matcher, type: .addedUpdatedOrRemoved)
  /// unsaved.ignoring {
  ///   for (book, title) in loaded { book.set(Title(text: title)) }
  /// }
  /// unsaved.isEmpty  // true
  /// ```
  ///
  /// What the body changes is ignored, with all that goes along with it: entities that are
  /// destroyed with others, and the links of those. So are changes that have to wait because an
  /// iteration runs. What observers change is collected, as they are called when the section has
  /// ended, and so is what an iteration around this does with the values that it has handed out.
  /// What was collected before stays, and entities that are put back with ``restore(_:)`` are
  /// there.
  ///
  /// These sections can be nested, with one collector or with several.
  ///
  /// - Parameter body: Makes the changes.
  /// - Returns: What the body returns.
  /// - Throws: What the body throws. Nothing is rolled back: put a ``Context/transaction(_:)``
  ///   around or inside.
  /// - Complexity: O(1), besides the body, plus the number of changes that wait for the end of an
  ///   iteration.
  @discardableResult
  public func ignoring<Result, Failure: Error>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    core.enter()
    defer { core.leave() }
    return try log.ignoring(body)
  }
}
