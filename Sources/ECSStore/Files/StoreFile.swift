#if SQLite
  import Foundation
  import GRDB

  /// The location of a database, and the making of its connections.
  struct StoreFile: Sendable {
    let location: Store.Location
    let options: Store.Options

    /// The path; empty in memory.
    var path: String { if case .file(let url) = location { url.path } else { "" } }
    var busyTimeout: Duration { options.busyTimeout }

    /// The copy that is beside the file while it is migrated.
    var copy: String { path + ".before-migration" }

    /// What is locked by the process that saves, if there may be several.
    var turn: String { path + "-turn" }

    /// Removes what SQLite keeps beside a file.
    static func removeCompanions(of path: String) {
      for suffix in ["-wal", "-shm", "-journal"] {
        try? FileManager.default.removeItem(atPath: path + suffix)
      }
    }

    var configuration: Configuration {
      var configuration = Configuration()
      configuration.readonly = options.isReadOnly
      configuration.busyMode = .timeout(busyTimeout / .seconds(1))
      // Foreign keys are checked at the end of each transaction.
      configuration.foreignKeysEnabled = true
      configuration.label = "ECSStore"
      return configuration
    }

    /// Runs an attempt again until it works or the time is over, as long as others keep the file.
    ///
    /// SQLite itself does not wait for everything: not for the switch to its write-ahead log.
    func waiting<Result>(_ attempt: () throws -> Result) throws -> Result {
      let end = ContinuousClock.now + busyTimeout
      while true {
        do {
          return try attempt()
        } catch let error as DatabaseError
          where error.resultCode == .SQLITE_BUSY && ContinuousClock.now < end
        {
          Thread.sleep(forTimeInterval: 0.005)
        }
      }
    }
  }
#endif
