/// The storage of one context: slots, tables, unique components, and the lock that guards them.
///
/// Cores live at stable addresses and are never freed: entities point to them, and stay safe to
/// use when their context is gone. A core whose context ended gives back its memory and waits in
/// the ``CorePool``; when it is used again it starts above every generation it ever gave out.
@usableFromInline
struct Core: ~Copyable {
  // Not the lock: the thread sanitizer takes a mutating access to any field of a core for one to
  // its first, and the lock is read by everybody.
  @usableFromInline var records: UnsafeMutablePointer<Record>

  @usableFromInline let lock = RecursiveLock()

  // INVARIANT: everything but the lock is read and written by its owner only.

  @usableFromInline var recordCount = 0
  var recordCapacity = 0

  /// The number of each slot's entity in the order of creation.
  var creationOrder: UnsafeMutablePointer<UInt32>
  var nextCreation: UInt32 = 0

  var freeSlot = Record.none
  var liveCount = 0

  /// Counts the contexts that have used this core.
  var life = 0

  /// New slots start with this even generation.
  var firstGeneration: UInt32 = 0

  /// What edges and tables compare their own with to learn, in one comparison, that a change has
  /// nothing special about it.
  @usableFromInline private(set) var shortcut = Shortcut.open

  /// Not empty: changes take the slow path.
  @usableFromInline var mode = CoreMode() {
    didSet { refreshShortcut() }
  }

  /// Not empty: there is something to do when a change ends.
  @usableFromInline var pending = CorePending()

  /// Who is told of what happens to single entities, by their slots.
  var observed = SlotMap<ObservedEntity>(absent: .nobody) {
    didSet { refreshShortcut() }
  }

  /// The changes that observers are to be told of.
  var changes = ChangeQueue()

  @usableFromInline var root: TablePointer
  @usableFromInline var unique = UniqueSlots.none

  @usableFromInline var staleWrites = 0

  // Rarely touched state follows.
  var creationNumbers = CreationNumbers()
  var tables: [TablePointer] = []

  /// The numbers of tables that were freed, to be given to others.
  var freeTableNumbers: [Int] = []
  var tablesBySignature: [[CID]: TablePointer] = [:]
  var nextSweep = 512

  /// A table that is about to get a row: not to be freed, although it may be empty.
  var pinned: TablePointer?
  var sets: [TableSet] = []

  /// The sets of all tables with one component, of those that were ever indexed.
  var setsOfComponents: [CID: TableSet] = [:]

  /// The set of all tables; nil until needed.
  var setOfAll: TableSet?

  /// The number of sinks of sets that are registered.
  var sinkCount = 0

  /// The number of indexes and sinks that were ever registered.
  var registrations: UInt64 = 0

  /// Told of each entity that is destroyed, after everybody else.
  var destructionSink: EntitySink?
  var contextObservers: ChangeTarget?

  /// How often a matcher was asked whether it accepts a table, which is never done for an entity.
  var matcherEvaluations = 0
  var discarded = DiscardedValues()
  var retired: [AnyObject] = []

  /// Values that observers were told of.
  var told = DiscardedValues()
  var wakes: [@Sendable () -> Void] = []
  var deferred: [() -> Void] = []

  /// What will have become of entities when `deferred` is worked off.
  var queued = QueuedChanges()

  var iterations: [ActiveIteration] = []
  /// Not 0: somebody may be changing values that are not trivial, by column or one at a time.
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
    didSet { refreshShortcut() }
  }

  #if InternalChecks
    /// The outermost changes since storage was last walked.
    var changesSinceCheck = 0
  #endif

  /// The context above, until it was told that the core has ended.
  var client: (any CoreClient)?

  init() {
    records = Memory.allocate(Record.self, capacity: 0)
    creationOrder = Memory.allocate(UInt32.self, capacity: 0)
    root = Core.noTable
  }

  // SAFETY: what cores without a context have for a table; nobody writes to it.
  nonisolated(unsafe) static let noTable = {
    let table = TablePointer.allocate(capacity: 1)
    table.initialize(to: Table(signature: [], number: 0))
    return table
  }()

  private mutating func refreshShortcut() {
    shortcut = mode.isEmpty && observed.count == 0 && takenCount == 0 ? .open : .closed
  }
}

/// Why changes cannot be made right away.
@usableFromInline
struct CoreMode: OptionSet, Sendable {
  @usableFromInline let rawValue: UInt8
  @usableFromInline init(rawValue: UInt8) { self.rawValue = rawValue }

  /// An iteration is running: changes are queued until it ends.
  @usableFromInline static let iterating = CoreMode(rawValue: 1)

  // Code of the user's runs that must not change the context: changes are programmer errors.
  // One of these at a time, the innermost, which is the one to blame.
  static let buildingKeys = CoreMode(rawValue: 2)
  static let filtering = CoreMode(rawValue: 4)
  static let sorting = CoreMode(rawValue: 8)
  static let walking = CoreMode(rawValue: 16)

  /// The same, while code runs that must not change the context.
  func refusingChanges(_ reason: CoreMode) -> CoreMode {
    CoreMode(rawValue: rawValue & CoreMode.iterating.rawValue | reason.rawValue)
  }

  /// What is wrong with a change in this mode; nil if it may be made, now or later.
  var refusal: String? {
    if contains(.buildingKeys) {
      "The key builder of an index called its context to change it: compute keys from the component alone."
    } else if contains(.filtering) {
      "The filter of a live view called its context to change it: look at the entity, and change it elsewhere, for example in an observer of the view."
    } else if contains(.sorting) {
      "The sort key of a live view called its context to change it: compute keys from the component alone."
    } else if contains(.walking) {
      "The body of walk(in:_:) called its context to change it: go through descendants(in:) instead, which may be changed meanwhile."
    } else {
      nil
    }
  }
}

/// What has to be done when a change ends.
@usableFromInline
struct CorePending: OptionSet, Sendable {
  @usableFromInline let rawValue: UInt8
  @usableFromInline init(rawValue: UInt8) { self.rawValue = rawValue }

  /// Values were taken out of storage and wait to be ended: at the end of every change.
  @usableFromInline static let discarded = CorePending(rawValue: 1)

  // At the end of the outermost change only:
  static let notifications = CorePending(rawValue: 2)
  static let wakes = CorePending(rawValue: 4)
  static let retired = CorePending(rawValue: 8)
  static let teardown = CorePending(rawValue: 16)
}

/// A trivially copyable reference to an immortal core.
@frozen
@usableFromInline
// The core is guarded by its own lock and never freed.
struct CoreReference: @unchecked Sendable, Hashable {
  @usableFromInline let pointer: UnsafeMutablePointer<Core>

  /// Makes a core in a place that nothing else will ever use.
  init(at place: UnsafeMutablePointer<Core>) {
    pointer = place
    pointer.initialize(to: Core())
  }

  var bits: UInt { UInt(bitPattern: pointer) }

  /// How many contexts have had the core before.
  var life: Int { pointer.pointee.life }
}
