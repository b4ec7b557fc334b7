extension Core {
  /// The critical section that runs: what changes may be made in it, and what is to be done at its
  /// end.
  @usableFromInline
  struct Section: ~Copyable {
    /// How often the lock was taken when code of the user's was called that may change the context;
    /// 0 outside of such code.
    @usableFromInline var userDepth = 0

    /// What edges and tables compare their own with to learn, in one comparison, that a change has
    /// nothing special about it.
    @usableFromInline private(set) var fastPath = FastPath.plain

    /// What it is while the mode is empty.
    // PERFORMANCE: X1: modes change with each update of an index, and what this depends on hardly
    // ever.
    private var openFastPath = FastPath.plain

    /// Not empty: changes take the slow path.
    @inlinable var mode: Core.Mode {
      get { storedMode }
      set {
        storedMode = newValue
        refreshFastPath()
      }
    }

    @usableFromInline var storedMode = Core.Mode()

    /// Not empty: there is something to do when a change ends.
    @usableFromInline var pending = Core.Pending()

    /// Values that were taken out of storage, to be ended when the lock is free.
    var pendingRelease = PendingRelease()

    /// Whether calls of observers leave values to the end of the outermost change, since some have
    /// waited for that before the observers were notified.
    var holdsRelease = false

    /// Objects to be released when the lock is free.
    var retired: [AnyObject] = []

    /// What is to be run when the lock is free.
    var afterUnlock: [@Sendable () -> Void] = []

    init() {}

    @usableFromInline
    mutating func refreshFastPath() { fastPath = storedMode.isEmpty ? openFastPath : .closed }

    /// Sets what the fast path is while the mode is empty.
    mutating func setOpenFastPath(_ fastPath: FastPath) {
      openFastPath = fastPath
      refreshFastPath()
    }

    /// Sets a mode that is not empty.
    // PERFORMANCE: X1: nothing has to be asked for that.
    mutating func close(_ mode: Core.Mode) {
      storedMode = mode
      fastPath = .closed
    }

    // PERFORMANCE: J2: delivering a commit leaves the fast path closed, nearly always.

    /// Begins to deliver a commit to journals.
    mutating func beginTelling() {
      assert(mode.contains(.journaling), "There is no journal.")
      storedMode = mode.refusingChanges(.telling)
    }

    /// Ends to deliver a commit to journals, of which the last one may be gone now.
    mutating func endTelling() {
      storedMode.remove(.telling)
      if !storedMode.contains(.journaling) { refreshFastPath() }
    }
  }
}
