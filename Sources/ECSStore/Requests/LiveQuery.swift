#if SQLite
  public import ECS
  import GRDB
  import Synchronization

  /// A fetch that is done again when its answer may be another one.
  ///
  /// ```swift
  /// let newest = try readings.liveQuery(sortedBy: Sort(\Reading.time, .descending), limit: 50) { list in
  ///   show(list)
  /// }
  /// loop.add(newest)
  /// ```
  ///
  /// Its region is what its condition and its order name: components of entities in memory, and columns of
  /// the file. It is a system, which a loop runs when something in the region has changed: in the context,
  /// by other sessions that save, or by SQL that the store writes. What other processes write is noticed
  /// when a session reads it. Between passes, the answer stays as it was: entities may have died since.
  ///
  /// It is for tables on request: what is in memory as a whole has live views of its repository's group.
  public final class LiveQuery: ReactiveSystem {
    /// What may change the answer.
    public let collector: Collector

    /// What the loop calls it.
    public let name: String

    private let fetch: @Sendable () throws(StoreError) -> [Entity]
    private let didChange: @Sendable ([Entity]) -> Void
    private let answer: Mutex<[Entity]>

    /// Is collected when something outside of the context has changed.
    private let notice: Entity
    private let observation: AnyDatabaseCancellable

    init(
      _ name: String, _ session: StoreSession, _ region: LiveRegion,
      didChange: @escaping @Sendable ([Entity]) -> Void,
      fetch: @escaping @Sendable () throws(StoreError) -> [Entity]
    ) throws(StoreError) {
      (self.name, self.fetch, self.didChange) = (name, fetch, didChange)
      let context = session.context
      collector = context.collector(
        for: Matcher(any: region.components), type: .addedUpdatedOrRemoved)
      for link in region.links { link.relation.collect(collector) }
      let (collector, notice) = (collector, context.createEntity())
      self.notice = notice
      answer = Mutex([])
      let hub = session.store.hub
      observation = DatabaseRegionObservation(tracking: region.columns).start(
        in: session.store.writer, onError: { _ in },
        onChange: { _ in hub.afterTransaction { collector.collect([notice]) } })
      // After all that may change it is watched.
      let first = try fetch()
      answer.withLock { $0 = first }
    }

    deinit {
      observation.cancel()
      notice.destroy()
    }

    /// What the last fetch returned.
    public var entities: [Entity] { answer.withLock { $0 } }

    /// Fetches again; the closure is called if the answer is another one.
    ///
    /// - Throws: ``StoreError``.
    public func execute(entities: EntitySet) throws {
      try update()
    }

    /// Fetches again at once, for who has no loop.
    ///
    /// - Returns: Whether the answer is another one.
    /// - Precondition: Not called in a section or an iteration of the context.
    /// - Throws: ``StoreError``.
    @discardableResult
    public func update() throws(StoreError) -> Bool {
      let new = try fetch()
      let isOther = answer.withLock { answer in
        defer { answer = new }
        return answer != new
      }
      if isOther { didChange(new) }
      return isOther
    }
  }

  /// What a live query depends on.
  struct LiveRegion {
    var components: Set<CID>
    var links: [SessionLink]

    /// Columns of the file.
    var columns: DatabaseRegion
  }
#endif
