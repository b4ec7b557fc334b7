#if SQLite
  extension Table where Key: TableKey {
    /// The table, whose rows become entities when they are asked for, instead of all when a session
    /// begins: for kinds that don't fit into memory.
    ///
    /// ```swift
    /// let readings = try Table("reading", key: \Reading.id) { … }.onRequest()
    /// ```
    ///
    /// What a repository does then:
    /// - `fetch`, `first`, `count` and `exists` ask the file, and put what is not saved yet into
    ///   its answer. Rows that they return become entities of the context, which are changed and
    ///   saved as any others. `load` and `require` do the same by key; `find` looks into memory
    ///   alone.
    /// - Conditions and orders are about columns, and compare what these hold as SQL does: texts by
    ///   their bytes. Ties are in the order of keys.
    /// - `evict` releases entities that have nothing to save.
    ///
    /// Groups, indexes and views have what is in memory. Where a row that is in memory refers to
    /// one that is not, there is a ``Fault`` in its place.
    ///
    /// Such a table keeps links to one, in columns, and can be linked to by those of others.
    /// Nothing is known of links from rows that are not in memory: a row that they lead to is not
    /// deleted, since saving throws ``StoreError/foreignKey(table:entity:)``.
    ///
    /// - Returns: The table: list it in the schema, and ask for its repository, in place of the
    ///   other one.
    public func onRequest() -> Table {
      var table = self
      table.definition = TableDefinition(onRequest: definition)
      return table
    }
  }
#endif
