#if SQLite
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

    /// How it is used.
    public var options: Options { file.options }
    let file: StoreFile
    let writer: any DatabaseWriter
    private let identity: FileIdentity?
    private let isOpen = Atomic(true)

    /// The sessions, and the lock that these take first.
    let hub = SessionHub()

    /// Opens a database, makes it if there is none, and brings it up to the schema: migrations first, in one
    /// transaction, then what is missing.
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
      writer = try StoreOpening(file: file, schema: schema).open()
      identity = FileIdentity(file.path)
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
    /// If the body throws, nothing is written.
    ///
    /// - Throws: What the body throws; ``StoreError``.
    public func write<Result>(_ body: (Database) throws -> Result) throws -> Result {
      try checkOpen()
      try checkFile()
      var result: Result?
      try writer.writeWithoutTransaction { database in
        try database.inTransaction(.immediate) {
          result = try body(database)
          return .commit
        }
      }
      guard let result else { throw StoreError.closed }
      return result
    }

    /// Like ``write(_:)``, with errors of the store alone.
    func writing<Result>(_ body: (Database) throws -> Result) throws(StoreError) -> Result {
      do { return try write(body) } catch { throw StoreError(error, in: file) }
    }

    /// Like ``read(_:)``, with errors of the store alone.
    func reading<Result>(_ body: (Database) throws -> Result) throws(StoreError) -> Result {
      do { return try read(body) } catch { throw StoreError(error, in: file) }
    }

    // MARK: The file

    /// Writes a copy to another file, while the store is in use.
    ///
    /// The copy is what the last save has written. What was at its place is replaced when the copy is
    /// whole.
    ///
    /// - Throws: ``StoreError``, about the copy.
    public func backup(to copy: URL) throws(StoreError) {
      try checkOpen()
      let part = copy.appendingPathExtension("part")
      let place = StoreFile(location: .file(copy), options: options)
      func remove() {
        for suffix in ["", "-wal", "-shm", "-journal"] {
          try? FileManager.default.removeItem(atPath: part.path + suffix)
        }
      }
      remove()
      do {
        let queue = try DatabaseQueue(path: part.path)
        try writer.backup(to: queue)
        try queue.close()
        guard replaceFile(at: copy.path, with: part.path) else {
          throw StoreError.cannotOpen(path: copy.path, reason: "it can't be replaced")
        }
      } catch {
        remove()
        throw StoreError(error, in: place)
      }
    }

    /// Values by key in the same file, for what is no entity.
    public var values: StoreValues { StoreValues(store: self) }

    /// Closes the file.
    ///
    /// What is not saved is not written. Whoever uses the store afterwards gets ``StoreError/closed``.
    ///
    /// - Throws: ``StoreError``; the store then is still open.
    public func close() throws(StoreError) {
      guard isOpen.exchange(false, ordering: .acquiringAndReleasing) else { return }
      do {
        // The last connection to go has to be one that may tidy up: that takes what is beside the file
        // into it.
        (writer as? DatabasePool)?.invalidateReadOnlyConnections()
        try writer.close()
      } catch {
        isOpen.store(true, ordering: .releasing)
        throw StoreError(error, in: file)
      }
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
