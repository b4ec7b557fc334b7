#if SQLite
  public import Dispatch
  public import ECS
  import ECSRecipes
  import Foundation
  import GRDB
  import Synchronization

  /// A context that is attached to a store.
  ///
  /// ```swift
  /// let session = try store.session(on: context)   // what is in the file is in the context
  /// context.createEntity(with: Book(isbn: "1", title: "Flatland"))
  /// try session.save()                             // and what is in the context is in the file
  /// ```
  ///
  /// The context is where data lives: everything of the core works on it, from any thread, and the
  /// session notices changes by itself. What is saved is what the context had at one moment between
  /// two changes, in one transaction.
  ///
  /// A store may have several sessions, each with a context of its own: one for what is shown,
  /// others for drafts and imports. Each row is one entity in each. What one has saved comes into
  /// the others, field by field: see ``Merging`` and ``MergePolicy``.
  ///
  /// Nothing of this may be called in a section of the context, apart from ``hasChanges``: a
  /// session waits for the disk and for other sessions, while a section keeps all other threads
  /// waiting. It stops with a message.
  ///
  /// One thread at a time uses the sessions of a store. Observers of what a session merges, loads,
  /// takes back or evicts, and of keys that the database has given out, are called in that time,
  /// those without the context's lock as well: they may use sessions and the store, and must not
  /// wait for another thread that does.
  public final class StoreSession: Sendable {
    /// When what others save comes into the context.
    public enum Merging: Sendable {
      /// At once, in the thread that saved, or that has found what other processes have: observers
      /// are called there, and must not wait for a thread that uses a session of the store, such as
      /// by `DispatchQueue.main.sync`.
      case automatic

      /// On a queue, such as the main one.
      case on(DispatchQueue)

      /// By ``StoreSession/refresh()``, ``StoreSession/save()`` and what asks the file for rows of
      /// tables on request.
      ///
      /// What others save is kept until then, rows and all.
      case manual
    }

    /// The store.
    public let store: Store

    /// The context.
    public let context: Context

    /// When what others save comes into the context.
    public let merging: Merging

    /// What happens to fields that were changed on both sides.
    public let policy: MergePolicy

    /// What was loaded, with the rows and links that could not be.
    public var loaded: LoadReport { state.loaded }

    private let state: SessionState
    let unreadable: Store.UnreadableRows

    /// Gathers what may have to be saved.
    ///
    /// It is drained while hub and context are locked, and what is drained is copied before the
    /// context is free, or put back: so what has changed is here, or in a save that keeps the hub.
    let collector: Collector

    /// Tells mappers of the context by which keys the tables keep entities.
    private let mapper: Mapper

    /// Tells loops that there is something to save; nil as long as there are none.
    private let bell = Mutex<Collector?>(nil)

    var tables: [SessionTable] { state.tables }
    var links: [SessionLink] { state.links }

    /// What others have saved since the last merge.
    var inbox: [SavedChanges] {
      get { state.inbox }
      set { state.inbox = newValue }
    }

    /// Rows of others whose keys entities have that were made here, by the numbers of tables.
    var contested: [Int: [RowKey]] {
      get { state.contested }
      set { state.contested = newValue }
    }

    /// The indexes of keys that repositories share, by their tables.
    private let indexes = Mutex<[String: any Sendable]>([:])

    private let queue = DispatchQueue(label: "ECSStore.StoreSession")
    private static let queueKey = DispatchSpecificKey<ObjectIdentifier>()

    init(
      _ store: Store, on context: Context, merging: Merging, policy: MergePolicy,
      unreadable: Store.UnreadableRows
    ) throws(StoreError) {
      (self.store, self.context, self.merging) = (store, context, merging)
      (self.policy, self.unreadable) = (policy, unreadable)
      let plan = store.schema.plan
      var links: [SessionLink] = []
      for link in plan.links {
        switch link.relation.link.kind {
        case .targets(let relation): links.append(SessionLink(link, relation, isFromOwner: true))
        case .sources(let relation): links.append(SessionLink(link, relation, isFromOwner: false))
        case .field, .custom:
          throw .schemaMismatch(
            table: plan.tables[link.owner].name,
            detail:
              "\(link.relation.path) leads through \(link.relation.link.name), of which a session hears nothing: use a relation"
          )
        }
      }
      for (index, link) in links.enumerated() {
        link.isShared = links.enumerated().contains { other in
          other.offset != index && other.element.source == link.source
            && other.element.relation.id == link.relation.id
        }
      }
      state = SessionState(plan.tables.map(SessionTable.init), links)
      let kept = Set(plan.tables.flatMap { $0.components.map(\.layout.cid) })
      require(
        !kept.isEmpty, "A session was asked of a store without tables: list some in its schema.")
      collector = StoreSession.makeCollector(context.group(Matcher(any: kept)), links)
      mapper = Mapper(context)
      for table in plan.tables { table.keptKey.map(mapper.note) }
      queue.setSpecific(key: StoreSession.queueKey, value: ObjectIdentifier(queue))
    }

    private static func makeCollector(
      _ group: Group, _ links: [SessionLink], limit: Int? = nil
    ) -> Collector {
      let collector = Collector(group: group, type: .addedUpdatedOrRemoved, limit: limit)
      for link in links { link.relation.collect(collector) }
      return collector
    }

    // MARK: Changes

    /// What wakes loops that save: the same one for all of them.
    func makeBell() -> Collector {
      // Not under the lock, since it waits for the context.
      let made = StoreSession.makeCollector(collector.group, links, limit: 1024)
      let bell = bell.withLock { bell -> Collector in
        bell = bell ?? made
        return bell ?? made
      }
      context.perform {
        bell.collect(touched())
      }
      return bell
    }

    /// Runs a body whose changes are not to be saved, since the file has them: nothing that it has
    /// not comes along with them, as a required component.
    func ignoring<Result, Failure: Error>(
      _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
      try context.ignoringRequirements { () throws(Failure) in
        guard let bell = bell.withLock({ $0 }) else { return try collector.ignoring(body) }
        return try bell.ignoring { () throws(Failure) in try collector.ignoring(body) }
      }
    }

    /// Lets entities be saved that were not changed.
    func collect(_ entities: [Entity]) {
      if entities.isEmpty { return }
      collector.collect(EntitySet(entities))
      bell.withLock { $0 }?.collect(EntitySet(entities))
    }

    /// What there is to save, which stays to be saved; the context is locked.
    func touched() -> EntitySet {
      let touched = collector.drain()
      collector.restore(touched)
      return touched
    }

    /// Whether there may be something to save: true also if values were set to what they were.
    ///
    /// - Complexity: O(1).
    public var hasChanges: Bool { !collector.isEmpty }

    func note(_ report: LoadReport) { state.loaded = report }

    /// Stops in a section of the context, and of those of other sessions, into which what is saved
    /// may come.
    func checkIsFree(_ caller: StaticString) {
      context.checkIsFree(caller)
      store.hub.checkIsFree(caller)
    }

    // MARK: Working one after the other

    /// Runs a body later on the session's own queue, where bodies run one after the other.
    ///
    /// For work in the background with a session of its own. Contexts and sessions may be used from
    /// any thread: this is for what must not be interleaved.
    ///
    /// - Returns: What the body returns.
    /// - Throws: What the body throws.
    public func perform<Result: Sendable>(
      _ body: @escaping @Sendable (StoreSession) throws -> Result
    ) async throws -> Result {
      try await withCheckedThrowingContinuation { continuation in
        queue.async { continuation.resume(with: Swift.Result { try body(self) }) }
      }
    }

    /// Runs a body on the session's queue and waits; at once if called on it.
    ///
    /// - Precondition: Not called in a section of the context.
    /// - Returns: What the body returns.
    /// - Throws: What the body throws.
    public func performAndWait<Result>(_ body: (StoreSession) throws -> Result) rethrows -> Result {
      if DispatchQueue.getSpecific(key: StoreSession.queueKey) == ObjectIdentifier(queue) {
        return try body(self)
      }
      checkIsFree("performAndWait(_:)")
      return try queue.sync { try body(self) }
    }

    /// Finds, makes and deletes the entities of a table.
    ///
    /// - Precondition: The table is one of those that the store's schema was made of.
    /// - Complexity: O(1); O(*n*) the first time for a table, where *n* is the number of its
    ///   entities.
    public func repository<Root: Component, Key>(
      _ table: Table<Root, Key>
    ) -> Repository<Root, Key> {
      if let known = indexes.withLock({ $0[table.name] }) as? KeyIndex<Key> {
        return Repository(table, in: context, of: store.schema, known, self)
      }
      // Not under the lock, since it waits for the context.
      let index = table.keys?.makeIndex(context)
      let repository = Repository(table, in: context, of: store.schema, index, self)
      if let index = repository.index { indexes.withLock { $0[table.name] = index } }
      return repository
    }

    /// Destroys the entities of all tables.
    ///
    /// The rows go with the next save.
    public func deleteAll() {
      context.perform {
        for table in tables {
          for entity in context.group(Matcher(all: [table.plan.root])) { entity.destroy() }
        }
      }
    }
  }

  extension SessionHub {
    /// Stops in a section of a context of the sessions.
    func checkIsFree(_ caller: StaticString) {
      for session in sessions { session.context.checkIsFree(caller) }
    }
  }

  extension Context {
    fileprivate func checkIsFree(_ caller: StaticString) {
      require(
        !isInSection,
        "\(caller) was called in a section, an iteration or an observer of \(name), where it would keep everybody waiting for the disk, or for ever: call it when the section has ended."
      )
    }
  }

  /// The state of a session: what is known of the file.
  // Guarded by the lock of the hub; what was loaded never changes once others have the session.
  final class SessionState: @unchecked Sendable {
    let tables: [SessionTable]
    let links: [SessionLink]
    var inbox: [SavedChanges] = []

    /// Rows that wait for their keys to be free here, by the numbers of tables.
    var contested: [Int: [RowKey]] = [:]
    var loaded = LoadReport()

    init(_ tables: [SessionTable], _ links: [SessionLink]) {
      (self.tables, self.links) = (tables, links)
    }
  }
#endif
