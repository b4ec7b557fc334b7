#if SQLite
  import GRDB

  extension Store {
    /// Finds out what the database does by itself, and whether the file says itself what has
    /// changed.
    func beginSharing() throws(StoreError) {
      do {
        try hub.locked {
          try writer.writeWithoutTransaction { database in
            _ = try rules(database)
            guard case .file = file.location else { return }
            try noteSharing(database)
            if hub.seen == nil { hub.seen = try FileState(database, hasLog: isShared) }
          }
        }
      } catch {
        throw StoreError(error, in: file)
      }
    }

    /// Looks whether another process has said meanwhile that there are several: then it holds for
    /// all.
    ///
    /// The hub is locked. On the connection that writes.
    func noteSharing(_ database: Database) throws {
      guard !hub.isShared, case .file = file.location else { return }
      // A process that has not written has said nothing.
      if let version = hub.versionWithoutLog, try FileState.version(database) == version { return }
      let version = try FileState.version(database)
      guard try ChangeLog.exists(database) else {
        hub.versionWithoutLog = version
        return
      }
      if !options.isReadOnly { hub.fileLock = try FileLock(file.turn) }
      hub.isShared = true
    }

    // MARK: Noting changes

    /// Notes a change for other processes, if there may be some; returns its number.
    func log(_ entry: @autoclosure () throws -> String?, _ database: Database) throws -> Int64? {
      isShared ? try ChangeLog.note(try entry(), database) : nil
    }

    /// Whether a program has written that does not use this library: what is noted next must not
    /// hide that.
    ///
    /// In a transaction that writes, before it does.
    func hasForeignChanges(_ database: Database) throws -> Bool {
      try noteSharing(database)
      guard isShared, let seen = hub.seen, let stamp = seen.stamp,
        try FileState.version(database) != seen.version
      else { return false }
      return try ChangeLog.lastStamp(database) == stamp
    }

    /// Notes a change that no session has made; nil stands for any, and so does whatever a program
    /// has written that does not use this library.
    ///
    /// Returns how the file is known when that is in it, if that has changed.
    func logBeside(
      _ entry: @autoclosure () throws -> String?, isForeign: Bool, _ database: Database
    ) throws -> FileState? {
      guard isShared else { return nil }
      let last = try ChangeLog.lastStamp(database)
      let stamp = try ChangeLog.note(isForeign ? nil : try entry(), database)
      var state = try FileState(database, hasLog: true)
      if !hub.sessions.isEmpty {
        // Sessions hear of it otherwise than by what it notes.
        guard let seen = hub.seen, seen.stamp == last else { return nil }
        if !isForeign { state.version = seen.version }
      }
      state.noteCommit(stamp, database)
      return state
    }
  }
#endif
