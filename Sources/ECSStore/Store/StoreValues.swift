#if SQLite
  public import ECSRecipes
  import ECSLocalStorage
  import Foundation
  import GRDB

  /// Values by key, in the table `ecs_value` of a store's file: settings, marks of progress, and
  /// what else is no entity.
  ///
  /// ```swift
  /// try store.values.set("2026-05-01T12:00:00Z", for: "last sync")
  /// let last = try store.values.value(for: "last sync")?.string
  /// ```
  ///
  /// A key is any text; texts that are equal are one key. For code that takes any storage of
  /// values, and for entities by their recipes, there is ``StoreStorage``.
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
        statement.bind(key.precomposedStringWithCanonicalMapping, at: 1)
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
    /// - Throws: ``StoreError``: ``StoreError/badValue(key:reason:)`` if the value is nested too
    ///   deeply to be read again.
    public func set(_ value: JSONValue?, for key: String) throws(StoreError) {
      let text: String? = if let value { try text(of: value, for: key) } else { nil }
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
        statement.bind(key.precomposedStringWithCanonicalMapping, at: 1)
        if let text { statement.bind(text, at: 2) }
        try statement.run()
      }
    }

    /// Takes the value of a key out; false if there is none.
    ///
    /// - Throws: ``StoreError``.
    @discardableResult
    public func removeValue(for key: String) throws(StoreError) -> Bool {
      try store.writing { database in
        guard try database.tableExists("ecs_value") else { return false }
        let statement = RowStatement(
          try database.makeStatement(sql: "DELETE FROM ecs_value WHERE key = ?"))
        statement.bind(key.precomposedStringWithCanonicalMapping, at: 1)
        try statement.run()
        return database.changesCount > 0
      }
    }

    /// The keys that have values, in ascending order.
    ///
    /// - Throws: ``StoreError``.
    public func keys() throws(StoreError) -> [String] {
      try store.reading { database in
        guard try database.tableExists("ecs_value") else { return [] }
        let statement = RowStatement(try database.makeStatement(sql: "SELECT key FROM ecs_value"))
        var keys: [String] = []
        while try statement.step() {
          if let key = statement.text(at: 0) { keys.append(key) }
        }
        return keys.sorted()
      }
    }

    private func text(of value: JSONValue, for key: String) throws(StoreError) -> String {
      do throws(JSONSyntaxError) {
        return try value.textToKeep()
      } catch {
        throw .badValue(key: key, reason: "it could not be read again: \(error)")
      }
    }
  }
#endif
