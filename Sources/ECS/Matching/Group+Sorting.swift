extension Group {
  /// The entities in the order of their creation.
  ///
  /// The result is kept until the group changes.
  ///
  /// - Complexity: O(*t*) while the group is unchanged, where *t* is the number of combinations of
  ///   component types that match; O(*n* log *n*) otherwise.
  public func sorted() -> [Entity] {
    core.section {
      sortedCache.entities(version: tables.structureVersion) {
        var handles: [Handle] = []
        core.forEach(in: tables) { handles.append($0) }
        handles.sort { core.creationNumber($0) < core.creationNumber($1) }
        return handles.map { Entity(core: core, handle: $0) }
      }
    }
  }

  /// The entities in an order of the caller's, kept for the caller.
  ///
  /// The result is kept for the object and the place of the call until the group, or a component
  /// that its matcher mentions, changes; it is forgotten when the object goes. Different objects
  /// and different places never see each other's order. The order must depend on nothing else
  /// than the entities: one that also reads other components or captured variables is not sorted
  /// again when these change: sort the group itself for that, as any sequence.
  /// Entities that are equal in the order come in the order of their creation.
  ///
  /// ```swift
  /// let byName = group.sorted(forObject: self) {
  ///   ($0.get(Name.self)?.text ?? "") < ($1.get(Name.self)?.text ?? "")
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - object: On whose behalf the result is kept; held weakly.
  ///   - file: The file of the call; leave it to the compiler, as `line` and `column`.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
  ///   - areInIncreasingOrder: A strict weak order. It runs in the context's critical section.
  /// - Returns: The entities, sorted.
  /// - Complexity: O(*t*) while nothing changed, where *t* is the number of combinations of
  ///   component types that match; O(*n* log *n*) otherwise.
  public func sorted(
    forObject object: AnyObject,
    file: StaticString = #fileID, line: Int = #line, column: Int = #column,
    by areInIncreasingOrder: (Entity, Entity) throws -> Bool
  ) rethrows -> [Entity] {
    try core.section {
      let site = CallSite(file: "\(file)", line: line, column: column)
      return try sortedCache.entities(for: object, at: site, version: tables.version) {
        // The standard library's sort is stable, so ties keep the order of creation.
        try sorted().sorted(by: areInIncreasingOrder)
      }
    }
  }
}
