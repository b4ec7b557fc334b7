extension Context {
  /// Makes several calls one atomic section of which, if the body throws, nothing stays.
  ///
  /// As ``perform(_:)``, except that all changes of the context are taken back when the body
  /// throws, before the error goes on to the caller:
  ///
  /// ```swift
  /// try context.transaction {
  ///   for order in orders { try import(order) }
  /// }
  /// ```
  ///
  /// Then components, entities and their order in groups, links, unique components, indexes, live
  /// views and what collectors hold are what they were. Entities that were destroyed live again, by
  /// the handles they had; handles of entities that were created stay dead for ever. Observers hear
  /// nothing of it, and what they were to be notified of before is delivered as if there had been
  /// no transaction.
  ///
  /// Transactions nest: an inner one that throws takes back what changed inside it, and if the
  /// outer one catches the error, what it changed itself goes on. What an inner one changed is
  /// taken back with the outer one. Notifications are delivered when the outermost section ends;
  /// what observers change then is no part of the transaction.
  ///
  /// What is no change of entities stays: counts in ``statistics``, groups, indexes, collectors,
  /// views and observers that were made inside, what the body did to its own variables, and what it
  /// did to other contexts, which have transactions of their own. Indexes, aggregates and live
  /// views that are made inside follow the way back. An observer that begins inside to observe
  /// something as a whole, and is called at once, is notified of the way back, if that changes what
  /// was seen, and so are observers of views, whose contents change; others that begin inside get
  /// what changes afterwards. Observers of an entity that never was end silently.
  ///
  /// To pause or resume a collector, an index or a loop is no change of entities either: it stays
  /// as it was set inside, and what a pause dropped stays dropped. A primary index that was resumed
  /// or made inside, and in which keys are there twice after the way back, is paused then.
  ///
  /// Changes cost more inside, and the way back about as much as the changes: what they replace is
  /// kept until the outermost transaction ends, an iteration by closures or chunks copies the
  /// columns that it may change, and slots of destroyed entities are not used again before the end.
  /// ``compact()`` does nothing inside. Without a transaction, changes that something listens to
  /// ask for one bit, and that is all.
  ///
  /// - Parameter body: Makes the changes. It may call everything that ``perform(_:)`` allows.
  /// - Precondition: Not called inside a closure or chunk iteration, where changes wait until it
  ///   ends.
  /// - Returns: What the body returns.
  /// - Throws: What the body throws.
  /// - Complexity: O(1), besides the body; O(*k*) if it throws, where *k* is the number of changes.
  @inlinable
  @discardableResult
  public func transaction<Result, Failure: Error>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    core.enter()
    defer { core.leave() }
    core.transactions.begin()
    do throws(Failure) {
      let result = try core.callUser(body)
      core.transactions.commit()
      return result
    } catch {
      core.transactions.rollBack()
      throw error
    }
  }
  /// Makes several calls one atomic section that has a name and of which, if the body throws,
  /// nothing stays.
  ///
  /// As ``transaction(_:)``, with a name as in ``perform(_:file:line:_:)``.
  @inlinable
  @discardableResult
  public func transaction<Result, Failure: Error>(
    _ name: @autoclosure () -> String, file: StaticString = #fileID, line: Int = #line,
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try perform(name(), file: file, line: line) { () throws(Failure) -> Result in
      try transaction(body)
    }
  }
}
