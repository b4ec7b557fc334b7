extension Core {
  /// The iterations that run, and the changes that wait for the end of the outermost one.
  @safe
  @usableFromInline
  struct Iterations: ~Copyable {
    /// Not 0: values that are not trivial may be about to change, by column or one at a time.
    @usableFromInline var exclusiveColumns = 0

    /// The row whose values the closure of the innermost iteration has, and its table.
    @usableFromInline var currentRow = -1
    var currentTable: TablePointer?

    /// Where storages that are lent find components, the latest first.
    // INVARIANT: linked as long as a section lends the storage.
    @usableFromInline var borrowedColumns: UnsafeMutablePointer<CachedColumn>?

    /// The innermost iteration that runs; nil if none does.
    var innermost: RunningIteration.Reference?

    /// What the iterations which run, or have just ended, have kept of the tables that they
    /// visited.
    var kept: [KeptColumns] = []

    /// The changes that wait.
    var deferred: [() -> Void] = []

    /// The values of required components that were seen to come while an iteration ran, for the
    /// change that is being made; the others are made when they are needed.
    var seenRequired: [CID: any Component] = [:]

    /// What will have become of entities when `deferred` is worked off.
    var queued = CommandBuffer()

    init() {}

    /// Forgets iterations that ran.
    mutating func end() {
      innermost = nil
      (kept, deferred) = ([], [])
    }
  }
}
