public import ECS

extension Snapshot {
  /// Brings what a context has to what the snapshot has: entities that a primary index finds by
  /// their keys are changed, and the others are created.
  ///
  /// ```swift
  /// let users = context.primaryIndex { (user: User) in user.id }
  /// let report = try snapshot.merge(into: context, schema, by: users)
  /// print(report.created, report.merged)
  /// ```
  ///
  /// All is read and checked before anything is changed, and happens in one critical section.
  /// Entities that have the component of the index are found by their keys. Others are found if
  /// they hold a `UniqueComponent` that an entity of the context holds, and are otherwise created,
  /// each time anew, unless `keyless` says that they are an error.
  ///
  /// An entity that is found gets all components that it has in the snapshot, as by `set(_:)`,
  /// whether or not the values differ; components that it does not have there stay as they are. If
  /// it has targets of a relation in the snapshot, they become all its targets, in that order;
  /// otherwise its links stay. Components that came by ``UnknownPolicy/keep`` replace those of the
  /// same names. A unique component goes to the entity that has it in the snapshot. Entities that
  /// are not in the snapshot only change where links or unique components go over to others. One
  /// that `setUniqueComponent(_:)` made, and that is left with nothing, ends with those whose
  /// relations to it say so; if an entity that was found is among them, that is an error.
  ///
  /// Observers are notified as of any change, when all of it is done.
  ///
  /// - Parameters:
  ///   - context: What is changed.
  ///   - schema: What components and relations are called, of this version of the program or a
  ///     later one. It keeps the component of the index.
  ///   - index: Finds entities. The keys of the snapshot's entities are computed before the
  ///     critical section.
  ///   - keyless: What becomes of entities that do not have the component of the index.
  ///   - unknown: What becomes of components and relations that the schema does not name.
  /// - Returns: How many entities were created and changed, and what was left out.
  /// - Throws: ``SnapshotError``; the context is as before, and no observer was notified.
  /// - Precondition: Not called inside a closure or chunk iteration, or in the closure of an
  ///   update. The index belongs to the context and is not paused. Keys of other primary indexes of
  ///   the context do not collide with those of the snapshot.
  /// - Complexity: O(*n* · *c* + *k*), where *n* is the number of entities of the snapshot, *c*
  ///   that of components and *k* that of links, and what notifying observers takes; for
  ///   hierarchies in addition the number of ancestors of found entities.
  @discardableResult
  public func merge<C: Component, Key: Hashable & Sendable>(
    into context: Context, _ schema: Schema, by index: PrimaryIndex<C, Key>,
    keyless: KeylessPolicy = .create, unknown: UnknownPolicy = .fail
  ) throws(SnapshotError) -> RestoreReport {
    require(
      index.context === context,
      "A snapshot was merged by an index of another context: use a primary index of the context.")
    func requireRunning() {
      require(
        !index.isPaused,
        "A snapshot was merged by a paused index, which finds nobody: resume it first.")
    }
    requireRunning()
    let merging = try Merging(try Loading(self, schema, unknown), index, keyless)
    return try context.perform("merge a snapshot") { () throws(SnapshotError) in
      // Others may have paused it meanwhile.
      requireRunning()
      return try context.ignoringRequirements { () throws(SnapshotError) in
        try merging.merge(into: context)
      }
    }
  }
}
