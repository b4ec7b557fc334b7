extension Core {
  /// What a core is made of.
  @safe
  @usableFromInline
  struct State: ~Copyable {
    // Not the lock: the thread sanitizer takes a mutating access to any field of a core for one to
    // its first, and the lock is read by everyone.
    @usableFromInline var records: UnsafeMutablePointer<Record>

    @usableFromInline let lock = RecursiveLock()

    // INVARIANT: everything but the lock is read and written by its owner only.

    /// How often the lock was taken when code of the user's was called that may change the context; 0 outside of
    /// such code.
    @usableFromInline var userDepth = 0

    /// Counts what makes out of date what somebody remembers for a moment: that columns, edges or tables
    /// move or go, that an observer ends or a journal is observed.
    @usableFromInline var upheavals: UInt64 = 0

    /// Counts when it is forgotten who reacts to changes of tables.
    var unlistings: UInt64 = 0

    /// Where storages that are lent find components, the latest first.
    // INVARIANT: linked as long as a section lends the storage.
    @usableFromInline var findings: UnsafeMutablePointer<ColumnFinding>?

    @usableFromInline var recordCount = 0
    @usableFromInline var recordCapacity = 0

    @usableFromInline var creationOrder = CreationOrder()
    @usableFromInline var nextCreation: UInt32 = 0

    @usableFromInline var freeSlot = Record.none
    @usableFromInline var liveCount = 0

    /// Counts the contexts that have used this core.
    var life = 0

    /// New slots start with this even generation.
    @usableFromInline var firstGeneration: UInt32 = 0

    /// What edges and tables compare their own with to learn, in one comparison, that a change has
    /// nothing special about it.
    @usableFromInline private(set) var shortcut = Shortcut.open

    /// What it is while the mode is empty.
    // PERFORMANCE: X1: modes change with each update of an index, and what this depends on hardly ever.
    private var openShortcut = Shortcut.open

    /// Not empty: changes take the slow path.
    @inlinable var mode: Core.Mode {
      get { storedMode }
      set {
        storedMode = newValue
        refreshShortcut()
      }
    }

    @usableFromInline var storedMode = Core.Mode()

    /// Sets a mode that is not empty.
    // PERFORMANCE: X1: nothing has to be asked for that.
    mutating func close(_ mode: Core.Mode) {
      storedMode = mode
      shortcut = .closed
    }

    /// Not empty: there is something to do when a change ends.
    @usableFromInline var pending = Core.Pending()

    /// Who is notified of what happens to single entities, by their slots.
    var observed = SlotMap<ObservedEntity>(absent: .nobody) {
      didSet { refreshOpenShortcut() }
    }

    /// The changes that observers are to be notified of.
    var changes = ChangeQueue()

    @usableFromInline var root: TablePointer
    @usableFromInline var unique = UniqueSlots.none

    @usableFromInline var staleWrites = 0

    // Rarely touched state follows.
    var creationNumbers = CreationNumbers()
    var tables: [TablePointer] = unsafe []

    /// The numbers of tables that were freed, to be given to others.
    var freeTableNumbers: [Int] = []
    var tablesBySignature: [[CID]: TablePointer] = unsafe [:]
    var reclaim = TableReclaim()

    /// Whether rows are about to come into tables that may be empty as yet.
    var keepsTables = false

    /// How many tables were ever made.
    var tablesMade = 0

    /// A table that is about to get a row: not to be freed, although it may be empty.
    var pinned: TablePointer?
    var sets: [TableSet] = []

    /// Those of them that have listeners, in any order.
    var listening: [TableSet] = []

    /// The sets of all tables with one component, of those that were ever indexed.
    var setsOfComponents: [CID: TableSet] = [:]

    /// The set of all tables; nil until needed.
    var setOfAll: TableSet?

    /// The sinks of sets that read values.
    var readers: [ObjectIdentifier: EntitySink] = [:]

    /// The sinks that have put changes off.
    var lateSinks: [EntitySink] = []

    /// The number of indexes and sinks that were ever registered.
    var registrations: UInt64 = 0

    /// Told of each entity that is destroyed, after everyone else.
    var destructionSink: EntitySink?
    var contextObservers: ChangeTarget?

    /// How often a matcher was asked whether it accepts a table, which is never done for an entity.
    var matcherEvaluations = 0
    var discarded = DiscardedValues()
    var retired: [AnyObject] = []

    /// Values that observers were notified of.
    var told = DiscardedValues()
    var wakes: [@Sendable () -> Void] = []
    var deferred: [() -> Void] = []

    /// What is noted of changes; nil while no transaction runs and there are no journals.
    var recording: UnsafeMutablePointer<Recording>?

    /// Who tells journals.
    // PERFORMANCE: J2. INVARIANT: the notifier keeps it while it has observers, and who has none is retired.
    var journals: Uncounted<JournalTarget>?

    /// How many elements of asynchronous sequences were dropped.
    var lostElements = 0

    /// The number of the last commit that was told to journals.
    var lastCommit: UInt64 = 0

    /// Who keeps slots of entities that ended, and which ones; nil while nobody does.
    var heldSlots: HeldSlots? {
      didSet { refreshOpenShortcut() }
    }

    /// What notes changes, kept for the next time.
    var keptRecording: UnsafeMutablePointer<Recording>?

    /// The number of the innermost transaction that runs; 0 if none does.
    var savepoint: UInt64 = 0

    /// The number of the last transaction that began.
    var lastSavepoint: UInt64 = 0

    /// What will have become of entities when `deferred` is worked off.
    var queued = QueuedChanges()

    /// The innermost iteration that runs; nil if none does.
    var innermost: RunningIteration.Place?

    /// What the iterations which run, or have just ended, have kept of the tables that they visited.
    var kept: [KeptColumns] = []

    /// Not 0: someone may be changing values that are not trivial, by column or one at a time.
    @usableFromInline var exclusiveColumns = 0

    /// The row whose values the closure of the innermost iteration has, and its table.
    @usableFromInline var currentRow = -1
    var currentTable: TablePointer?

    /// The values that closures are changing at this moment.
    var taken: [TakenValue] = [] {
      didSet { takenCount = taken.count }
    }

    /// Not 0: changes take the slow path, since a value may be out of its place.
    @usableFromInline private(set) var takenCount = 0 {
      didSet { refreshOpenShortcut() }
    }

    #if InternalChecks
      /// The outermost calls since everything was last walked.
      var callsSinceWalk = 0

      /// What there was then: something else after most changes.
      var lookAtWalk: [UInt64] = []

      /// How much of logs, indexes, views and links there was to walk the last time.
      var listenerLength = 0
    #endif

    /// The context above, until it was told that the core has ended.
    var client: (any CoreClient)?

    init() {
      unsafe records = Memory.allocate(Record.self, capacity: 0)
      unsafe root = State.noTable
    }

    // SAFETY: what cores without a context have for a table; nobody writes to it.
    @safe nonisolated(unsafe) static let noTable = {
      let table = TablePointer.allocate(capacity: 1)
      unsafe table.initialize(to: Table(nil, signature: [], number: 0))
      return unsafe table
    }()

    // PERFORMANCE: J2: who tells and is told leaves the shortcut closed, nearly always.

    /// Begins to tell journals of a commit.
    mutating func beginTelling() {
      assert(mode.contains(.journaling), "There is nobody to be told.")
      storedMode = mode.refusingChanges(.telling)
    }

    /// Ends to tell journals, of which the last one may be gone now.
    mutating func endTelling() {
      storedMode.remove(.telling)
      if !storedMode.contains(.journaling) { refreshShortcut() }
    }

    @usableFromInline
    mutating func refreshShortcut() { shortcut = storedMode.isEmpty ? openShortcut : .closed }

    private mutating func refreshOpenShortcut() {
      let isOpen = takenCount == 0 && heldSlots == nil
      openShortcut = !isOpen ? .closed : observed.count == 0 ? .open : .observing
      refreshShortcut()
    }
  }
}
