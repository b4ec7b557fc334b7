import CPlatform

/// The delivery of commits to journals: of all that an outermost change has changed, as a whole.
@frozen
@usableFromInline
struct CommitDelivery {
  @usableFromInline let core: Core

  @inlinable
  @inline(__always)
  init(_ core: Core) { self.core = core }
}

extension Core {
  /// The commits that journals get.
  @inlinable
  @inline(__always)
  var commits: CommitDelivery { CommitDelivery(self) }
}

extension CommitDelivery {
  /// The number of the last commit that journals were to tell.
  var last: Int { Int(clamping: core.pointer.pointee.journaling.lastCommit) }

  /// Begins to note changes for journals, or notes others from now on.
  func begin(_ interest: JournalFilter, for target: CommitSubscriber) {
    let recording = unsafe core.recorder.begin()
    if unsafe !recording.pointee.records.isEmpty { unsafe recording.pointee.isInterestMixed = true }
    unsafe recording.pointee.interest = interest
    core.pointer.pointee.journaling.journals = UnmanagedReference(target)
    core.pointer.pointee.section.mode.insert(.journaling)
    core.noteStructuralChange()
  }

  /// Ends to note changes for journals; called within a section.
  ///
  /// What was noted goes when the outermost change ends: iterations that run point into it.
  func end() {
    core.pointer.pointee.section.mode.remove(.journaling)
    core.pointer.pointee.journaling.journals = nil
    core.pointer.pointee.journaling.lastSection = nil
    core.pointer.pointee.section.pending.insert(.noted)
  }

  /// Tells journals what the outermost change has changed, when observers have been notified.
  func deliver() {
    core.pointer.pointee.section.pending.remove(.noted)
    guard let recording = unsafe core.pointer.pointee.journaling.recording else { return }
    guard core.isJournaling else { return unsafe core.recorder.end(recording) }
    let beginsWithChange = unsafe Recording.beginsWithReplacement(recording)
    guard unsafe beginsWithChange || Recording.hasJournaledNotes(recording) else {
      // What was taken back, and what only a transaction noted.
      if unsafe recording.pointee.ownsValues {
        core.recorder.discardValues(of: unsafe recording.pointee.records)
      }
      return unsafe recording.pointee.forgetNotes()
    }
    core.pointer.pointee.journaling.lastCommit += 1
    // PERFORMANCE: J2: not a variable, to which references would be counted.
    let record = unsafe recording.pointee.spare.take() ?? CommitRecord(core)
    // If it is kept, what it had for notes is for the next ones: as little as it can be.
    unsafe record.begin(
      recording, beginsWithChange: beginsWithChange,
      number: core.pointer.pointee.journaling.lastCommit, time: c_coarse_time())
    core.pointer.pointee.section.beginTelling()
    core.pointer.pointee.journaling.journals?.visit { $0.deliver(record) }
    core.pointer.pointee.section.endTelling()
    var commit = consume record
    // SAFETY of what follows: nothing else can come to have it, if nothing has it.
    guard !commit.isSent, isKnownUniquelyReferenced(&commit) else {
      // It may have been kept and released by now: its values end without the lock.
      return core.retire(commit)
    }
    unsafe commit.end(recording)
    unsafe recording.pointee.spare = consume commit
  }
}
