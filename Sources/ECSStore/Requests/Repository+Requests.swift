#if SQLite
  public import ECS
  import GRDB

  extension Repository where Key: TableKey {
    /// The entity of a key, read from the file if it is not in memory; nil if there is none.
    ///
    /// - Precondition: Not called in a section of the context, if the table is one on request.
    /// - Throws: ``StoreError``.
    /// - Complexity: O(1) on average if it is in memory; otherwise O(log *n*), where *n* is the
    ///   number of rows.
    public func load(_ key: Key) throws(StoreError) -> Entity? {
      if let entity = find(key) { return entity }
      guard let source, let address = try address(of: key) else { return nil }
      return try source.session.load(source.number, address)
    }

    /// The entity of a key; if it is not in memory, it is read where that is possible.
    func loadIfPossible(_ key: Key) -> Entity? {
      if source == nil || context.isInSection { return find(key) }
      return (try? load(key)) ?? find(key)
    }
  }

  extension Repository {
    /// Evicts all entities of a table on request that have nothing to save; see
    /// ``StoreSession/evict(_:)``.
    ///
    /// - Returns: How many were evicted.
    /// - Precondition: Not called in a section or an iteration of the context.
    @discardableResult
    public func evict() -> Int {
      guard let source else { return 0 }
      return source.session.evictAll(of: source.number)
    }

    /// A fetch of a table on request that is done again when its answer may be another one; see
    /// ``LiveQuery``.
    ///
    /// - Parameters:
    ///   - condition: What entities have to fulfil; all do by default.
    ///   - order: What to sort by, the most important first.
    ///   - limit: How many there are to be at most.
    ///   - didChange: Called with each other answer, where the query is run.
    /// - Returns: The query: add it to a loop, and keep it.
    /// - Precondition: The table is one on request. Not called in a section or an iteration of the
    ///   context.
    /// - Throws: ``StoreError``.
    public func liveQuery(
      where condition: @escaping @Sendable (RowReference<Root>) -> Condition = { _ in .all },
      sortedBy order: Sort..., limit: Int? = nil,
      didChange: @escaping @Sendable ([Entity]) -> Void = { _ in }
    ) throws(StoreError) -> LiveQuery {
      guard let (session, number) = source else {
        stop(
          "A live query was asked of the table \(table.name), which is in memory as a whole: take a live view of its group."
        )
      }
      ECS.require(
        limit ?? 0 >= 0, "A live query was given the limit \(limit ?? 0): pass none below 0.")
      let condition = condition(RowReference())
      let region = try session.region(of: number, condition, order)
      return try LiveQuery("query of \(table.name)", session, region, didChange: didChange) {
        () throws(StoreError) in
        try session.fetch(number, condition, order, limit, 0)
      }
    }

    /// Throws if the file has the key of a component that is to be a row.
    func checkFile(for root: Root) throws(StoreError) {
      guard let source, let key = table.keys?.key?(root), entity(of: key) == nil,
        let address = try address(of: key), try source.session.isInFile(source.number, address)
      else { return }
      throw .duplicateKey(table: table.name, key: keyText(of: key))
    }

    /// Where the row of a key is; nil if no row can have it.
    private func address(of key: Key) throws(StoreError) -> RowKey? {
      try? table.keys?.address(key, table.definition)
    }
  }
#endif
