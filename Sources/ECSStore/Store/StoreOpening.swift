#if SQLite
  import Foundation
  import GRDB

  /// Opens a database, and brings it up to a schema.
  struct StoreOpening {
    let file: StoreFile
    let schema: Schema

    /// The connections.
    ///
    /// With them comes what an adopted file lacks and need not have.
    func open() throws(StoreError) -> (writer: any DatabaseWriter, missing: [StoreError]) {
      // Before SQLite has a look at it.
      if case .file(let url) = file.location { try FileHeader.checkLength(url.path) }
      do {
        try prepareFirst()
        let writer = try makeWriter()
        do {
          return (writer, try prepare(writer))
        } catch {
          (writer as? DatabasePool)?.invalidateReadOnlyConnections()
          try? writer.close()
          throw error
        }
      } catch {
        throw explained(StoreError(error, in: file))
      }
    }

    /// Says more about a damaged file.
    private func explained(_ error: StoreError) -> StoreError {
      guard case .corrupt(let path, let detail) = error else { return error }
      var configuration = Configuration()
      configuration.readonly = true
      let lines = try? DatabaseQueue(path: path, configuration: configuration).read {
        try String.fetchAll($0, sql: "PRAGMA quick_check(5)")
      }
      return .corrupt(path: path, detail: ([detail] + (lines ?? [])).joined(separator: "; "))
    }

    private func makeWriter() throws -> any DatabaseWriter {
      guard case .file(let url) = file.location else {
        return try DatabaseQueue(named: nil, configuration: file.configuration)
      }
      let attributes = try? FileManager.default.attributesOfItem(atPath: url.path)
      if attributes?[.type] as? FileAttributeType == .typeDirectory {
        throw StoreError.cannotOpen(path: url.path, reason: "it is a folder")
      }
      if FileManager.default.fileExists(atPath: url.path) {
        // What is only read stays as it is.
        if !file.options.isReadOnly { try inspect() }
      } else if file.options.isReadOnly || schema.evolution == .adopting {
        throw StoreError.cannotOpen(path: url.path, reason: "there is no file")
      } else {
        let folder = url.deletingLastPathComponent().path
        guard FileManager.default.fileExists(atPath: folder) else {
          throw StoreError.cannotOpen(
            path: url.path, reason: "there is no folder \(folder): make it before")
        }
      }
      return try file.waiting {
        // A pool changes the file: it needs a write-ahead log, and one in which there is something.
        if schema.evolution == .adopting {
          return try DatabaseQueue(path: url.path, configuration: file.configuration)
        }
        return try DatabasePool(path: url.path, configuration: file.configuration)
      }
    }

    /// Brings a file up to the schema in the journal mode that it has, before a pool gives it
    /// another one, or begins a log: if it is refused, it is as it was.
    private func prepareFirst() throws {
      guard case .file(let url) = file.location, !file.options.isReadOnly,
        schema.evolution != .adopting, let header = FileHeader(url.path),
        !header.isInWriteAheadLogMode || hasMigrations(after: header.version)
      else { return }
      try inspect()
      let queue = try file.waiting {
        try DatabaseQueue(path: url.path, configuration: file.configuration)
      }
      do {
        _ = try prepare(queue)
      } catch {
        try? queue.close()
        throw error
      }
      try queue.close()
    }

    /// Looks at a file without changing a byte of it, so that one that is refused stays as it is.
    private func inspect() throws {
      var configuration = file.configuration
      configuration.readonly = !tidiesUp
      do {
        try file.waiting {
          try DatabaseQueue(path: file.path, configuration: configuration).read { database in
            if schema.evolution == .adopting {
              _ = try adopt(database)
              return
            }
            try check(database.version)
            if try database.isFresh || hasMigrations(after: database.version) { return }
            var update = SchemaUpdate(
              database, schema.plan, missing: schema.evolution == .automatic ? .leave : .refuse)
            try update.run()
          }
        }
      } catch let error as DatabaseError
        where error.resultCode == .SQLITE_READONLY || error.resultCode == .SQLITE_CANTOPEN
      {
        // What a killed process has left has to be tidied up first, which takes writing.
      }
    }

    /// Whether reading the file takes a log that is not there yet, and that only a connection which
    /// may write removes again.
    private var tidiesUp: Bool {
      FileHeader(file.path)?.isInWriteAheadLogMode == true
        && !["-wal", "-shm", "-journal"].contains {
          FileManager.default.fileExists(atPath: file.path + $0)
        }
    }

    /// Whether there are steps from a version on.
    private func hasMigrations(after version: Int) -> Bool {
      schema.migrations.contains { $0.version > version }
    }

    private func check(_ version: Int) throws {
      if version > schema.version {
        throw StoreError.newerSchema(found: version, supported: schema.version)
      }
    }

    // MARK: Bringing it up to the schema

    private func prepare(_ writer: any DatabaseWriter) throws -> [StoreError] {
      if file.options.durability == .power, !file.options.isReadOnly {
        try writer.writeWithoutTransaction { database in
          try database.execute(sql: "PRAGMA synchronous = FULL; PRAGMA fullfsync = 1")
        }
      }
      if schema.evolution == .adopting { return try writer.read { try adopt($0) } }
      if file.options.isReadOnly {
        return try writer.read { database in
          let version = try database.version
          try check(version)
          // Version 0 is that of files which no schema has made.
          if version == 0 ? hasMigrations(after: 0) : version < schema.version {
            throw StoreError.readOnly
          }
          return try adopt(database)
        }
      }
      let migrated = try writer.writeWithoutTransaction { database in
        // Tables that are made anew must not take those with them that refer to them.
        try database.execute(sql: "PRAGMA foreign_keys = OFF")
        defer { try? database.execute(sql: "PRAGMA foreign_keys = ON") }
        return try bringUp(database)
      }
      removeCopy()
      if let migrated { schema.didMigrate?(migrated, schema.version) }
      return []
    }

    /// Checks that a file can be used as it is; returns what it lacks and need not have.
    private func adopt(_ database: Database) throws -> [StoreError] {
      var update = SchemaUpdate(database, schema.plan, missing: .tell)
      try update.run()
      let version = try database.version
      if version == schema.version { return update.told }
      return update.told + [
        .schemaMismatch(
          table: "", detail: "the file has version \(version), not \(schema.version)")
      ]
    }

    /// Migrates and completes the tables, in one transaction; returns the version that steps began
    /// with.
    ///
    /// Of several that open an old file at once, one gets here first: the others find it done.
    private func bringUp(_ database: Database) throws -> Int? {
      var migrated: Int?
      do {
        try database.inTransaction(.immediate) {
          let version = try database.version
          try check(version)
          let isFresh = try database.isFresh
          if !isFresh, hasMigrations(after: version) {
            migrated = version
            do {
              try schema.willMigrate?(version, schema.version)
            } catch {
              throw StoreError.migrationFailed(version: schema.version, reason: "\(error)")
            }
            try makeCopy()
            try runMigrations(database, from: version)
          } else {
            removeCopy()
          }
          let adds = isFresh || schema.evolution == .automatic
          var update = SchemaUpdate(database, schema.plan, missing: adds ? .add : .refuse)
          try update.run()
          if case (.file, .processes) = (file.location, file.options.sharing) {
            try ChangeLog.create(database)
          }
          // Others have to read all again.
          if migrated != nil, try ChangeLog.exists(database) {
            _ = try ChangeLog.note(nil, database)
          }
          if migrated != nil { try database.checkReferences() }
          if version < schema.version { try database.setVersion(schema.version) }
          return .commit
        }
      } catch {
        if migrated != nil { removeCopy() }
        throw error
      }
      return migrated
    }

    private func runMigrations(_ database: Database, from version: Int) throws {
      for migration in schema.migrations where migration.version > version {
        do {
          try migration.body(SchemaEditor(database: database))
        } catch {
          throw failure(error, of: migration.version)
        }
        guard database.isInsideTransaction else {
          throw StoreError.migrationFailed(
            version: migration.version, reason: "it ended the transaction that it runs in")
        }
      }
    }

    /// What is not the migration's fault is reported as what it is.
    private func failure(_ error: any Error, of version: Int) -> StoreError {
      let known = StoreError(error, in: file)
      switch known {
      case .full, .locked, .readOnly, .disk, .corrupt, .fileGone: return known
      default:
        return .migrationFailed(
          version: version, reason: (error as? DatabaseError)?.message ?? "\(error)")
      }
    }

    // MARK: The copy

    /// Copies what was last saved, while no other connection can write.
    private func makeCopy() throws {
      guard case .file = file.location, file.options.backsUpBeforeMigration else { return }
      removeCopy()
      var configuration = Configuration()
      configuration.readonly = true
      let copy = try DatabaseQueue(path: file.copy)
      try DatabaseQueue(path: file.path, configuration: configuration).backup(to: copy)
      try copy.close()
    }

    private func removeCopy() {
      guard case .file = file.location else { return }
      StoreFile.removeCompanions(of: file.copy)
      try? FileManager.default.removeItem(atPath: file.copy)
    }
  }

  extension Database {
    /// The version of the schema, in the header of the file.
    var version: Int {
      get throws { try Int.fetchOne(self, sql: "PRAGMA user_version") ?? 0 }
    }

    func setVersion(_ version: Int) throws { try execute(sql: "PRAGMA user_version = \(version)") }

    /// Whether there are no tables yet, as in a new file and in an empty one.
    fileprivate var isFresh: Bool {
      get throws {
        try version == 0
          && Int.fetchOne(
            self,
            sql: "SELECT count(*) FROM sqlite_master WHERE name NOT LIKE 'sqlite\\_%' ESCAPE '\\'")
            == 0
      }
    }

    /// Throws if a row refers to one that is not there.
    fileprivate func checkReferences() throws {
      guard let row = try Row.fetchOne(self, sql: "PRAGMA foreign_key_check") else { return }
      let (table, parent): (String, String) = (row["table"], row["parent"])
      throw StoreError.schemaMismatch(
        table: table, detail: "a row refers to one of table \(parent) that is not there")
    }
  }
#endif
