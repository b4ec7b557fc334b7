#if SQLite
  import ECSStore
  import Foundation
  import GRDB

  /// A file that another program has made, and writes: plain SQLite.
  final class OtherFile: Sendable {
    private let folder: Folder
    var url: URL { folder.file("other.sqlite") }

    init(_ sql: String) throws {
      folder = try Folder()
      try execute(sql)
    }

    /// Another file that has the same bytes.
    func copy() throws -> OtherFile { try OtherFile(copyOf: self) }

    private init(copyOf other: OtherFile) throws {
      folder = try Folder()
      // What others keep beside the file belongs to it.
      try other.program(enforcing: false) { try $0.execute(sql: "PRAGMA wal_checkpoint") }
      try FileManager.default.copyItem(at: other.url, to: url)
    }

    /// Runs a program of its own beside what has the file open.
    func execute(_ sql: String, enforcing: Bool = false) throws {
      try program(enforcing: enforcing) { database in
        try database.inTransaction {
          try database.execute(sql: sql)
          return .commit
        }
      }
    }

    private func program<Result>(
      enforcing: Bool, _ body: (Database) throws -> Result
    ) throws -> Result {
      var configuration = Configuration()
      configuration.foreignKeysEnabled = enforcing
      configuration.busyMode = .timeout(5)
      let queue = try DatabaseQueue(path: url.path, configuration: configuration)
      let result = try queue.writeWithoutTransaction(body)
      try queue.close()
      return result
    }

    /// All cells of all rows as literals, with their types, by tables in the order of their rows.
    func cells(apartFrom others: Set<String> = []) throws -> [String] {
      try program(enforcing: false) { database in
        let tables = try String.fetchAll(
          database,
          sql: "SELECT name FROM sqlite_master WHERE type = 'table' AND name <> 'sqlite_stat1'")
        return try tables.sorted().filter { !others.contains($0) }.flatMap { table in
          try rows("SELECT * FROM \"\(table)\"", database).sorted().map { "\(table): \($0)" }
        }
      }
    }

    /// The rows of a query as literals.
    func rows(_ sql: String) throws -> [String] {
      try program(enforcing: false) { try rows(sql, $0) }
    }

    private func rows(_ sql: String, _ database: Database) throws -> [String] {
      let columns = try database.makeStatement(sql: sql).columnNames
      let quoted = columns.map { "quote(\"\($0)\")" }.joined(separator: " || ' ' || ")
      return try String.fetchAll(database, sql: "SELECT \(quoted) FROM (\(sql))")
    }
  }
#endif
