extension Core {
  /// Begins to keep an account of all changes, within a section.
  @usableFromInline
  func beginTransaction() {
    checkMode()
    require(
      !pointer.pointee.section.mode.contains(.iterating),
      "A transaction was begun inside an iteration, where changes wait until it ends: call transaction(_:) around the iteration."
    )
    let recording = unsafe recordingMadeIfNeeded()
    pointer.pointee.journaling.lastSavepoint += 1
    pointer.pointee.journaling.savepoint = pointer.pointee.journaling.lastSavepoint
    unsafe recording.pointee.savepoints.append(
      Recording.Savepoint(
        id: pointer.pointee.journaling.savepoint,
        records: recording.pointee.records.position,
        changes: pointer.pointee.events.queue.position,
        counts: recording.pointee.counts,
        registrations: pointer.pointee.listeners.registrations,
        tableCount: pointer.pointee.tables.all.count,
        hasTaken: pointer.pointee.taken.count > 0))
    if pointer.pointee.taken.count > 0 {
      unsafe recording.pointee.takenValues.append(pointer.pointee.taken)
    }
    if unsafe recording.pointee.savepoints.count == 1 {
      pointer.pointee.section.mode.insert(.recording)
    }
  }

  /// The account of what is noted, in effect from now on.
  func recordingMadeIfNeeded() -> UnsafeMutablePointer<Recording> {
    if let recording = unsafe pointer.pointee.journaling.recording { return unsafe recording }
    let recording: UnsafeMutablePointer<Recording>
    if let kept = unsafe pointer.pointee.journaling.keptRecording {
      unsafe recording = unsafe kept
    } else {
      unsafe recording = UnsafeMutablePointer<Recording>.allocate(capacity: 1)
      unsafe recording.initialize(to: Recording())
      unsafe pointer.pointee.journaling.keptRecording = unsafe recording
    }
    unsafe pointer.pointee.journaling.recording = unsafe recording
    return unsafe recording
  }

  /// Ends a transaction whose changes stay, unless one around it is taken back.
  @usableFromInline
  func commitTransaction() {
    guard let recording = unsafe pointer.pointee.journaling.recording,
      let savepoint = unsafe recording.pointee.savepoints.last
    else { return }
    if unsafe savepoint.pointee.hasTaken { unsafe recording.pointee.takenValues.removeLast() }
    unsafe recording.pointee.savepoints.removeLast()
    guard unsafe recording.pointee.savepoints.isEmpty else { return unsafe resumeOuter(recording) }
    unsafe close(recording)
  }

  private func resumeOuter(_ recording: UnsafeMutablePointer<Recording>) {
    pointer.pointee.journaling.savepoint =
      unsafe recording.pointee.savepoints.last?.pointee.id ?? 0
  }

  /// Discards the values of notes that nothing reads any more.
  func discardValues(of notes: borrowing UndoLog) {
    unsafe notes.walk { note in unsafe discardValues(of: note) }
  }

  func discardValues(of note: UndoRecordPointer) {
    unsafe note.forEachOwningValue { cid, values, count in
      for index in 0..<count {
        // SAFETY: the values are initialized, and nothing reads the note any more.
        unsafe discard(cid.pointer.pointee.take(values + index * cid.pointer.pointee.stride))
      }
    }
  }

  private func close(_ recording: UnsafeMutablePointer<Recording>) {
    pointer.pointee.section.mode.remove(.recording)
    pointer.pointee.journaling.savepoint = 0
    // What journals are going to tell stays.
    if !isJournaling, !pointer.pointee.section.pending.contains(.noted) {
      unsafe endNotes(recording)
    }
    guard unsafe recording.pointee.hasMore else { return }
    for slot in unsafe recording.pointee.held { releaseSlot(slot) }
    for note in unsafe recording.pointee.logNotes { unsafe note.log.pointee.lastNote = -1 }
    for body in unsafe recording.pointee.close() { body() }
  }

  /// Forgets what was noted, when it is not needed any more.
  func endNotes(_ recording: UnsafeMutablePointer<Recording>) {
    if unsafe recording.pointee.ownsValues { discardValues(of: unsafe recording.pointee.records) }
    unsafe recording.pointee.forgetNotes()
    unsafe pointer.pointee.journaling.recording = nil
  }

  /// Takes back all that was changed since the innermost transaction began, and ends it.
  @usableFromInline
  func rollBackTransaction() {
    guard let recording = unsafe pointer.pointee.journaling.recording,
      let savepoint = unsafe recording.pointee.savepoints.last
    else { return }
    while let note = unsafe recording.pointee.records.popLast(behind: savepoint.pointee.records) {
      unsafe undo(note)
    }
    if isJournaling { pointer.pointee.journaling.journals?.visit { $0.notesWereTakenBack() } }
    let last = unsafe putBackMore(recording, savepoint)
    unsafe recording.pointee.savepoints.removeLast()
    if unsafe recording.pointee.savepoints.isEmpty {
      unsafe close(recording)
    } else {
      unsafe resumeOuter(recording)
    }
    for body in last { body() }
  }

  /// Puts back what is not in storage.
  ///
  /// Returns what comes last, behind the end of the transaction.
  private func putBackMore(
    _ recording: UnsafeMutablePointer<Recording>, _ start: UnsafeMutablePointer<Recording.Savepoint>
  ) -> [() -> Void] {
    // PERFORMANCE: mostly there is nothing.
    if unsafe recording.pointee.hasMore
      || pointer.pointee.listeners.registrations > start.pointee.registrations
    {
      let savepoint = unsafe start.pointee
      if unsafe recording.pointee.held.count > savepoint.counts.held {
        unsafe recording.pointee.held.removeLast(
          recording.pointee.held.count - savepoint.counts.held)
      }
      unsafe putBack(.links, recording, savepoint)
      refillIndexes(since: savepoint)
      unsafe endUndone(recording)
      unsafe putBack(.views, recording, savepoint)
    }
    unsafe pointer.pointee.events.queue.void(from: start.pointee.changes) {
      unsafe keepDeliveredValues(of: $0)
    }
    if unsafe recording.pointee.hasMore {
      unsafe putBack(.listeners, recording, start.pointee)
      unsafe restoreLogs(recording, start.pointee)
    }
    if unsafe pointer.pointee.tables.all.count > start.pointee.tableCount {
      unsafe freeTables(beyond: start.pointee.tableCount)
    }
    if unsafe start.pointee.hasTaken {
      pointer.pointee.taken = unsafe recording.pointee.takenValues.removeLast()
    }
    guard unsafe recording.pointee.hasMore else { return [] }
    return unsafe recording.pointee.takeReturns(.last, beyond: start.pointee)
  }

  private func putBack(
    _ stage: Recording.Stage, _ recording: UnsafeMutablePointer<Recording>,
    _ savepoint: Recording.Savepoint
  ) {
    for body in unsafe recording.pointee.takeReturns(stage, beyond: savepoint) { body() }
  }

  private func restoreLogs(
    _ recording: UnsafeMutablePointer<Recording>, _ savepoint: Recording.Savepoint
  ) {
    while unsafe recording.pointee.logNotes.count > savepoint.counts.logNotes {
      let note = unsafe recording.pointee.logNotes.removeLast()
      unsafe note.log.pointee.restore(note.state)
      unsafe note.log.pointee.lastNote = note.previous
    }
    while unsafe recording.pointee.logWakes.count > savepoint.counts.logWakes {
      unsafe pointer.pointee.section.afterUnlock.remove(at: recording.pointee.logWakes.removeLast())
    }
  }

  /// Fills indexes that were made or resumed meanwhile from what is there now.
  ///
  /// One in which a key is there twice that is to identify one entity is paused instead.
  private func refillIndexes(since savepoint: Recording.Savepoint) {
    guard pointer.pointee.listeners.registrations > savepoint.registrations else { return }
    let indexes = pointer.pointee.listeners.sets.flatMap { set in
      set.indexes.filter { $0.registration > savepoint.registrations }
    }
    for index in indexes {
      index.clear()
      guard !index.history.refill({ index.fill(from: self) }) else { continue }
      unregister(index)
      index.clear()
    }
  }

  /// Tells the context of entities that never were.
  private func endUndone(_ recording: UnsafeMutablePointer<Recording>) {
    guard unsafe !recording.pointee.undone.isEmpty else { return }
    let undone = unsafe recording.pointee.undone
    unsafe recording.pointee.undone = []
    client?.entitiesUndone(undone)
  }
}
