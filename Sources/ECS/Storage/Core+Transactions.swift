extension Core {
  /// Begins to keep an account of all changes, within a section.
  @usableFromInline
  func beginTransaction() {
    checkMode()
    require(
      !pointer.pointee.mode.contains(.iterating),
      "A transaction was begun inside an iteration, where changes wait until it ends: call transaction(_:) around the iteration."
    )
    let recording: UnsafeMutablePointer<Recording>
    if let kept = unsafe pointer.pointee.keptRecording {
      unsafe recording = unsafe kept
    } else {
      unsafe recording = UnsafeMutablePointer<Recording>.allocate(capacity: 1)
      unsafe recording.initialize(to: Recording())
      unsafe pointer.pointee.keptRecording = unsafe recording
    }
    pointer.pointee.lastSavepoint += 1
    pointer.pointee.savepoint = pointer.pointee.lastSavepoint
    unsafe recording.pointee.savepoints.append(
      Recording.Savepoint(
        number: pointer.pointee.savepoint,
        records: recording.pointee.records.position,
        changes: pointer.pointee.changes.position,
        heldCount: recording.pointee.held.count,
        logNoteCount: recording.pointee.logNotes.count,
        logWakeCount: recording.pointee.logWakes.count,
        returnCounts: recording.pointee.returnCounts,
        registrations: pointer.pointee.registrations,
        tableCount: pointer.pointee.tables.count,
        taken: pointer.pointee.taken))
    guard unsafe recording.pointee.savepoints.count == 1 else { return }
    unsafe pointer.pointee.recording = unsafe recording
    pointer.pointee.mode.insert(.recording)
  }

  /// Ends a transaction whose changes stay, unless one around it is taken back.
  @usableFromInline
  func commitTransaction() {
    guard let recording = unsafe pointer.pointee.recording else { return }
    unsafe recording.pointee.savepoints.removeLast()
    guard unsafe recording.pointee.savepoints.isEmpty else { return unsafe resumeOuter(recording) }
    if unsafe recording.pointee.ownsValues { unsafe discardValues(of: recording) }
    unsafe close(recording)
  }

  private func resumeOuter(_ recording: UnsafeMutablePointer<Recording>) {
    pointer.pointee.savepoint = unsafe recording.pointee.savepoints.last?.number ?? 0
  }

  /// Lets go of the values that were kept for the way back.
  private func discardValues(of recording: UnsafeMutablePointer<Recording>) {
    unsafe recording.pointee.records.forEachBackwards { record in
      unsafe record.forEachOwningValue { cid, place, count in
        for number in 0..<count {
          // SAFETY: the values are initialised, and nobody reads the record any more.
          unsafe discard(cid.pointer.pointee.take(place + number * cid.pointer.pointee.stride))
        }
      }
    }
  }

  private func close(_ recording: UnsafeMutablePointer<Recording>) {
    pointer.pointee.mode.remove(.recording)
    unsafe pointer.pointee.recording = nil
    pointer.pointee.savepoint = 0
    for slot in unsafe recording.pointee.held { giveBackSlot(slot) }
    for note in unsafe recording.pointee.logNotes { unsafe note.log.pointee.lastNote = -1 }
    for body in unsafe recording.pointee.close() { body() }
  }

  /// Takes back all that was changed since the innermost transaction began, and ends it.
  @usableFromInline
  func rollBackTransaction() {
    guard let recording = unsafe pointer.pointee.recording,
      let savepoint = unsafe recording.pointee.savepoints.last
    else { return }
    while let record = unsafe recording.pointee.records.popLast(behind: savepoint.records) {
      unsafe undo(record)
    }
    unsafe recording.pointee.held.removeLast(recording.pointee.held.count - savepoint.heldCount)
    for body in unsafe recording.pointee.takeReturns(.links, beyond: savepoint) { body() }
    refillIndexes(since: savepoint)
    unsafe endUndone(recording)
    for body in unsafe recording.pointee.takeReturns(.views, beyond: savepoint) { body() }
    unsafe pointer.pointee.changes.void(from: savepoint.changes) { unsafe keepToldValues(of: $0) }
    for body in unsafe recording.pointee.takeReturns(.listeners, beyond: savepoint) { body() }
    unsafe restoreLogs(recording, savepoint)
    freeTables(beyond: savepoint.tableCount)
    if !savepoint.taken.isEmpty { pointer.pointee.taken = savepoint.taken }
    let last = unsafe recording.pointee.takeReturns(.last, beyond: savepoint)
    unsafe recording.pointee.savepoints.removeLast()
    if unsafe recording.pointee.savepoints.isEmpty {
      unsafe close(recording)
    } else {
      unsafe resumeOuter(recording)
    }
    for body in last { body() }
  }

  private func restoreLogs(
    _ recording: UnsafeMutablePointer<Recording>, _ savepoint: Recording.Savepoint
  ) {
    while unsafe recording.pointee.logNotes.count > savepoint.logNoteCount {
      let note = unsafe recording.pointee.logNotes.removeLast()
      unsafe note.log.pointee.restore(note.state)
      unsafe note.log.pointee.lastNote = note.previous
    }
    while unsafe recording.pointee.logWakes.count > savepoint.logWakeCount {
      unsafe pointer.pointee.wakes.remove(at: recording.pointee.logWakes.removeLast())
    }
  }

  /// Fills indexes that were made or resumed meanwhile from what is there now.
  private func refillIndexes(since savepoint: Recording.Savepoint) {
    guard pointer.pointee.registrations > savepoint.registrations else { return }
    for set in pointer.pointee.sets {
      for index in set.indexes where index.number > savepoint.registrations {
        index.clear()
        fill(index)
      }
    }
  }

  /// Tells the context of entities that never were.
  private func endUndone(_ recording: UnsafeMutablePointer<Recording>) {
    guard unsafe !recording.pointee.undone.isEmpty else { return }
    let undone = unsafe recording.pointee.undone
    unsafe recording.pointee.undone = []
    pointer.pointee.client?.entitiesUndone(undone)
  }
}
