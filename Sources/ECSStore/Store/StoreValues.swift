#if SQLite
  public import ECSRecipes
  import GRDB

  /// Values by key, in the table `ecs_value` of a store's file: settings, marks of progress, and what else
  /// is no entity.
  ///
  /// ```swift
  /// try store.values.set("2026-05-01T12:00:00Z", for: "last sync")
  /// let last = try store.values.value(for: "last sync")?.string
  /// ```
  public struct StoreValues: Sendable {
    let store: Store

    /// The value of a key; nil if there is none.
    ///
    /// - Throws: ``StoreError``.
    public func value(for key: String) throws(StoreError) -> JSONValue? {
      try store.reading { database in
        guard try database.tableExists("ecs_value") else { return nil }
        let statement = RowStatement(
          try database.cachedStatement(sql: "SELECT value FROM ecs_value WHERE key = ?"))
        defer { statement.clear() }
        statement.bind(key, at: 1)
        guard try statement.step() else { return nil }
        do {
          return try statement.value(at: 0).json(isJSON: true)
        } catch let error as TransformFailure {
          throw StoreError.unreadable(
            table: "ecs_value", key: key, column: "value", reason: RowFailure(0, error).reason)
        }
      }
    }

    /// Sets a value; nil takes it out.
    ///
    /// - Throws: ``StoreError``.
    public func set(_ value: JSONValue?, for key: String) throws(StoreError) {
      try store.writing { database in
        try database.execute(
          sql:
            "CREATE TABLE IF NOT EXISTS ecs_value (key TEXT PRIMARY KEY NOT NULL, value TEXT NOT NULL) STRICT"
        )
        let sql =
          value == nil
          ? "DELETE FROM ecs_value WHERE key = ?1"
          : "INSERT INTO ecs_value (key, value) VALUES (?1, ?2) ON CONFLICT (key) DO UPDATE SET value = ?2"
        let statement = RowStatement(try database.makeStatement(sql: sql))
        statement.bind(key, at: 1)
        if let value { statement.bind(value.json(), at: 2) }
        try statement.run()
      }
    }
  }
#endif
