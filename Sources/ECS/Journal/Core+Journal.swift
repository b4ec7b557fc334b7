import CPlatform

// What outermost changes have changed is kept while there are journals, and delivered as a whole.
extension Core {
  /// Whether there are journals.
  @inlinable
  @inline(__always)
  var isJournaling: Bool { pointer.pointee.section.mode.contains(.journaling) }

  /// The number of the last commit that journals were to tell.
  var lastCommit: Int { Int(clamping: pointer.pointee.journaling.lastCommit) }

  /// Begins to note changes for journals, or notes others from now on.
  func beginJournaling(_ interest: JournalFilter, for target: CommitSubscriber) {
    let recording = unsafe recordingMadeIfNeeded()
    if unsafe !recording.pointee.records.isEmpty { unsafe recording.pointee.isInterestMixed = true }
    unsafe recording.pointee.interest = interest
    pointer.pointee.journaling.journals = UnmanagedReference(target)
    pointer.pointee.section.mode.insert(.journaling)
    noteStructuralChange()
  }

  /// How much was noted of the present outermost change; nil if there is nothing.
  var notesPosition: UndoLog.Position? {
    guard let recording = unsafe pointer.pointee.journaling.recording,
      unsafe !recording.pointee.records.isEmpty
    else { return nil }
    return unsafe recording.pointee.records.position
  }

  /// Ends to note changes for journals; called within a section.
  ///
  /// What was noted goes when the outermost change ends: iterations that run point into it.
  func endJournaling() {
    pointer.pointee.section.mode.remove(.journaling)
    pointer.pointee.journaling.journals = nil
    pointer.pointee.journaling.lastSection = nil
    pointer.pointee.section.pending.insert(.noted)
  }

  /// Tells journals what the outermost change has changed, when observers have been notified.
  func tellCommit() {
    pointer.pointee.section.pending.remove(.noted)
    guard let recording = unsafe pointer.pointee.journaling.recording else { return }
    guard isJournaling else { return unsafe endNotes(recording) }
    let beginsWithChange = unsafe Recording.beginsWithReplacement(recording)
    guard unsafe beginsWithChange || Recording.hasJournaledNotes(recording) else {
      // What was taken back, and what only a transaction noted.
      if unsafe recording.pointee.ownsValues {
        discardValues(of: unsafe recording.pointee.records)
      }
      return unsafe recording.pointee.forgetNotes()
    }
    pointer.pointee.journaling.lastCommit += 1
    // PERFORMANCE: J2: not a variable, to which references would be counted.
    let record = unsafe recording.pointee.spare.take() ?? CommitRecord(self)
    // If it is kept, what it had for notes is for the next ones: as little as it can be.
    unsafe record.begin(
      recording, beginsWithChange: beginsWithChange,
      number: pointer.pointee.journaling.lastCommit, time: c_coarse_time())
    pointer.pointee.section.beginTelling()
    pointer.pointee.journaling.journals?.visit { $0.deliver(record) }
    pointer.pointee.section.endTelling()
    var commit = consume record
    // SAFETY of what follows: nothing else can come to have it, if nothing has it.
    guard !commit.isSent, isKnownUniquelyReferenced(&commit) else {
      // It may have been kept and released by now: its values end without the lock.
      return retire(commit)
    }
    unsafe commit.end(recording)
    unsafe recording.pointee.spare = consume commit
  }
}
