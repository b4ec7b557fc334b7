// What is noted of changes while a transaction runs, or while there are journals. Only general
// paths ask, which all changes take then.
extension Core {
  /// Whether a transaction runs.
  @inlinable
  @inline(__always)
  var isRecording: Bool { pointer.pointee.section.mode.contains(.recording) }

  /// Whether changes are noted, for a transaction or for journals, or rows are copied before for
  /// pictures of them.
  @inlinable
  @inline(__always)
  var isNoting: Bool { pointer.pointee.section.mode.notes }

  /// Whether rows are copied before they change.
  var isFreezing: Bool { pointer.pointee.section.mode.contains(.frozen) }

  var recording: UnsafeMutablePointer<Recording> {
    guard let recording = unsafe pointer.pointee.journaling.recording else {
      stop("A change was to be noted although nobody wants it.")
    }
    return unsafe recording
  }

  /// Whether changes of a component are to be noted.
  @inline(__always)
  func wantsNote(of cid: CID) -> Bool {
    if isRecording { return true }
    guard isJournaling else { return false }
    return unsafe recording.pointee.interest.takesIn(cid)
  }

  private func wantsNote(ofAnyOf cids: [CID]) -> Bool {
    if isRecording { return true }
    guard isJournaling else { return false }
    return unsafe recording.pointee.interest.components == nil
      || cids.contains { wantsNote(of: $0) }
  }

  /// Puts a note behind the others, with its cause if a journal is going to tell it.
  @inline(__always)
  func append(_ note: UndoRecord, size: Int) -> UndoRecordPointer {
    guard isJournaling else { return unsafe recording.pointee.records.append(note, size: size) }
    pointer.pointee.section.pending.insert(.noted)
    // A transaction notes components that no journal wants.
    if isRecording, let cid = note.cid, unsafe !recording.pointee.interest.takesIn(cid) {
      return unsafe recording.pointee.records.append(note, size: size)
    }
    var note = note
    note.cause = unsafe recording.pointee.causeID()
    return unsafe recording.pointee.records.append(note, size: size)
  }

  // MARK: Components

  /// Notes that the value of a component, which no closure has, is about to be replaced.
  ///
  /// Returns where the caller puts copies of it and, for journals, of the value that comes; nil if
  /// it is not to be noted.
  // PERFORMANCE: J1: the caller has the type.
  @usableFromInline
  @inline(never)
  func notePlainReplacement(
    _ handle: Handle, _ edge: UnsafeMutablePointer<Edge>
  ) -> ValueAddresses? {
    guard let cid = unsafe edge.pointee.cid else { return nil }
    if isFreezing { Freezing(core: self).keepValue(of: cid, handle) }
    guard wantsNote(of: cid) else { return nil }
    let isJournaled = isJournaling
    var note = UndoRecord(.replaced)
    note.handle = handle
    note.cid = cid
    note.hasOld = true
    note.hasNew = isJournaled
    let noted = unsafe append(note, size: UndoRecord.size(of: cid, values: isJournaled ? 2 : 1))
    if !cid.pointer.pointee.isTrivial { unsafe recording.pointee.ownsValues = true }
    // SAFETY: there is room for so many values behind the note.
    let old = unsafe noted.oldValues(of: cid)
    return unsafe ValueAddresses(old: old, new: old + cid.pointer.pointee.stride)
  }

  /// Notes that the value of a component is about to be replaced.
  ///
  /// `value` is nil if there is no value at this moment.
  @usableFromInline
  @inline(never)
  func noteReplacement(
    _ handle: Handle, _ edge: UnsafeMutablePointer<Edge>, _ value: UnsafeMutableRawPointer?
  ) {
    guard let cid = unsafe edge.pointee.cid else { return }
    if isFreezing { Freezing(core: self).keepValue(of: cid, handle) }
    guard wantsNote(of: cid) else { return }
    var note = UndoRecord(.replaced)
    note.handle = handle
    unsafe noteOldValue(note, cid, exclusivity.isOut(cid, handle) ? nil : value)
  }

  /// Completes the note of a replacement for journals, when the new value is in place.
  @usableFromInline
  @inline(never)
  func noteReplaced(_ edge: UnsafeMutablePointer<Edge>, _ value: UnsafeMutableRawPointer) {
    guard let cid = unsafe edge.pointee.cid else { return }
    unsafe noteNewValue(cid, value)
  }

  /// Notes that a component is about to be added.
  func noteAddition(_ handle: Handle, _ cid: CID, _ table: TablePointer, _ row: UInt32) {
    guard wantsNote(of: cid) else { return }
    var note = UndoRecord(.added)
    note.handle = handle
    unsafe note.table = unsafe table
    note.row = row
    note.cid = cid
    _ = unsafe append(note, size: isJournaling ? UndoRecord.size(of: cid, values: 1) : 0)
  }

  /// Completes the note of a change of a component for journals, when the new value is in place.
  ///
  /// The note is the last one: nothing else was changed meanwhile.
  func noteNewValue(_ cid: CID, _ value: UnsafeMutableRawPointer) {
    guard wantsNote(of: cid), let note = unsafe recording.pointee.records.last else { return }
    unsafe assert(note.pointee.cid == cid && !note.pointee.hasNew, "Another change came between.")
    unsafe note.pointee.hasNew = true
    if !cid.pointer.pointee.isTrivial { unsafe recording.pointee.ownsValues = true }
    // SAFETY: there is room for the value, since a journal wants it; the one in place is
    // initialized.
    unsafe cid.copyValue(to: note.newValues(of: cid), from: value)
  }

  /// Notes that a component is about to be removed.
  func noteRemoval(_ handle: Handle, _ cid: CID, _ table: TablePointer, _ row: Int) {
    if isFreezing { unsafe Freezing(core: self).keepRow(row, of: table) }
    guard wantsNote(of: cid) else { return }
    var note = UndoRecord(.removed)
    note.handle = handle
    unsafe note.table = unsafe table
    note.row = UInt32(truncatingIfNeeded: row)
    let value =
      unsafe exclusivity.isOut(cid, handle)
      ? nil : table.pointee.column(of: cid)?.pointee.place(row)
    unsafe noteOldValue(note, cid, value)
  }

  private func noteOldValue(
    _ note: UndoRecord, _ cid: CID, _ value: UnsafeMutableRawPointer?
  ) {
    var note = note
    note.cid = cid
    note.hasOld = unsafe value != nil
    let hasNew = isJournaling && note.kind == .replaced
    let size = UndoRecord.size(of: cid, values: hasNew ? 2 : 1)
    let noted = unsafe append(note, size: size)
    guard let value = unsafe value else { return }
    if !cid.pointer.pointee.isTrivial { unsafe recording.pointee.ownsValues = true }
    // SAFETY: there is room for a value behind the note; the one in the column is initialized.
    unsafe cid.copyValue(to: noted.oldValues(of: cid), from: value)
  }

  /// Notes that a unique component is about to have another holder.
  func noteHolder(of cid: CID) {
    guard isRecording else { return }
    let slot = unsafe pointer.pointee.slots.unique.ensure(cid.key)
    var note = UndoRecord(.holder)
    note.cid = cid
    note.handle = unsafe slot.pointee.holder
    note.holderIsOurs = unsafe slot.pointee.holderIsOurs
    _ = unsafe append(note, size: 0)
  }

  // MARK: Entities

  /// Notes that an entity has come to life, in the last row of its table.
  @usableFromInline
  func noteCreation(_ handle: Handle) {
    guard let record = unsafe self.record(of: handle), let table = unsafe record.pointee.table,
      unsafe wantsNote(ofAnyOf: table.pointee.signature)
    else { return }
    var note = UndoRecord(.created)
    note.handle = handle
    unsafe note.table = unsafe table
    note.row = unsafe record.pointee.row
    unsafe noteNewEntities(note, of: table)
  }

  /// Notes that entities have come to life, in the last rows of a table.
  func noteCreation(of count: Int, in table: TablePointer, from first: Int) {
    guard count > 0, unsafe wantsNote(ofAnyOf: table.pointee.signature) else { return }
    var note = UndoRecord(.createdMany)
    unsafe note.table = unsafe table
    note.row = UInt32(truncatingIfNeeded: first)
    note.count = UInt32(truncatingIfNeeded: count)
    unsafe noteNewEntities(note, of: table)
  }

  /// Notes entities with their values, if a journal is going to tell of them.
  private func noteNewEntities(_ note: UndoRecord, of table: TablePointer) {
    guard isJournaling else {
      _ = unsafe append(note, size: 0)
      return
    }
    let (count, row) = (Int(note.count), Int(note.row))
    let handles = note.kind == .createdMany ? (count + 1) * MemoryLayout<Handle>.stride : 0
    let values = unsafe table.pointee.signature.reduce(0) {
      $0 + UndoRecord.size(of: $1, values: count) + $1.pointer.pointee.alignment
    }
    var note = note
    note.hasNew = true
    note.typeCount = unsafe UInt32(truncatingIfNeeded: table.pointee.columnCount)
    let types = unsafe table.pointee.columnCount * MemoryLayout<CID>.stride
    let noted = unsafe append(note, size: handles + types + values)
    // SAFETY: there is room for handles, types and values; the rows are initialized.
    if note.kind == .createdMany {
      for offset in 0..<count {
        unsafe (noted.handles + offset).initialize(to: handle(at: row + offset, of: table))
      }
    }
    for index in unsafe 0..<table.pointee.columnCount {
      unsafe (noted.types + index).initialize(to: table.pointee.columns[index].cid)
    }
    unsafe noted.forEachColumnOfEntities { cid, values in
      guard let column = unsafe table.pointee.column(of: cid) else { return }
      unsafe cid.copyValues(
        to: values, from: column.pointee.place(row), count: count)
    }
    if unsafe !table.pointee.isTrivial { unsafe recording.pointee.ownsValues = true }
  }

  /// Notes that an entity is about to be destroyed.
  func noteDestruction(_ handle: Handle, _ table: TablePointer, _ row: Int) {
    if isFreezing { unsafe Freezing(core: self).keepRow(row, of: table) }
    guard unsafe wantsNote(ofAnyOf: table.pointee.signature) else { return }
    let cids =
      unsafe pointer.pointee.taken.count == 0
      ? table.pointee.signature : table.pointee.signature.filter { !exclusivity.isOut($0, handle) }
    var note = UndoRecord(.destroyed)
    note.handle = handle
    unsafe note.table = unsafe table
    note.row = UInt32(truncatingIfNeeded: row)
    note.hasOld = true
    note.typeCount = UInt32(truncatingIfNeeded: cids.count)
    let noted = unsafe append(
      note, size: cids.count * MemoryLayout<CID>.stride + table.pointee.valueSize)
    // SAFETY: there is room for the types and for their values behind the note.
    for (index, cid) in cids.enumerated() { unsafe (noted.types + index).initialize(to: cid) }
    unsafe noted.forEachColumnOfEntities { cid, values in
      guard let column = unsafe table.pointee.column(of: cid) else { return }
      unsafe cid.copyValue(to: values, from: column.pointee.place(row))
    }
    if unsafe !table.pointee.isTrivial { unsafe recording.pointee.ownsValues = true }
  }

  // MARK: Slots

  /// Ends the entity of a slot, which no other gets before it is certain that it does not live
  /// again.
  func holdSlot(_ handle: Handle) {
    // SAFETY: the handle was alive.
    let record = unsafe pointer.pointee.slots.records + Int(handle.index)
    unsafe record.pointee.generation = handle.generation &+ 1
    unsafe record.pointee.table = nil
    unsafe record.pointee.row = Record.none
    pointer.pointee.slots.liveCount &-= 1
    unsafe recording.pointee.hold(handle.index)
  }

  /// The slots of entities that may live again.
  var retainedSlots: [UInt32] { unsafe pointer.pointee.journaling.recording?.pointee.held ?? [] }

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
    for index in unsafe 0..<list.pointee.count {
      unsafe assert(list.noteWalk(at: index))
      switch unsafe list.pointee.reactions[index].target {
      case .log(let log): unsafe noteRecord(of: handle, in: log)
      case .index(let sink, let column):
        // SAFETY: the invariant of `Reaction.Target`.
        unsafe sink._withUnsafeGuaranteedRef { note($0) }
        unsafe sink._withUnsafeGuaranteedRef { $0.history.beginNoting(handle) }
        unsafe update(sink, column, handle)
        unsafe sink._withUnsafeGuaranteedRef { $0.history.endNoting(handle) }
      case .sink(let sink): unsafe tell(sink, list.pointee.reactions[index].kind, handle)
      }
    }
  }

  func noteRecord(of handle: Handle, in log: UnsafeMutablePointer<EntitySparseSet>) {
    guard unsafe !log.pointee.isClosed else { return }
    unsafe note(log)
    if unsafe log.pointee.willDoMore(thanAppend: handle) { unsafe noteContents(of: log) }
    let afterUnlock = pointer.pointee.section.afterUnlock.count
    unsafe record(handle, in: log)
    if pointer.pointee.section.afterUnlock.count > afterUnlock {
      unsafe recording.pointee.add(logWake: afterUnlock)
    }
  }

  /// Notes that a log is about to be changed.
  private func note(_ log: UnsafeMutablePointer<EntitySparseSet>) {
    let previous = unsafe log.pointee.lastNote
    let savepoint = pointer.pointee.journaling.savepoint
    if previous >= 0, unsafe recording.pointee.logNotes[previous].savepoint == savepoint { return }
    unsafe log.pointee.lastNote = unsafe recording.pointee.logNotes.count
    unsafe recording.pointee.add(
      Recording.LogNote(
        log: log, savepoint: savepoint, previous: previous, state: log.pointee.state))
  }

  /// Keeps the handles that a log had at each note, to which so far others were added only.
  private func noteContents(of log: UnsafeMutablePointer<EntitySparseSet>) {
    var index = unsafe log.pointee.lastNote
    while index >= 0 {
      let note = unsafe recording.pointee.logNotes[index]
      guard note.state.handles == nil else { break }
      unsafe recording.pointee.logNotes[index].state.handles = unsafe Array(
        log.pointee.elements.prefix(note.state.count))
      index = note.previous
    }
  }

  /// Lets transactions that are taken back leave a log empty.
  func forgetContents(of log: UnsafeMutablePointer<EntitySparseSet>) {
    var index = unsafe log.pointee.lastNote
    while index >= 0 {
      unsafe recording.pointee.logNotes[index].state.empty()
      index = unsafe recording.pointee.logNotes[index].previous
    }
  }

  /// Notes that a log is about to be changed in another way than by an entity that comes.
  func noteChange(of log: UnsafeMutablePointer<EntitySparseSet>) {
    guard isRecording else { return }
    unsafe note(log)
    unsafe noteContents(of: log)
  }

  private func note(_ sink: IndexSink) {
    let savepoint = pointer.pointee.journaling.savepoint
    guard sink.savepoint != savepoint else { return }
    sink.savepoint = savepoint
    let length = sink.history.length
    // Keys are compared, and values combined, by code of the user's.
    onReturn(.links) { refusingChanges(.buildingKeys) { sink.history.revert(to: length) } }
    if length == 0 { onClose { sink.history.forget() } }
  }

  // MARK: What is not in storage

  /// The number of the innermost transaction that runs; 0 if none does.
  ///
  /// What is noted together with it has to be noted once for each.
  var savepoint: UInt64 { pointer.pointee.journaling.savepoint }

  /// The number of the last transaction that began.
  var lastSavepoint: UInt64 { pointer.pointee.journaling.lastSavepoint }

  /// Puts something back if the innermost transaction that runs is taken back.
  func onReturn(_ stage: Recording.Stage, _ body: @escaping () -> Void) {
    unsafe recording.pointee.add(stage, body)
  }

  /// Does something when the outermost transaction has ended.
  func onClose(_ body: @escaping () -> Void) {
    unsafe recording.pointee.addClosing(body)
  }
}
