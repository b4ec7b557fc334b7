#if SQLite
  import ECSLocalStorage
  import ECSRecipes
  import GRDB

  /// A log of what saves have changed, in the file itself, so that other processes need not read
  /// all of it: a row for each save in the table `ecs_change`, with the keys of rows as JSON.
  ///
  /// ```
  /// {"book": {"rows": ["978-3"], "gone": ["978-0"], "moved": [["old", "new"]]}, "author": null}
  /// ```
  ///
  /// Null says that any row of the table may have changed, and that instead of all that any table
  /// may have. A process that has missed rows that are not there any more compares all.
  enum ChangeLog {
    static let table = "ecs_change"

    /// Of how many keys of a table a save makes a list.
    static let keyLimit = 4096

    /// How many saves, and how many bytes of them, are remembered.
    static let saveLimit = 1024
    static let byteLimit = 4 << 20

    static func create(_ database: Database) throws {
      try database.execute(
        sql: """
          CREATE TABLE IF NOT EXISTS ecs_change (
            stamp INTEGER PRIMARY KEY, size INTEGER NOT NULL DEFAULT 0, changes TEXT) STRICT
          """)
    }

    // Not from GRDB's memory of the schema: another process may have made it just now.
    static func exists(_ database: Database) throws -> Bool {
      try Int.fetchOne(
        database, sql: "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?",
        arguments: [table]) != nil
    }

    /// The number of the last save; 0 if there is none.
    static func lastStamp(_ database: Database) throws -> Int64 {
      try Int64.fetchOne(
        database.cachedStatement(sql: "SELECT max(stamp) FROM ecs_change")) ?? 0
    }

    // MARK: Writing

    /// Notes a change, and forgets old ones; returns its number.
    static func note(_ changes: String?, _ database: Database) throws -> Int64 {
      let statement = RowStatement(
        try database.cachedStatement(
          sql: "INSERT INTO ecs_change (size, changes) VALUES (?, ?)"))
      defer { statement.clear() }
      if let changes {
        statement.bind(Int64(changes.utf8.count), at: 1)
        statement.bind(changes, at: 2)
      } else {
        statement.bind(0 as Int64, at: 1)
        statement.bindNull(at: 2)
      }
      try statement.run()
      let stamp = database.lastInsertedRowID
      if stamp.isMultiple(of: 64) { try forget(database) }
      return stamp
    }

    private static func forget(_ database: Database) throws {
      var (saves, bytes) = (0, 0)
      let rows = try Row.fetchCursor(
        database, sql: "SELECT stamp, size FROM ecs_change ORDER BY stamp DESC")
      var last: Int64?
      while let row = try rows.next() {
        saves += 1
        bytes += row[1]
        // The last one stays, whose number the next one follows.
        if saves > 1, saves > saveLimit || bytes > byteLimit {
          last = row[0]
          break
        }
      }
      guard let last else { return }
      try database.execute(sql: "DELETE FROM ecs_change WHERE stamp <= ?", arguments: [last])
    }

    /// What stands for tables any of whose rows may have changed.
    static func entry(_ names: some Sequence<String>) throws -> String {
      try JSONValue.object(JSONObject(uniqueKeysWithValues: names.sorted().map { ($0, .null) }))
        .textToKeep()
    }

    // MARK: Reading

    /// What has changed since a save; nil if that is not known.
    static func changes(
      after stamp: Int64, _ database: Database, _ plan: SchemaPlan
    ) throws -> FileScope? {
      var (names, keys): (Set<String>, [Int: ChangedKeys]) = ([], [:])
      let rows = try Row.fetchCursor(
        database, sql: "SELECT stamp, changes FROM ecs_change WHERE stamp > ? ORDER BY stamp",
        arguments: [stamp])
      var next = stamp + 1
      while let row = try rows.next() {
        // Rows between have been forgotten, or another program has taken some out.
        guard row[0] == next else { return nil }
        next += 1
        guard let text: String = row[1], let entry = try? JSONValue(json: text).object else {
          return nil
        }
        for change in entry {
          if change.value.isNull {
            names.insert(change.key)
          } else if let number = plan.number(of: change.key) {
            guard
              add(change.value, of: plan.tables[number], to: &keys[number, default: ChangedKeys()])
            else { return nil }
          }
        }
      }
      // The writer has not noted it.
      if next == stamp + 1 { return nil }
      var scope = FileScope(names, plan)
      scope.keys = keys
      return scope
    }

    private static func add(
      _ changes: JSONValue, of table: TablePlan, to keys: inout ChangedKeys
    ) -> Bool {
      func read(_ list: String) -> [RowKey?] {
        (changes[list]?.array ?? []).map { key($0, table) }
      }
      for key in read("gone") {
        guard let key else { return false }
        keys.addGone(key)
      }
      var moves: [(from: RowKey, to: RowKey)] = []
      for move in changes["moved"]?.array ?? [] {
        guard let pair = move.array, pair.count == 2, let from = key(pair[0], table),
          let to = key(pair[1], table)
        else { return false }
        moves.append((from, to))
      }
      keys.addMoves(moves)
      for key in read("rows") {
        guard let key else { return false }
        keys.add(key)
      }
      return true
    }

    private static func key(_ value: JSONValue, _ table: TablePlan) -> RowKey? {
      let kinds =
        table.hasKey ? table.keyColumns.map { table.columns[$0].description.type.kind } : [.integer]
      let parts = kinds.count == 1 ? [value] : value.array ?? []
      guard parts.count == kinds.count else { return nil }
      var values: [RowValue] = []
      for (part, kind) in zip(parts, kinds) {
        guard !part.isNull, let value = try? RowValue(part, as: kind) else { return nil }
        values.append(value)
      }
      return RowKey(values)
    }
  }

  extension SavePlan {
    /// What the save changes, for the log: before it becomes part of the session's known state.
    func logEntry(_ session: StoreSession) throws -> String {
      let lists = zip(session.tables, tables).map { table, plan in
        var lists = ChangedKeyLists()
        for row in plan.deletes { lists.gone.append(table.addresses[row]) }
        for update in plan.updates {
          let former = table.addresses[update.row]
          let address = update.number.flatMap { plan.addresses[$0] } ?? former
          if former == address {
            lists.rows.append(address)
          } else {
            lists.moved.append((former, address))
          }
        }
        lists.rows += plan.inserts.compactMap { plan.addresses[$0] }
        return lists
      }
      var all = lists
      for (index, link) in session.links.enumerated() where link.pairs != nil {
        for change in links[index] {
          if let source = change.newSource { all[link.source].rows.append(source) }
        }
      }
      return try ChangedKeyLists.text(all, session.tables.map(\.plan))
    }
  }

  /// The keys of a table's rows that a save changes.
  private struct ChangedKeyLists {
    var rows: [RowKey] = []
    var gone: [RowKey] = []
    var moved: [(from: RowKey, to: RowKey)] = []
    var count: Int { rows.count + gone.count + moved.count }

    static func text(_ tables: [ChangedKeyLists], _ plans: [TablePlan]) throws -> String {
      var text = "{"
      for (lists, plan) in zip(tables, plans) where lists.count > 0 {
        if text.utf8.count > 1 { text += "," }
        text += try JSONValue.string(plan.name).textToKeep()
        text += ":"
        if lists.count > ChangeLog.keyLimit {
          text += "null"
        } else {
          try lists.append(to: &text)
        }
      }
      return text + "}"
    }

    private func append(to text: inout String) throws {
      var isFirst = true
      func begin(_ name: String) {
        text += isFirst ? "{\"" : "],\""
        text += name
        text += "\":["
        isFirst = false
      }
      for (name, keys) in [("rows", rows), ("gone", gone)] where !keys.isEmpty {
        begin(name)
        for (index, key) in keys.enumerated() {
          if index > 0 { text += "," }
          try key.appendJSON(to: &text)
        }
      }
      if !moved.isEmpty {
        begin("moved")
        for (position, move) in moved.enumerated() {
          text += position > 0 ? ",[" : "["
          try move.from.appendJSON(to: &text)
          text += ","
          try move.to.appendJSON(to: &text)
          text += "]"
        }
      }
      text += "]}"
    }
  }

  extension RowKey {
    /// Numbers as they are, several values as a list, bytes in base64.
    fileprivate func appendJSON(to text: inout String) throws {
      switch self {
      case .integer(let value): text += String(value)
      case .value(let value): text += try value.json().textToKeep()
      case .values(let values):
        for (index, value) in values.enumerated() {
          text += index > 0 ? "," : "["
          text += try value.json().textToKeep()
        }
        text += "]"
      }
    }
  }
#endif
