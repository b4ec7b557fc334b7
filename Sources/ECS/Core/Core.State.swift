extension Core {
  /// The parts of a core, each of which belongs to a folder, with its functions.
  @safe
  @usableFromInline
  struct State: ~Copyable {
    #if ThreadSanitizer
      // It takes a mutating access to any field of a core for one to its first. Readers change some
      // of them in turn, while others read the rest.
      let first = 0
    #endif

    @usableFromInline var slots = Slots()

    @usableFromInline let lock = RecursiveLock()

    // INVARIANT: everything but the lock is written by its owner only, and read by its owner and by
    // readers that share it. A thread that is in a section that only reads, and has the turn to
    // keep what it finds out, may write what other readers read in their turns only: sorted groups,
    // which groups there are, the sets of a table, and how often matchers were asked.

    @usableFromInline var section = Section()

    /// The observers of single entities, by their slots.
    var observed = SlotMap<ObservedEntity>(absent: .none) {
      didSet { refreshOpenFastPath() }
    }

    @usableFromInline var tables = Tables()
    @usableFromInline var iterations = Iterations()

    /// The values that closures are changing at this moment.
    @usableFromInline var taken = TakenValues() {
      didSet { refreshOpenFastPath() }
    }

    /// The slots of entities that ended and may live again; nil while there are no holders of them.
    var retainedSlots: RetainedSlots? {
      didSet {
        retainedReference = retainedSlots.map { UnmanagedReference($0) }
        refreshOpenFastPath()
      }
    }

    // INVARIANT: it is there as long as `retainedSlots`, which it is the same as.
    /// The same, without counting references to it.
    private(set) var retainedReference: UnmanagedReference<RetainedSlots>?

    var events = Events()
    var listeners = Listeners()
    var journaling = Journaling()

    /// The context above, until it was notified of the end of the core.
    var client: ContextState?

    #if InternalChecks
      var walk = InvariantWalk()
    #endif

    init() {}

    private mutating func refreshOpenFastPath() {
      let isOpen = taken.count == 0 && retainedSlots == nil
      section.setOpenFastPath(!isOpen ? .closed : observed.count == 0 ? .plain : .observing)
    }
  }
}
