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
  /// Its region is what its condition and its order name: components of entities in memory, and
  /// columns of the file. It is a system, which a loop runs when something in the region has
  /// changed: in the context, by other sessions that save, or by SQL that the store writes. What
  /// other processes write is noticed when a session reads it, or the store looks for it: see
  /// ``Store/Options/sharing``. Between passes, the answer stays as it was: entities may have died
  /// since.
  ///
  /// It is for tables on request: what is in memory as a whole has live views of its repository's
  /// group.
  public final class LiveQuery: ReactiveSystem, Sendable {
    /// What may change the answer.
    public let collector: Collector

    /// What the loop calls it.
    public let name: String

    private let fetch: @Sendable () throws(StoreError) -> [Entity]
    private let didChange: @Sendable ([Entity]) -> Void
    private let hub: SessionHub
    private let state = Mutex(State())

    private struct State {
      var answer: [Entity] = []

      /// Of the fetches that have begun, and of that whose answer it is: the lock of the hub puts
      /// them in order.
      var lastNumber = 0
      var number = 0

      /// What the closure was last called with, and whether it is running.
      var told: [Entity] = []
      var isTelling = false
    }

    /// Is collected when something outside of the context has changed.
    private let notice: Entity
    private let observation: AnyDatabaseCancellable
    private let watch: Int

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
      let hub = session.store.hub
      self.hub = hub
      watch = hub.watchFile(for: region.columns) { collector.collect([notice]) }
      observation = DatabaseRegionObservation(tracking: region.columns).start(
        in: session.store.writer, onError: { _ in },
        onChange: { _ in hub.afterTransaction { collector.collect([notice]) } })
      // After all that may change it is watched.
      let first = try fetch()
      state.withLock { ($0.answer, $0.told) = (first, first) }
    }

    deinit {
      observation.cancel()
      hub.endWatch(watch)
      // The last reference may go where nothing may change.
      notice.destroyWhenFree()
    }

    /// What the last fetch returned.
    public var entities: [Entity] { state.withLock { $0.answer } }

    /// Fetches again; the closure is called if the answer is another one.
    ///
    /// - Throws: ``StoreError``.
    public func execute(entities: EntitySet) throws {
      try update()
    }

    /// Fetches again at once, for programs without a loop.
    ///
    /// If several threads do so, the closure gets one answer after the other, the latest one last:
    /// maybe by another of these threads.
    ///
    /// - Returns: Whether the answer is another one.
    /// - Precondition: Not called in a section or an iteration of the context.
    /// - Throws: ``StoreError``.
    @discardableResult
    public func update() throws(StoreError) -> Bool {
      let (new, number) = try hub.locked { () throws(StoreError) in
        let new = try fetch()
        return (
          new,
          state.withLock { state in
            state.lastNumber += 1
            return state.lastNumber
          }
        )
      }
      let isOther = state.withLock { state in
        guard number > state.number else { return false }
        defer { (state.answer, state.number) = (new, number) }
        return state.answer != new
      }
      if isOther { tell() }
      return isOther
    }

    /// Tells the closure until it has the last answer, unless another thread does.
    private func tell() {
      while let answer = state.withLock({ state -> [Entity]? in
        if state.isTelling || state.told == state.answer { return nil }
        (state.isTelling, state.told) = (true, state.answer)
        return state.answer
      }) {
        didChange(answer)
        state.withLock { $0.isTelling = false }
      }
    }
  }

  /// The region that a live query depends on.
  struct LiveRegion {
    var components: Set<CID>
    var links: [SessionLink]

    /// Columns of the file.
    var columns: DatabaseRegion
  }
#endif
