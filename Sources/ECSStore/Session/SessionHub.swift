#if SQLite
  import Foundation
  import GRDB

  /// The sessions of a store, and the lock that is taken first by all that they do.
  ///
  /// Locks are taken in the order hub, writer of the database, context. So nothing that takes the hub's may be
  /// called in a section of a context.
  // Guarded by its own lock.
  final class SessionHub: @unchecked Sendable {
    private struct Member {
      weak var session: StoreSession?
    }

    // Recursive: observers that are called without the context's lock may save again.
    private let lock = NSRecursiveLock()

    // Guarded by a lock of its own, under which nothing else is taken, since they are asked for before the other.
    private var members: [Member] = []
    private let memberLock = NSLock()

    /// What the writer's connection has changed, and other processes have, as sessions know it.
    private var seen: FileState?

    struct FileState: Hashable {
      var ownChanges: Int
      var version: Int
    }

    func locked<Result, Failure: Error>(
      _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
      lock.lock()
      defer { lock.unlock() }
      return try body()
    }

    func add(_ session: StoreSession) {
      memberLock.withLock {
        members.removeAll { $0.session == nil }
        members.append(Member(session: session))
      }
    }

    func others(than session: StoreSession) -> [StoreSession] {
      sessions.filter { $0 !== session }
    }

    var sessions: [StoreSession] { memberLock.withLock { members.compactMap(\.session) } }

    // MARK: Who else writes

    /// Notes that the file is as sessions know it.
    func noteState(_ database: Database) throws { seen = try FileState(database) }

    /// Notes that a session has written, from one count of changes to another.
    func noteChanges(from earlier: Int, to later: Int) {
      if seen?.ownChanges == earlier { seen?.ownChanges = later }
    }

    /// Whether somebody else has written since then.
    func hasForeignChanges(_ database: Database) throws -> Bool { try seen != FileState(database) }
  }

  extension SessionHub.FileState {
    init(_ database: Database) throws {
      ownChanges = database.totalChangesCount
      version = try Int.fetchOne(database, sql: "PRAGMA data_version") ?? 0
    }
  }
#endif
