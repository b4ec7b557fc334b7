// What is noted of changes while a transaction runs. Only general paths ask whether one does, which
// all changes take then.
extension Core {
  /// Whether a transaction runs.
  @inlinable
  @inline(__always)
  var isRecording: Bool { pointer.pointee.mode.contains(.recording) }

  private var recording: UnsafeMutablePointer<Recording> {
    guard let recording = unsafe pointer.pointee.recording else {
      stop("A change was to be noted outside of a transaction.")
    }
    return unsafe recording
  }

  // MARK: Components

  /// Notes that the value of a component is about to be replaced.
  @usableFromInline
  @inline(never)
  func noteReplacement(
    _ handle: Handle, _ edge: UnsafeMutablePointer<Edge>, _ place: UnsafeMutableRawPointer
  ) {
    guard let cid = unsafe edge.pointee.cid else { return }
    var record = UndoRecord(.replaced)
    record.handle = handle
    unsafe noteOldValue(record, cid, isOut(cid, handle) ? nil : place)
  }

  /// Notes that a component is about to be added.
  func noteAddition(_ handle: Handle, _ cid: CID, _ table: TablePointer, _ row: UInt32) {
    var record = UndoRecord(.added)
    record.handle = handle
    unsafe record.table = unsafe table
    record.row = row
    record.cid = cid
    _ = unsafe recording.pointee.records.append(record, size: 0)
  }

  /// Notes that a component is about to be removed.
  func noteRemoval(_ handle: Handle, _ cid: CID, _ table: TablePointer, _ row: Int) {
    var record = UndoRecord(.removed)
    record.handle = handle
    unsafe record.table = unsafe table
    record.row = UInt32(truncatingIfNeeded: row)
    let place = unsafe isOut(cid, handle) ? nil : table.pointee.column(of: cid)?.pointee.place(row)
    unsafe noteOldValue(record, cid, place)
  }

  private func noteOldValue(
    _ record: UndoRecord, _ cid: CID, _ place: UnsafeMutableRawPointer?
  ) {
    var record = record
    record.cid = cid
    record.hasValues = unsafe place != nil
    let info = cid.pointer
    let size =
      unsafe info.pointee.stride &+ (info.pointee.alignment > 16 ? info.pointee.alignment : 0)
    let noted = unsafe recording.pointee.records.append(record, size: size)
    guard let place = unsafe place else { return }
    if unsafe !info.pointee.isTrivial { unsafe recording.pointee.ownsValues = true }
    // SAFETY: there is room for a value behind the record; the one in the column is initialised.
    unsafe info.pointee.copyValue(to: noted.values(of: cid), from: place)
  }

  /// Notes that an iteration is about to get the values of a column.
  func noteColumn(_ cid: CID, of table: TablePointer) {
    guard let column = unsafe table.pointee.column(of: cid), unsafe table.pointee.count > 0 else {
      return
    }
    let (count, info) = unsafe (table.pointee.count, cid.pointer)
    var record = UndoRecord(.column)
    unsafe record.table = unsafe table
    record.cid = cid
    record.count = UInt32(truncatingIfNeeded: count)
    record.hasValues = true
    let noted = unsafe recording.pointee.records.append(
      record, size: count * info.pointee.stride + info.pointee.alignment)
    if unsafe !info.pointee.isTrivial { unsafe recording.pointee.ownsValues = true }
    // SAFETY: there is room for so many values behind the record; those in the column are
    // initialised, since nobody iterates over a column while a closure has a value of it.
    unsafe info.pointee.copyValues(
      to: noted.values(of: cid), from: column.pointee.base, count: count)
  }

  /// Notes that a unique component is about to have another holder.
  func noteHolder(of cid: CID) {
    let slot = unsafe pointer.pointee.unique.ensure(cid.key)
    var record = UndoRecord(.holder)
    record.cid = cid
    record.handle = unsafe slot.pointee.holder
    record.holderIsOurs = unsafe slot.pointee.holderIsOurs
    _ = unsafe recording.pointee.records.append(record, size: 0)
  }

  // MARK: Entities

  /// Notes that an entity has come to life, in the last row of its table.
  @usableFromInline
  func noteCreation(_ handle: Handle) {
    guard let place = unsafe self.record(of: handle) else { return }
    var record = UndoRecord(.created)
    record.handle = handle
    unsafe record.table = unsafe place.pointee.table
    record.row = unsafe place.pointee.row
    _ = unsafe recording.pointee.records.append(record, size: 0)
  }

  /// Notes that entities have come to life, in the last rows of a table.
  func noteCreation(of count: Int, in table: TablePointer, from first: Int) {
    guard count > 0 else { return }
    var record = UndoRecord(.createdMany)
    unsafe record.table = unsafe table
    record.row = UInt32(truncatingIfNeeded: first)
    record.count = UInt32(truncatingIfNeeded: count)
    _ = unsafe recording.pointee.records.append(record, size: 0)
  }

  /// Notes that an entity is about to be destroyed.
  func noteDestruction(_ handle: Handle, _ table: TablePointer, _ row: Int) {
    let cids =
      unsafe pointer.pointee.takenCount == 0
      ? table.pointee.signature : table.pointee.signature.filter { !isOut($0, handle) }
    var record = UndoRecord(.destroyed)
    record.handle = handle
    unsafe record.table = unsafe table
    record.row = UInt32(truncatingIfNeeded: row)
    record.count = UInt32(truncatingIfNeeded: cids.count)
    let noted = unsafe recording.pointee.records.append(
      record, size: cids.count * MemoryLayout<CID>.stride + table.pointee.valueSize)
    // SAFETY: there is room for the types and for their values behind the record.
    for (number, cid) in cids.enumerated() { unsafe (noted.types + number).initialize(to: cid) }
    unsafe noted.forEachValueOfEntity { cid, place in
      guard let column = unsafe table.pointee.column(of: cid) else { return }
      unsafe cid.pointer.pointee.copyValue(to: place, from: column.pointee.place(row))
    }
    if unsafe !table.pointee.isTrivial { unsafe recording.pointee.ownsValues = true }
  }

  /// Ends the entity of a slot, which nobody gets before it is certain that it does not live again.
  func holdSlot(_ handle: Handle) {
    // SAFETY: the handle was alive.
    let record = unsafe pointer.pointee.records + Int(handle.index)
    unsafe record.pointee.generation = handle.generation &+ 1
    unsafe record.pointee.table = nil
    unsafe record.pointee.row = Record.none
    pointer.pointee.liveCount &-= 1
    unsafe recording.pointee.held.append(handle.index)
  }

  /// The slots of entities that may live again.
  var heldSlots: [UInt32] { unsafe pointer.pointee.recording?.pointee.held ?? [] }

  // MARK: Reactions

  /// Carries out a reaction list, and notes what it changes, if a transaction runs.
  // PERFORMANCE: E1, X1, V1: what is asked without a transaction is one bit.
  @inline(__always)
  func reactGenerally(_ list: ReactionListPointer?, _ handle: Handle) {
    if isRecording { unsafe reactRecording(list, handle) } else { unsafe react(list, handle) }
  }

  /// Carries out a reaction list, and notes what it changes.
  @usableFromInline
  @inline(never)
  func reactRecording(_ list: ReactionListPointer?, _ handle: Handle) {
    guard let list = unsafe list else { return }
    for number in unsafe 0..<list.pointee.count {
      unsafe assert(list.noteWalk(at: number))
      switch unsafe list.pointee.reactions[number].target {
      case .log(let log): unsafe noteRecord(of: handle, in: log)
      case .index(let sink, let column):
        unsafe sink._withUnsafeGuaranteedRef { note($0) }
        unsafe sink._withUnsafeGuaranteedRef { $0.history.beginNoting(handle) }
        unsafe update(sink, column, handle)
        unsafe sink._withUnsafeGuaranteedRef { $0.history.endNoting(handle) }
      case .sink(let sink): unsafe tell(sink, list.pointee.reactions[number].kind, handle)
      }
    }
  }

  private func noteRecord(of handle: Handle, in log: UnsafeMutablePointer<EntityLog>) {
    guard unsafe !log.pointee.isPaused else { return }
    unsafe note(log)
    if unsafe log.pointee.willDoMore(thanAppend: handle) { unsafe noteContents(of: log) }
    let wakes = pointer.pointee.wakes.count
    unsafe record(handle, in: log)
    if pointer.pointee.wakes.count > wakes { unsafe recording.pointee.logWakes.append(wakes) }
  }

  /// Notes that a log is about to be changed.
  private func note(_ log: UnsafeMutablePointer<EntityLog>) {
    let previous = unsafe log.pointee.lastNote
    let savepoint = pointer.pointee.savepoint
    if previous >= 0, unsafe recording.pointee.logNotes[previous].savepoint == savepoint { return }
    unsafe log.pointee.lastNote = unsafe recording.pointee.logNotes.count
    unsafe recording.pointee.logNotes.append(
      Recording.LogNote(
        log: log, savepoint: savepoint, previous: previous, state: log.pointee.state))
  }

  /// Keeps the handles that a log had at each note, to which so far others were added only.
  private func noteContents(of log: UnsafeMutablePointer<EntityLog>) {
    var number = unsafe log.pointee.lastNote
    while number >= 0 {
      let note = unsafe recording.pointee.logNotes[number]
      guard note.state.handles == nil else { break }
      unsafe recording.pointee.logNotes[number].state.handles = unsafe Array(
        log.pointee.elements.prefix(note.state.count))
      number = note.previous
    }
  }

  /// Notes that a log is about to be changed in another way than by an entity that comes.
  func noteChange(of log: UnsafeMutablePointer<EntityLog>) {
    guard isRecording else { return }
    unsafe note(log)
    unsafe noteContents(of: log)
  }

  private func note(_ sink: IndexSink) {
    let savepoint = pointer.pointee.savepoint
    guard sink.savepoint != savepoint else { return }
    sink.savepoint = savepoint
    let length = sink.history.length
    onReturn(.links) { sink.history.revert(to: length) }
    if length == 0 { onClose { sink.history.forget() } }
  }

  // MARK: What is not in storage

  /// The number of the innermost transaction that runs; 0 if none does.
  ///
  /// Who notes with it what was noted needs to note it once for each.
  var savepoint: UInt64 { pointer.pointee.savepoint }

  /// Puts something back if the innermost transaction that runs is taken back.
  func onReturn(_ stage: Recording.Stage, _ body: @escaping () -> Void) {
    unsafe recording.pointee.add(stage, body)
  }

  /// Does something when the outermost transaction has ended.
  func onClose(_ body: @escaping () -> Void) {
    unsafe recording.pointee.addClosing(body)
  }
}
