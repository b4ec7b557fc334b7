public import ECS

extension Snapshot {
  /// Puts everything into a context that has nothing of it.
  ///
  /// All is read and checked before anything is changed. Then all entities come to life in one
  /// change, with their values, in the order in which they were created and with the rows of groups
  /// in their order; links follow in the same section. Observers are notified as of any change.
  /// Entities that values refer to are those of this context; a reference to an entity that was not
  /// part of the snapshot is nil, or what the prototype has.
  ///
  /// - Parameters:
  ///   - context: It may have entities with components that the schema does not keep, such as
  ///     services, but no others.
  ///   - schema: What components and relations are called, of this version of the program or a
  ///     later one.
  ///   - unknown: What becomes of components and relations that the schema does not name.
  /// - Returns: What was made, and what was not.
  /// - Throws: ``SnapshotError``; the context is as before.
  /// - Precondition: Not called inside a closure or chunk iteration, or in the closure of an
  ///   update. If the context has primary indexes of restored components, the schema names their
  ///   keys by ``Stored/identified(by:)``, so that keys that are there twice are an error.
  /// - Complexity: O(*n* · *c* + *k*), where *n* is the number of entities, *c* that of components
  ///   and *k* that of links, and what notifying observers takes.
  @discardableResult
  public func restore(
    into context: Context, _ schema: Schema, unknown: UnknownPolicy = .fail
  ) throws(SnapshotError) -> RestoreReport {
    let loading = try Loading(self, schema, unknown)
    let entities = try put(loading, into: context)
    return loading.report(
      created: entities.count, links: loading.links.reduce(0) { $0 + $1.pairs.count })
  }

  /// Puts everything into a context that has nothing of it.
  ///
  /// - Returns: The entities by their positions.
  package func restoreEntities(
    into context: Context, _ schema: Schema
  ) throws(SnapshotError) -> NewEntities {
    try put(try Loading(self, schema, .fail), into: context)
  }

  private func put(
    _ loading: Loading, into context: Context
  ) throws(SnapshotError) -> NewEntities {
    try context.perform("restore a snapshot") { () throws(SnapshotError) in
      var isEmpty = true
      context.withColumns { columns in
        if Capture.isKept(columns.types, loading.schema) { isEmpty = false }
      }
      if !isEmpty { throw SnapshotError(.contextNotEmpty, name: context.name) }
      return loading.put(into: context)
    }
  }
}
