// Notes of what collected sets and indexes were, for transactions that are taken back.
extension ChangeRecorder {
  /// Carries out a reaction list, and notes what it changes.
  @usableFromInline
  @inline(never)
  func react(_ list: ReactionListPointer?, _ handle: Handle) {
    guard let list = unsafe list else { return }
    for index in unsafe 0..<list.pointee.count {
      unsafe assert(list.noteWalk(at: index))
      switch unsafe list.pointee.reactions[index].target {
      case .log(let log): unsafe noteRecord(of: handle, in: log)
      case .index(let sink, let column):
        // SAFETY: the invariant of `Reaction.Target`.
        unsafe sink._withUnsafeGuaranteedRef { note($0) }
        unsafe sink._withUnsafeGuaranteedRef { $0.history.beginNoting(handle) }
        unsafe core.update(sink, column, handle)
        unsafe sink._withUnsafeGuaranteedRef { $0.history.endNoting(handle) }
      case .sink(let sink): unsafe core.tell(sink, list.pointee.reactions[index].kind, handle)
      }
    }
  }

  func noteRecord(of handle: Handle, in log: UnsafeMutablePointer<EntitySparseSet>) {
    guard unsafe !log.pointee.isClosed else { return }
    unsafe note(log)
    if unsafe log.pointee.willDoMore(thanAppend: handle) { unsafe noteContents(of: log) }
    let afterUnlock = core.pointer.pointee.section.afterUnlock.count
    unsafe core.record(handle, in: log)
    if core.pointer.pointee.section.afterUnlock.count > afterUnlock {
      unsafe core.recording.pointee.add(logWake: afterUnlock)
    }
  }

  /// Notes that a log is about to be changed.
  private func note(_ log: UnsafeMutablePointer<EntitySparseSet>) {
    let previous = unsafe log.pointee.lastNote
    let savepoint = core.pointer.pointee.journaling.savepoint
    if previous >= 0, unsafe core.recording.pointee.logNotes[previous].savepoint == savepoint {
      return
    }
    unsafe log.pointee.lastNote = unsafe core.recording.pointee.logNotes.count
    unsafe core.recording.pointee.add(
      Recording.LogNote(
        log: log, savepoint: savepoint, previous: previous, state: log.pointee.state))
  }

  /// Keeps the handles that a log had at each note, to which so far others were added only.
  private func noteContents(of log: UnsafeMutablePointer<EntitySparseSet>) {
    var index = unsafe log.pointee.lastNote
    while index >= 0 {
      let note = unsafe core.recording.pointee.logNotes[index]
      guard note.state.handles == nil else { break }
      unsafe core.recording.pointee.logNotes[index].state.handles = unsafe Array(
        log.pointee.elements.prefix(note.state.count))
      index = note.previous
    }
  }

  /// Lets transactions that are taken back leave a log empty.
  func forgetContents(of log: UnsafeMutablePointer<EntitySparseSet>) {
    var index = unsafe log.pointee.lastNote
    while index >= 0 {
      unsafe core.recording.pointee.logNotes[index].state.empty()
      index = unsafe core.recording.pointee.logNotes[index].previous
    }
  }

  /// Notes that a log is about to be changed in another way than by an entity that comes.
  func noteChange(of log: UnsafeMutablePointer<EntitySparseSet>) {
    guard core.isRecording else { return }
    unsafe note(log)
    unsafe noteContents(of: log)
  }

  private func note(_ sink: IndexSink) {
    let savepoint = core.pointer.pointee.journaling.savepoint
    guard sink.savepoint != savepoint else { return }
    sink.savepoint = savepoint
    let length = sink.history.length
    // Keys are compared, and values combined, by code of the user's.
    core.transactions.onReturn(.links) {
      core.refusingChanges(.buildingKeys) { sink.history.revert(to: length) }
    }
    if length == 0 { core.transactions.onClose { sink.history.forget() } }
  }
}
