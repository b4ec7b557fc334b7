extension Context {
  /// Counts that show how a context is used.
  public struct Statistics: Hashable, Sendable {
    /// The number of living entities.
    public var entities: Int

    /// The number of combinations of component types that storage keeps a table for, including
    /// those that no entity has at present.
    public var tables: Int

    /// The number of groups.
    public var groups: Int

    /// The number of indexes.
    public var indexes: Int

    /// The number of collectors.
    public var collectors: Int

    /// The number of entities that wait in collectors to be drained, summed over all collectors.
    public var backlog: Int

    /// The collector that holds the most entities, the oldest in a tie; nil if all are empty.
    public var largestBacklog: Backlog?

    /// The number of live views at work.
    public var views: Int

    /// The number of active observations of any kind: of single changes and of sources as a whole,
    /// of the context and of runaways.
    public var observers: Int

    /// How often observers that kept causing changes for each other were stopped; see
    /// ``Context/maximumObserverRounds``.
    public var runaways: Int

    /// How many changes, commits and observations asynchronous sequences have dropped: those for
    /// which there was no room, and those that waited when a task was cancelled or a sequence was
    /// released.
    ///
    /// Each sequence counts its own, as ``CommitSequence/droppedCount``.
    public var droppedElements: Int

    /// The number of writes to entities that were dead by then.
    ///
    /// Writes to entities of a context that is gone are not counted.
    public var staleWrites: Int
  }

  /// Counts that show how the context is used.
  ///
  /// - Complexity: O(*g* + *l*), where *g* is the number of groups, and *l* the number of
  ///   collectors and live views.
  public var statistics: Statistics {
    core.readingSection {
      Statistics(
        entities: core.liveCount,
        tables: core.tableCount,
        groups: state.groups.count,
        indexes: core.indexCount,
        collectors: core.collectorCount,
        backlog: core.backlog,
        largestBacklog: core.largestBacklog,
        views: state.viewCount,
        observers: state.notifier.observerCount,
        runaways: state.notifier.runawayCount,
        droppedElements: core.lostElements,
        staleWrites: core.staleWrites)
    }
  }
}
