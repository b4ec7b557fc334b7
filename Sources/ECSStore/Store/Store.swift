#if SQLite
  import DurableFiles
  import ECS
  public import Foundation
  public import GRDB
  import Synchronization

  /// A database that keeps entities.
  ///
  /// ```swift
  /// let store = try Store(at: .file(url), schema: Schema { authors; books })
  /// let books = try store.read { try Int.fetchOne($0, sql: "SELECT COUNT(*) FROM book") }
  /// ```
  ///
  /// One file is one store: open it once in a process, and pass the store on.
  public final class Store: Sendable {
    /// What the file has to have.
    public let schema: Schema

    /// What the file lacks and need not have, if it is used as it is: indexes that the schema
    /// lists, and its version.
    ///
    /// Empty unless the file is only read, or the schema's evolution is
    /// ``Schema/Evolution/adopting``.
    public let missing: [StoreError]

    /// How it is used.
    public var options: Options { file.options }
    let file: StoreFile
    let writer: any DatabaseWriter
    private let identity: FileIdentity?
    private let isOpen = Atomic(true)

    /// Whether the file says itself what has changed, for other processes.
    ///
    /// The hub is locked.
    var isShared: Bool { hub.isShared }

    /// The sessions, and the lock that these take first.
    let hub = SessionHub()

    /// Opens a database, makes it if there is none, and brings it up to the schema: migrations
    /// first, in one transaction, then what is missing.
    ///
    /// - Parameters:
    ///   - location: Where it is. The folder of a file must exist.
    ///   - schema: What it has to have.
    ///   - options: How it is used.
    /// - Throws: ``StoreError``. A file that is refused stays as it was, byte for byte.
    public init(
      at location: Location, schema: Schema, options: Options = Options()
    ) throws(StoreError) {
      self.schema = schema
      file = StoreFile(location: location, options: options)
      (writer, missing) = try StoreOpening(file: file, schema: schema).open()
      identity = FileIdentity(file.path)
      try beginSharing()
    }

    /// The version of the schema that the file has: SQLite's `user_version`.
    public var version: Int { schema.version }

    // MARK: SQL

    /// Reads in SQL, at the state of the last save.
    ///
    /// - Throws: What the body throws; ``StoreError/closed``.
    public func read<Result>(_ body: (Database) throws -> Result) throws -> Result {
      try checkOpen()
      return try writer.read(body)
    }

    /// Writes in SQL, in one transaction.
    ///
    /// If the body throws, nothing is written. Sessions merge the tables that were written, as what
    /// another session has saved: at once, on a queue, or when they refresh or save.
    ///
    /// - Precondition: Not called in a section of a context that has a session of the store. The
    ///   body does not call a session or the store.
    /// - Throws: What the body throws; ``StoreError``.
    /// - Complexity: That of the body; O(*n*) for sessions, where *n* is the number of rows of the
    ///   tables.
    public func write<Result>(_ body: (Database) throws -> Result) throws -> Result {
      hub.checkIsFree("write(_:)")
      let (result, sessions) = try hub.locked {
        let written = WrittenTables()
        let isNoticed = !hub.sessions.isEmpty
        var scope = FileScope()
        var state: FileState?
        let result = try transaction { database in
          let isForeign = try hasForeignChanges(database)
          let earlier = database.totalChangesCount
          if isNoticed || isShared { database.add(transactionObserver: written) }
          defer { database.remove(transactionObserver: written) }
          let result = try body(database)
          try noteSchema(database)
          guard database.totalChangesCount > earlier else { return result }
          let isUnknown = isForeign || written.names.isEmpty
          scope = isUnknown ? .all(schema.plan) : FileScope(written.names, schema.plan)
          state = try logBeside(
            isUnknown ? nil : ChangeLog.entry(written.names), isForeign: isForeign, database)
          return result
        }
        if let state { hub.seen = state }
        guard isNoticed, !scope.isEmpty else { return (result, [StoreSession]()) }
        hub.stale.add(scope)
        return (result, hub.sessions)
      }
      for session in sessions { session.mergeWhenWanted() }
      return result
    }

    /// Writes in one transaction that sessions do not hear of.
    ///
    /// The hub is locked.
    func transaction<Result>(_ body: (Database) throws -> Result) throws -> Result {
      try checkOpen()
      try checkFile()
      checkIsNotWriting()
      var result: Result?
      hub.isWriting = true
      defer {
        hub.isWriting = false
        hub.endTransaction()
      }
      try writer.writeWithoutTransaction { database in
        try database.inTransaction(.immediate) {
          result = try body(database)
          return .commit
        }
      }
      guard let result else { throw StoreError.closed }
      return result
    }

    /// Writes what is no row of a session, with errors of the store alone.
    func writing<Result>(_ body: (Database) throws -> Result) throws(StoreError) -> Result {
      hub.checkIsFree("values.set(_:for:)")
      do {
        return try hub.working {
          var isForeign = false
          var state: FileState?
          let result = try transaction { database in
            isForeign = try hasForeignChanges(database)
            let result = try body(database)
            state = try logBeside("{}", isForeign: isForeign, database)
            return result
          }
          if let state { hub.seen = state }
          if isForeign {
            hub.stale.add(.all(schema.plan))
            // What fails is read again next time.
            _ = try? pull(asksFile: false)
          }
          return result
        }
      } catch {
        throw StoreError(error, in: file)
      }
    }

    /// Like ``read(_:)``, with errors of the store alone.
    func reading<Result>(_ body: (Database) throws -> Result) throws(StoreError) -> Result {
      do { return try read(body) } catch { throw StoreError(error, in: file) }
    }

    // MARK: The file

    /// Writes a copy to another file, while the store is in use.
    ///
    /// The copy is what the last save has written. What was at its place is replaced when the copy
    /// is whole, and on the disk when this returns. It may not be open anywhere.
    ///
    /// - Throws: ``StoreError``, about the copy; ``StoreError/cannotOpen(path:reason:)`` if it is
    ///   the file of the store itself.
    public func backup(to copy: URL) throws(StoreError) {
      try checkOpen()
      let part = copy.appendingPathExtension("part")
      let file = StoreFile(location: .file(copy), options: options)
      if let identity, FileIdentity(copy.path) == identity {
        throw .cannotOpen(path: copy.path, reason: "it is the file of the store")
      }
      func remove() {
        StoreFile.removeCompanions(of: part.path)
        try? FileManager.default.removeItem(atPath: part.path)
      }
      remove()
      do {
        let folder = try OpenFolder(copy.deletingLastPathComponent().path)
        let queue = try DatabaseQueue(path: part.path)
        try writer.backup(to: queue)
        try queue.close()
        try bringToDisk(part.path)
        // SQLite would take what a reader has left of the file before for the latest of the new
        // one.
        StoreFile.removeCompanions(of: copy.path)
        guard replaceFile(at: copy.path, with: part.path) else {
          throw StoreError.cannotOpen(path: copy.path, reason: "it can't be replaced")
        }
        try folder.sync()
      } catch let error as FileFailure {
        remove()
        throw .cannotOpen(path: copy.path, reason: error.description)
      } catch {
        remove()
        throw StoreError(error, in: file)
      }
    }

    /// Values by key in the same file, for what is no entity.
    public var values: StoreValues { StoreValues(store: self) }

    /// Saves what sessions have to save, and closes the file.
    ///
    /// Using the store or a session afterwards is ``StoreError/closed``; contexts stay as they are.
    /// A store that is released without this closes its file as well, and saves nothing; nor does
    /// one that only reads.
    ///
    /// - Parameter savesChanges: Whether sessions are saved. If not, what is not saved is not
    ///   written.
    /// - Precondition: Not called in a section of a context that has a session of the store.
    /// - Throws: ``StoreError``; the store then is still open. If a session can't be saved, set
    ///   right what the error names, or ``StoreSession/rollback()`` the session;
    ///   ``StoreError/neverSaved`` if other threads keep changing what is saved.
    public func close(savesChanges: Bool = true) throws(StoreError) {
      hub.checkIsFree("close()")
      try hub.locked { () throws(StoreError) in
        guard isOpen.load(ordering: .acquiring) else { return }
        if savesChanges, !options.isReadOnly { try saveSessions() }
        isOpen.store(false, ordering: .releasing)
        do {
          // The last connection to go has to be one that may tidy up: that takes what is beside the
          // file into it.
          (writer as? DatabasePool)?.invalidateReadOnlyConnections()
          try writer.close()
        } catch {
          isOpen.store(true, ordering: .releasing)
          throw StoreError(error, in: file)
        }
        hub.watch?.cancel()
      }
    }

    /// Saves until no session has anything to save: what one session saves may meet what a policy
    /// makes something else of in another.
    private func saveSessions() throws(StoreError) {
      for _ in 0..<8 {
        let sessions = hub.sessions.filter(\.hasChanges)
        if sessions.isEmpty { return }
        for session in sessions { try session.save() }
      }
      if hub.sessions.contains(where: \.hasChanges) { throw .neverSaved }
    }

    /// Stops in the body of ``write(_:)``.
    ///
    /// The hub is locked.
    func checkIsNotWriting() {
      require(
        !hub.isWriting,
        "A session or its store was used in the body of write(_:), which is in the middle of a transaction: use the connection that the body gets."
      )
    }

    func checkOpen() throws(StoreError) {
      if !isOpen.load(ordering: .acquiring) { throw .closed }
    }

    /// Throws if the file is not the one that was opened: what is written would be lost with it.
    func checkFile() throws(StoreError) {
      guard let identity else { return }
      if FileIdentity(file.path) != identity { throw .fileGone(path: file.path) }
    }
  }
#endif
