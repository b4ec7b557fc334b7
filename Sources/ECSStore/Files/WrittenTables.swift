#if SQLite
  import GRDB

  /// Notes which tables statements may write, as SQLite tells when it prepares them.
  // Used on the queue of the writer alone.
  final class WrittenTables: TransactionObserver {
    private(set) var names: Set<String> = []

    func observes(eventsOfKind kind: DatabaseEventKind) -> Bool {
      names.insert(kind.tableName)
      return false
    }

    func databaseDidChange(with event: DatabaseEvent) {}
    func databaseDidCommit(_ database: Database) {}
    func databaseDidRollback(_ database: Database) {}
  }
#endif
