#if SQLite
  import Foundation
  import GRDB

  /// The sessions of a store, and the lock that is taken first by all that they do.
  ///
  /// Locks are taken in the order hub, turn of other processes, writer of the database, context. So
  /// nothing that takes the hub's may be called in a section of a context.
  // Guarded by its own lock.
  final class SessionHub: @unchecked Sendable {
    private struct Member {
      weak var session: StoreSession?
    }

    // Recursive: observers that are called without the context's lock may save again.
    private let lock = NSRecursiveLock()

    // Guarded by a lock of its own, under which nothing else is taken, since they are asked for
    // before the other.
    private var members: [Member] = []
    private let memberLock = NSLock()

    /// The file as sessions last saw it; before there are any, as it was when it was opened.
    var seen: FileState?

    /// Whether the file says itself what has changed, for other processes.
    var isShared = false

    /// As long as it does not: when it was last looked at, what SQLite counts up when another
    /// connection has written.
    var versionWithoutLog: Int?

    /// The lock of the process that saves; nil if there are no others.
    var fileLock: FileLock?

    /// What SQL has written through the store, and sessions have not read yet.
    var stale = FileScope()

    /// What the database does by itself; nil if that has to be read.
    var rules: FileRules?

    /// Rows that were written by others and can't be read, by their tables.
    var unreadable: [Int: [UnreadableRow]] = [:]

    /// Whether other processes are kept from saving.
    var hasFileLock = false

    /// Whether the database is being written.
    var isWriting = false

    /// Sessions with something new in their inboxes since others have been let merge.
    private var told: [StoreSession] = []

    /// Looks for what other processes write.
    var watch: FileWatch?

    func locked<Result, Failure: Error>(
      _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
      lock.lock()
      defer { lock.unlock() }
      return try body()
    }

    /// Like ``locked(_:)``; afterwards, sessions merge that do so by themselves and have something
    /// new in their inboxes.
    ///
    /// Also if the body throws: what came before is in their inboxes.
    func working<Result, Failure: Error>(
      _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
      defer { for session in takeTold() { session.mergeWhenWanted() } }
      return try locked(body)
    }

    /// Hands a session what others have saved.
    ///
    /// The hub is locked.
    func tell(_ session: StoreSession, _ saved: SavedChanges) {
      session.inbox.append(saved)
      if case .manual = session.merging { return }
      if !told.contains(where: { $0 === session }) { told.append(session) }
    }

    private func takeTold() -> [StoreSession] {
      locked {
        defer { told = [] }
        return told.filter { !$0.inbox.isEmpty }
      }
    }

    func add(_ session: StoreSession) {
      memberLock.withLock {
        members.removeAll { $0.session == nil }
        members.append(Member(session: session))
      }
    }

    func remove(_ session: StoreSession) {
      memberLock.withLock { members.removeAll { $0.session === session || $0.session == nil } }
    }

    func others(than session: StoreSession) -> [StoreSession] {
      sessions.filter { $0 !== session }
    }

    // MARK: What waits for the database

    // Guarded by a lock of its own, under which nothing else is taken: it is locked inside of
    // transactions.
    private var calls: [@Sendable () -> Void] = []
    private let callLock = NSLock()

    /// Does something when the transaction has ended that the thread is in.
    ///
    /// For what waits for a context: a thread that has that may wait for the database.
    func afterTransaction(_ call: @escaping @Sendable () -> Void) {
      callLock.withLock { calls.append(call) }
    }

    /// Does what waits for the end of a transaction.
    func endTransaction() {
      let calls = callLock.withLock {
        defer { self.calls = [] }
        return self.calls
      }
      for call in calls { call() }
    }

    // MARK: Changes of other processes

    // Guarded by the lock of the members.
    private var watchers: [Int: (columns: DatabaseRegion, call: @Sendable () -> Void)] = [:]
    private var lastWatcher = 0

    /// Calls a closure when columns may have been changed by others than the store; until
    /// ``endWatch(_:)``.
    func watchFile(
      for columns: DatabaseRegion, _ call: @escaping @Sendable () -> Void
    ) -> Int {
      memberLock.withLock {
        lastWatcher += 1
        watchers[lastWatcher] = (columns, call)
        return lastWatcher
      }
    }

    func endWatch(_ index: Int) { memberLock.withLock { watchers[index] = nil } }

    /// Tells of changes in tables; no transaction is open.
    func noteForeignChanges(in tables: [String]) {
      let calls = memberLock.withLock {
        watchers.values.filter { watcher in
          tables.contains { watcher.columns.isModified(byEventsOfKind: .delete(tableName: $0)) }
        }.map(\.call)
      }
      for call in calls { call() }
    }

    var sessions: [StoreSession] { memberLock.withLock { members.compactMap(\.session) } }
  }

  /// The marks by which writes of other processes to a file are noticed.
  struct FileState: Hashable {
    /// What SQLite counts up when another connection has written.
    var version: Int

    /// The number of the last change that the file's own log has; nil if it has none.
    var stamp: Int64?

    /// How often connections have committed.
    ///
    /// What is in the log is one commit each; further ones are of programs that keep no log. If it
    /// is not known, there may have been some.
    var commitCount: CommitCount

    /// In a transaction that has not read yet, or one that writes.
    init(_ database: Database, hasLog: Bool) throws {
      let before = hasLog ? database.commitCount : .unknown
      version = try FileState.version(database)
      stamp = hasLog ? try ChangeLog.lastStamp(database) : nil
      commitCount = hasLog ? database.commitCount : .unknown
      if commitCount != before { commitCount = .changing }
    }

    /// The state after the transaction that writes now, which has noted a change.
    mutating func noteCommit(_ stamp: Int64, _ database: Database) {
      self.stamp = stamp
      commitCount = database.commitCount.next
    }

    /// Whether all commits since another state are in the log.
    func isLogged(since seen: FileState) -> Bool {
      guard let stamp, let first = seen.stamp,
        let count = commitCount.distance(since: seen.commitCount)
      else { return false }
      return Int64(count) == stamp - first
    }

    static func version(_ database: Database) throws -> Int {
      try Int.fetchOne(database.cachedStatement(sql: "PRAGMA data_version")) ?? 0
    }
  }
#endif
