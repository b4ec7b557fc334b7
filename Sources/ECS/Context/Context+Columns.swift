extension Context {
  /// Visits all entities of the context by their columns: once for each combination of component
  /// types that entities have, in the order in which these first came up.
  ///
  /// For what has to see everything at memory speed, whatever types there are, as a snapshot does.
  /// Where the types are known, use `withChunks` and what else <doc:Iteration> describes.
  ///
  /// ```swift
  /// context.withColumns { columns in
  ///   print(columns.count, "entities with", columns.types)
  /// }
  /// ```
  ///
  /// - Parameter body: Called with the columns of each combination. It runs in the context's
  ///   critical section and must not change the context, which stops with a message.
  /// - Precondition: Not called inside a closure or chunk iteration, or in the closure of an
  ///   update.
  /// - Throws: What the body throws.
  /// - Complexity: O(*t*), besides the body, where *t* is the number of combinations.
  public func withColumns<Failure: Error>(
    _ body: (borrowing Columns) throws(Failure) -> Void
  ) throws(Failure) {
    try core.readingSection(keepsNothing: true) { () throws(Failure) in
      core.checkColumnsAreFree(toRead: true)
      try core.refusingChanges(.usingColumns) { () throws(Failure) in
        try core.forEachTable { (view) throws(Failure) in try body(Columns(.stored(view))) }
      }
    }
  }

  /// Creates many entities of several combinations of component types at once, with values of types
  /// that need not be known before.
  ///
  /// For what loads data at memory speed, as a snapshot does; otherwise ``createEntities(_:with:)``
  /// is for you. All entities have their handles before the first value is there, so that values
  /// may refer to entities that come later. They come to life together, with all values in place:
  /// groups, indexes and observers see one `added` for each, in the order of creation.
  ///
  /// ```swift
  /// let positions: [Position] = load()
  /// let tables = [NewTable([Position.cid, Health.cid], 0..<positions.count)]
  /// context.createEntities(positions.count, in: tables) { table, columns in
  ///   columns.copy(positions.span)
  ///   columns.initialize(Health.self) { $0.append(repeating: Health(points: 10), count: columns.count) }
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - count: The number of entities. A position is one in the order of creation.
  ///   - tables: The positions of entities that have the same component types. Entities that are in
  ///     none have no components. With a ``UniqueComponent``, a table has at most one entity; it
  ///     takes the component away from its previous holder.
  ///   - fill: Called with the number of each table and its columns, all of which it has to fill,
  ///     except those of components that others require, which are made for it.
  ///     It runs in the context's critical section and must not change the context, which stops
  ///     with a message.
  /// - Precondition: Not called inside a closure or chunk iteration, or in the closure of an
  ///   update. No position is in two tables or twice in one; no unique component is in two tables
  ///   with entities.
  /// - Returns: The entities, by their positions.
  /// - Complexity: O(*n* · *c*) amortized, where *n* is the number of entities and *c* that of
  ///   component types, and what notifying listeners takes.
  @discardableResult
  public func createEntities(
    _ count: Int, in tables: [NewTable], _ fill: (Int, borrowing NewColumns) -> Void
  ) -> NewEntities {
    core.enter()
    defer { core.leave() }
    core.checkColumnsAreFree()
    return BulkLoad(core: core).create(count, in: tables, completes: true, fill)
  }
}
