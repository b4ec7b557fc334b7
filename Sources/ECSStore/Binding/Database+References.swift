#if SQLite
  import GRDB
  import GRDBSQLite

  extension Database {
    /// Whether rows refer to some that are not there, because of what the transaction has changed:
    /// it can't be committed.
    var hasBrokenReferences: Bool {
      guard let connection = unsafe sqliteConnection else { return false }
      var (count, highest): (Int32, Int32) = (0, 0)
      // SAFETY: the connection is open while GRDB lets it be used; the numbers are ours.
      unsafe sqlite3_db_status(connection, SQLITE_DBSTATUS_DEFERRED_FKS, &count, &highest, 0)
      return count != 0
    }
  }
#endif
