// Many keys together, for modules that bring many entities at once.
extension PrimaryIndex {
  /// Appends the keys of components to others.
  ///
  /// - Complexity: O(*n*), where *n* is the number of components.
  package func appendKeys(of components: Span<C>, to keys: inout [Key]) {
    functions.compute(components, &keys)
  }

  /// The first key that is equal to one before it; nil if all differ.
  ///
  /// - Complexity: O(*n*) on average, where *n* is the number of keys.
  package func firstRepeated(in keys: [Key]) -> Key? { functions.firstRepeated(keys) }

  /// Calls a body with the number of each key that identifies an entity, and that entity.
  ///
  /// - Complexity: O(*n*) on average, where *n* is the number of keys.
  package func forEachHolder(of keys: [Key], _ body: (Int, Entity) -> Void) {
    core.readingSection {
      let before = core.beginRefusingChanges(.buildingKeys)
      defer { core.endRefusingChanges(before) }
      functions.find(keys, body)
    }
  }

  /// As ``Context/createEntities(_:in:_:)`` of the index's context, if no entity has one of their
  /// keys.
  ///
  /// The keys are put into the index together, which takes a fraction of the time.
  ///
  /// - Parameters:
  ///   - count: The number of entities.
  ///   - tables: The positions of entities that have the same component types.
  ///   - keys: The keys of the entities in tables with the component of the index: those of a table
  ///     after those of the one before, in the order of its positions.
  ///   - fill: Fills the columns, with values that have these keys.
  /// - Returns: Nil, having changed nothing, if a key is there twice or an entity has it, or if it
  ///   can't be done so: in a transaction, with unique components, or with an index that is paused.
  /// - Precondition: As of `createEntities`.
  /// - Complexity: As of `createEntities`.
  package func createEntities(
    _ count: Int, in tables: [NewTable], keys: [Key], _ fill: (Int, borrowing NewColumns) -> Void
  ) -> NewEntities? {
    core.enter()
    defer { core.leave() }
    core.checkColumnsAreFree()
    let keyed = tables.reduce(0) { $0 + ($1.types.contains(C.cid) ? $1.count : 0) }
    require(
      keys.count == keyed,
      "\(keys.count) keys were given for \(keyed) new entities: give one for each with \(C.cid.name)."
    )
    guard core.acceptsChanges, !core.isRecording, !isPaused, isOfPresentContext,
      storage.unsettled == 0,
      !tables.contains(where: { $0.types.contains { $0.isUnique } }),
      let claim = core.refusingChanges(.buildingKeys, { functions.claim(keys) })
    else { return nil }
    let claimed = functions.claimed(claim, of: registration.sink, storage)
    return BulkLoad(core: core).create(count, in: tables, claimed: claimed, fill)
  }
}
