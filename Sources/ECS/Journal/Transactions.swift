/// The transactions that run in a core, one inside the other.
@frozen
@usableFromInline
struct Transactions {
  @usableFromInline let core: Core

  @inlinable
  @inline(__always)
  init(_ core: Core) { self.core = core }
}

extension Core {
  /// The transactions that run, one inside the other.
  @inlinable
  @inline(__always)
  var transactions: Transactions { Transactions(self) }
}

extension Transactions {
  /// Begins to keep an account of all changes, within a section.
  @usableFromInline
  func begin() {
    core.checkMode()
    require(
      !core.pointer.pointee.section.mode.contains(.iterating),
      "A transaction was begun inside an iteration, where changes wait until it ends: call transaction(_:) around the iteration."
    )
    let recording = unsafe core.recorder.begin()
    core.pointer.pointee.journaling.lastSavepoint += 1
    core.pointer.pointee.journaling.savepoint = core.pointer.pointee.journaling.lastSavepoint
    unsafe recording.pointee.savepoints.append(
      Recording.Savepoint(
        id: core.pointer.pointee.journaling.savepoint,
        records: recording.pointee.records.position,
        changes: core.pointer.pointee.events.queue.position,
        counts: recording.pointee.counts,
        registrations: core.pointer.pointee.listeners.registrations,
        tableCount: core.pointer.pointee.tables.all.count,
        hasTaken: core.pointer.pointee.taken.count > 0))
    if core.pointer.pointee.taken.count > 0 {
      unsafe recording.pointee.takenValues.append(core.pointer.pointee.taken)
    }
    if unsafe recording.pointee.savepoints.count == 1 {
      core.pointer.pointee.section.mode.insert(.recording)
    }
  }

  /// Ends a transaction whose changes stay, unless one around it is taken back.
  @usableFromInline
  func commit() {
    guard let recording = unsafe core.pointer.pointee.journaling.recording,
      let savepoint = unsafe recording.pointee.savepoints.last
    else { return }
    if unsafe savepoint.pointee.hasTaken { unsafe recording.pointee.takenValues.removeLast() }
    unsafe recording.pointee.savepoints.removeLast()
    guard unsafe recording.pointee.savepoints.isEmpty else { return unsafe resumeOuter(recording) }
    unsafe close(recording)
  }

  private func resumeOuter(_ recording: UnsafeMutablePointer<Recording>) {
    core.pointer.pointee.journaling.savepoint =
      unsafe recording.pointee.savepoints.last?.pointee.id ?? 0
  }

  private func close(_ recording: UnsafeMutablePointer<Recording>) {
    core.pointer.pointee.section.mode.remove(.recording)
    core.pointer.pointee.journaling.savepoint = 0
    // What journals are going to tell stays.
    if !core.isJournaling, !core.pointer.pointee.section.pending.contains(.noted) {
      unsafe core.recorder.end(recording)
    }
    guard unsafe recording.pointee.hasMore else { return }
    for slot in unsafe recording.pointee.held { core.retention.releaseSlot(slot) }
    for note in unsafe recording.pointee.logNotes { unsafe note.log.pointee.lastNote = -1 }
    for body in unsafe recording.pointee.close() { body() }
  }

  /// Takes back all that was changed since the innermost transaction began, and ends it.
  @usableFromInline
  func rollBack() {
    guard let recording = unsafe core.pointer.pointee.journaling.recording,
      let savepoint = unsafe recording.pointee.savepoints.last
    else { return }
    while let note = unsafe recording.pointee.records.popLast(behind: savepoint.pointee.records) {
      unsafe Rollback(core: core).undo(note)
    }
    if core.isJournaling {
      core.pointer.pointee.journaling.journals?.visit { $0.notesWereTakenBack() }
    }
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
      || core.pointer.pointee.listeners.registrations > start.pointee.registrations
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
    unsafe core.pointer.pointee.events.queue.void(from: start.pointee.changes) {
      unsafe core.notifications.keepDeliveredValues(of: $0)
    }
    if unsafe recording.pointee.hasMore {
      unsafe putBack(.listeners, recording, start.pointee)
      unsafe restoreLogs(recording, start.pointee)
    }
    if unsafe core.pointer.pointee.tables.all.count > start.pointee.tableCount {
      unsafe core.graph.freeTables(beyond: start.pointee.tableCount)
    }
    if unsafe start.pointee.hasTaken {
      core.pointer.pointee.taken = unsafe recording.pointee.takenValues.removeLast()
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
      unsafe core.pointer.pointee.section.afterUnlock.remove(
        at: recording.pointee.logWakes.removeLast())
    }
  }

  /// Fills indexes that were made or resumed meanwhile from what is there now.
  ///
  /// One in which a key is there twice that is to identify one entity is paused instead.
  private func refillIndexes(since savepoint: Recording.Savepoint) {
    guard core.pointer.pointee.listeners.registrations > savepoint.registrations else { return }
    let indexes = core.pointer.pointee.listeners.sets.flatMap { set in
      set.indexes.filter { $0.registration > savepoint.registrations }
    }
    for index in indexes {
      index.clear()
      guard !index.history.refill({ index.fill(from: core) }) else { continue }
      core.sinks.unregister(index)
      index.clear()
    }
  }

  /// Tells the context of entities that never were.
  private func endUndone(_ recording: UnsafeMutablePointer<Recording>) {
    guard unsafe !recording.pointee.undone.isEmpty else { return }
    let undone = unsafe recording.pointee.undone
    unsafe recording.pointee.undone = []
    core.client?.entitiesUndone(undone)
  }

  /// The number of the innermost transaction that runs; 0 if none does.
  ///
  /// What is noted together with it has to be noted once for each.
  var savepoint: UInt64 { core.pointer.pointee.journaling.savepoint }

  /// The number of the last transaction that began.
  var lastSavepoint: UInt64 { core.pointer.pointee.journaling.lastSavepoint }

  /// Puts something back if the innermost transaction that runs is taken back.
  func onReturn(_ stage: Recording.Stage, _ body: @escaping () -> Void) {
    unsafe core.recording.pointee.add(stage, body)
  }

  /// Does something when the outermost transaction has ended.
  func onClose(_ body: @escaping () -> Void) {
    unsafe core.recording.pointee.addClosing(body)
  }
}
