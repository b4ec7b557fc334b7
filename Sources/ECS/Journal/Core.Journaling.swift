extension Core {
  /// The notes of changes that transactions and journals need.
  @safe
  struct Journaling: ~Copyable {
    /// What is noted of changes; nil while no transaction runs and there are no journals.
    var recording: UnsafeMutablePointer<Recording>?

    /// The list of journals, which is notified of commits.
    // PERFORMANCE: J2. INVARIANT: the notifier keeps it while it has observers, and an empty one is
    // retired.
    var journals: UnmanagedReference<CommitSubscriber>?

    /// The number of the last commit that was delivered to journals.
    var lastCommit: UInt64 = 0

    /// What notes changes, kept for the next time.
    var keptRecording: UnsafeMutablePointer<Recording>?

    /// The cause of the last outermost section that had a name.
    // PERFORMANCE: UN3: mostly the next one is in the same place.
    var lastSection: CurrentCause?

    /// The number of the innermost transaction that runs; 0 if none does.
    var savepoint: UInt64 = 0

    /// The number of the last transaction that began.
    var lastSavepoint: UInt64 = 0

    /// How many pictures of tables have rows that are still those of the tables.
    var frozenCount = 0

    init() {}

    /// Frees the memory for notes, of which there are none.
    mutating func end() {
      unsafe recording = nil
      unsafe keptRecording?.pointee.deallocate()
      unsafe keptRecording?.deinitialize(count: 1)
      unsafe keptRecording?.deallocate()
      unsafe keptRecording = nil
      journals = nil
      lastCommit = 0
      lastSection = nil
    }
  }
}
