#if SQLite
  import GRDB

  /// The rules that a database follows by itself when rows are written: triggers, actions of
  /// foreign keys, and how it settles conflicts.
  struct FileRules: Sendable {
    enum Action: String {
      case none = "NO ACTION"
      case restrict = "RESTRICT"
      case null = "SET NULL"
      case standard = "SET DEFAULT"
      case cascade = "CASCADE"

      var writes: Bool { self != .none && self != .restrict }
    }

    // Names are in lower case.
    struct ForeignKey {
      var child: String
      var parent: String
      var columns: Set<String> = []
      var onDelete: Action
      var onUpdate: Action
    }

    private struct Trigger {
      var table: String
      var text: String
    }

    /// Whether a table never gives out a key twice.
    private(set) var hasSequences = false

    /// What SQLite counts up with each change of the schema.
    let version: Int
    private(set) var foreignKeys: [ForeignKey] = []
    private var triggers: [Trigger] = []
    private var tables: [String] = []

    /// Tables whose constraints say how conflicts are settled.
    private var settling: Set<String> = []

    static func version(_ database: Database) throws -> Int {
      try Int.fetchOne(database.cachedStatement(sql: "PRAGMA schema_version")) ?? 0
    }

    init(_ database: Database) throws {
      version = try FileRules.version(database)
      let rows = try Row.fetchCursor(
        database, sql: "SELECT type, lower(name), lower(tbl_name), lower(sql) FROM sqlite_master")
      while let row = try rows.next() {
        let (type, name, table, text): (String, String, String, String?) = (
          row[0], row[1], row[2], row[3]
        )
        switch type {
        case "table":
          tables.append(name)
          if name == "sqlite_sequence" { hasSequences = true }
          if text?.contains("conflict") == true { settling.insert(name) }
        case "trigger": triggers.append(Trigger(table: table, text: text ?? ""))
        default: break
        }
      }
      try readForeignKeys(database)
    }

    private mutating func readForeignKeys(_ database: Database) throws {
      let rows = try Row.fetchCursor(
        database,
        sql: """
          SELECT lower(list.name), key.seq, lower(key."table"), lower(key."from"), key.on_delete, key.on_update
          FROM sqlite_master AS list, pragma_foreign_key_list(list.name) AS key
          WHERE list.type = 'table' ORDER BY list.name, key.id, key.seq
          """)
      while let row = try rows.next() {
        if row[1] == 0 {
          foreignKeys.append(
            ForeignKey(
              child: row[0], parent: row[2], onDelete: Action(rawValue: row[4]) ?? .none,
              onUpdate: Action(rawValue: row[5]) ?? .none))
        }
        foreignKeys[foreignKeys.count - 1].columns.insert(row[3])
      }
    }

    // MARK: What follows

    func hasTriggers(_ table: String) -> Bool {
      triggers.contains { $0.table == table.lowercased() }
    }

    func settlesConflicts(_ table: String) -> Bool { settling.contains(table.lowercased()) }

    /// What the database does with a row that refers to a deleted one by some columns.
    func onDelete(_ table: String, _ columns: [String]) -> Action {
      let (table, columns) = (table.lowercased(), Set(columns.map { $0.lowercased() }))
      return foreignKeys.first { $0.child == table && $0.columns == columns }?.onDelete ?? .none
    }

    /// The tables that may be written because some are, by triggers and foreign keys: rather more
    /// than less.
    func reach(from names: some Sequence<String>) -> Set<String> {
      var reached: Set<String> = []
      var sources = Set(names.map { $0.lowercased() })
      for name in sources where settling.contains(name) { reached.insert(name) }
      while true {
        var found = reached
        for key in foreignKeys
        where sources.contains(key.parent) && (key.onDelete.writes || key.onUpdate.writes) {
          found.insert(key.child)
        }
        for trigger in triggers where sources.contains(trigger.table) {
          found.formUnion(tables.filter { isAbout($0, trigger) })
        }
        if found.isSubset(of: sources), found == reached { return reached }
        (reached, sources) = (found, sources.union(found))
      }
    }

    private func isAbout(_ table: String, _ trigger: Trigger) -> Bool {
      // Its text begins with the name of its own table, which counts if it comes again.
      let parts = trigger.text.split(separator: "begin", maxSplits: 1)
      return (parts.count > 1 ? parts[1] : parts[0]).contains(table)
    }

    /// Tables in an order in which those come first that refer to others.
    func childrenFirst(_ names: [String]) -> [Int] {
      let names = names.map { $0.lowercased() }
      var order: [Int] = []
      var visited: Set<Int> = []
      func visit(_ index: Int) {
        guard visited.insert(index).inserted else { return }
        for key in foreignKeys where key.parent == names[index] {
          if let child = names.firstIndex(of: key.child) { visit(child) }
        }
        order.append(index)
      }
      for position in names.indices { visit(position) }
      return order
    }
  }

  extension Store {
    /// What the database does by itself, read again if its schema has changed.
    ///
    /// The hub is locked. On the connection that writes.
    func rules(_ database: Database) throws -> FileRules {
      if let rules = hub.rules { return rules }
      let rules = try FileRules(database)
      hub.rules = rules
      return rules
    }

    /// Looks whether what the database does by itself may have changed.
    func noteSchema(_ database: Database) throws {
      if let rules = hub.rules, try FileRules.version(database) != rules.version { hub.rules = nil }
    }
  }
#endif
