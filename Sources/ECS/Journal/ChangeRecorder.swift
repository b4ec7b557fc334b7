/// The recorder of changes, which notes for transactions and journals how to undo them.
///
/// Only general paths ask it, which all changes take while there are any.
@frozen
@usableFromInline
struct ChangeRecorder {
  @usableFromInline let core: Core

  @inlinable
  @inline(__always)
  init(_ core: Core) { self.core = core }
}

extension Core {
  /// The notes of changes, for transactions and journals.
  @inlinable
  @inline(__always)
  var recorder: ChangeRecorder { ChangeRecorder(self) }
}

extension ChangeRecorder {
  /// Whether changes of a component are to be noted.
  @inline(__always)
  func wantsNote(of cid: CID) -> Bool {
    if core.isRecording { return true }
    guard core.isJournaling else { return false }
    return unsafe core.recording.pointee.interest.takesIn(cid)
  }

  private func wantsNote(ofAnyOf cids: [CID]) -> Bool {
    if core.isRecording { return true }
    guard core.isJournaling else { return false }
    return unsafe core.recording.pointee.interest.components == nil
      || cids.contains { wantsNote(of: $0) }
  }

  /// Puts a note behind the others, with its cause if a journal is going to tell it.
  @inline(__always)
  func append(_ note: UndoRecord, size: Int) -> UndoRecordPointer {
    guard core.isJournaling else {
      return unsafe core.recording.pointee.records.append(note, size: size)
    }
    core.pointer.pointee.section.pending.insert(.noted)
    // A transaction notes components that no journal wants.
    if core.isRecording, let cid = note.cid, unsafe !core.recording.pointee.interest.takesIn(cid) {
      return unsafe core.recording.pointee.records.append(note, size: size)
    }
    var note = note
    note.cause = unsafe core.recording.pointee.causeID()
    return unsafe core.recording.pointee.records.append(note, size: size)
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
  ) -> Notifications.ValueAddresses? {
    guard let cid = unsafe edge.pointee.cid else { return nil }
    if core.isFreezing { Freezing(core: core).keepValue(of: cid, handle) }
    guard wantsNote(of: cid) else { return nil }
    let isJournaled = core.isJournaling
    var note = UndoRecord(.replaced)
    note.handle = handle
    note.cid = cid
    note.hasOld = true
    note.hasNew = isJournaled
    let noted = unsafe append(note, size: UndoRecord.size(of: cid, values: isJournaled ? 2 : 1))
    if !cid.pointer.pointee.isTrivial { unsafe core.recording.pointee.ownsValues = true }
    // SAFETY: there is room for so many values behind the note.
    let old = unsafe noted.oldValues(of: cid)
    return unsafe Notifications.ValueAddresses(old: old, new: old + cid.pointer.pointee.stride)
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
    if core.isFreezing { Freezing(core: core).keepValue(of: cid, handle) }
    guard wantsNote(of: cid) else { return }
    var note = UndoRecord(.replaced)
    note.handle = handle
    unsafe noteOldValue(note, cid, core.exclusivity.isOut(cid, handle) ? nil : value)
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
    _ = unsafe append(note, size: core.isJournaling ? UndoRecord.size(of: cid, values: 1) : 0)
  }

  /// Completes the note of a change of a component for journals, when the new value is in place.
  ///
  /// The note is the last one: nothing else was changed meanwhile.
  func noteNewValue(_ cid: CID, _ value: UnsafeMutableRawPointer) {
    guard wantsNote(of: cid), let note = unsafe core.recording.pointee.records.last else { return }
    unsafe assert(note.pointee.cid == cid && !note.pointee.hasNew, "Another change came between.")
    unsafe note.pointee.hasNew = true
    if !cid.pointer.pointee.isTrivial { unsafe core.recording.pointee.ownsValues = true }
    // SAFETY: there is room for the value, since a journal wants it; the one in place is
    // initialized.
    unsafe cid.copyValue(to: note.newValues(of: cid), from: value)
  }

  /// Notes that a component is about to be removed.
  func noteRemoval(_ handle: Handle, _ cid: CID, _ table: TablePointer, _ row: Int) {
    if core.isFreezing { unsafe Freezing(core: core).keepRow(row, of: table) }
    guard wantsNote(of: cid) else { return }
    var note = UndoRecord(.removed)
    note.handle = handle
    unsafe note.table = unsafe table
    note.row = UInt32(truncatingIfNeeded: row)
    let value =
      unsafe core.exclusivity.isOut(cid, handle)
      ? nil : table.pointee.column(of: cid)?.pointee.place(row)
    unsafe noteOldValue(note, cid, value)
  }

  private func noteOldValue(
    _ note: UndoRecord, _ cid: CID, _ value: UnsafeMutableRawPointer?
  ) {
    var note = note
    note.cid = cid
    note.hasOld = unsafe value != nil
    let hasNew = core.isJournaling && note.kind == .replaced
    let size = UndoRecord.size(of: cid, values: hasNew ? 2 : 1)
    let noted = unsafe append(note, size: size)
    guard let value = unsafe value else { return }
    if !cid.pointer.pointee.isTrivial { unsafe core.recording.pointee.ownsValues = true }
    // SAFETY: there is room for a value behind the note; the one in the column is initialized.
    unsafe cid.copyValue(to: noted.oldValues(of: cid), from: value)
  }

  /// Notes that a unique component is about to have another holder.
  func noteHolder(of cid: CID) {
    guard core.isRecording else { return }
    let slot = unsafe core.pointer.pointee.slots.unique.ensure(cid.key)
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
    guard let record = unsafe core.record(of: handle), let table = unsafe record.pointee.table,
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
    guard core.isJournaling else {
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
        unsafe (noted.handles + offset).initialize(to: core.handle(at: row + offset, of: table))
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
    if unsafe !table.pointee.isTrivial { unsafe core.recording.pointee.ownsValues = true }
  }

  /// Notes that an entity is about to be destroyed.
  func noteDestruction(_ handle: Handle, _ table: TablePointer, _ row: Int) {
    if core.isFreezing { unsafe Freezing(core: core).keepRow(row, of: table) }
    guard unsafe wantsNote(ofAnyOf: table.pointee.signature) else { return }
    let cids =
      unsafe core.pointer.pointee.taken.count == 0
      ? table.pointee.signature
      : table.pointee.signature.filter { !core.exclusivity.isOut($0, handle) }
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
    if unsafe !table.pointee.isTrivial { unsafe core.recording.pointee.ownsValues = true }
  }

  // MARK: The account

  /// The account of what is noted, in effect from now on.
  func begin() -> UnsafeMutablePointer<Recording> {
    if let recording = unsafe core.pointer.pointee.journaling.recording { return unsafe recording }
    let recording: UnsafeMutablePointer<Recording>
    if let kept = unsafe core.pointer.pointee.journaling.keptRecording {
      unsafe recording = unsafe kept
    } else {
      unsafe recording = UnsafeMutablePointer<Recording>.allocate(capacity: 1)
      unsafe recording.initialize(to: Recording())
      unsafe core.pointer.pointee.journaling.keptRecording = unsafe recording
    }
    unsafe core.pointer.pointee.journaling.recording = unsafe recording
    return unsafe recording
  }

  /// Discards the values of notes that nothing reads any more.
  func discardValues(of notes: borrowing UndoLog) {
    unsafe notes.walk { note in unsafe discardValues(of: note) }
  }

  func discardValues(of note: UndoRecordPointer) {
    unsafe note.forEachOwningValue { cid, values, count in
      for index in 0..<count {
        // SAFETY: the values are initialized, and nothing reads the note any more.
        unsafe core.discard(cid.pointer.pointee.take(values + index * cid.pointer.pointee.stride))
      }
    }
  }

  /// Forgets what was noted, when it is not needed any more.
  func end(_ recording: UnsafeMutablePointer<Recording>) {
    if unsafe recording.pointee.ownsValues { discardValues(of: unsafe recording.pointee.records) }
    unsafe recording.pointee.forgetNotes()
    unsafe core.pointer.pointee.journaling.recording = nil
  }

  /// How much was noted of the present outermost change; nil if there is nothing.
  var position: UndoLog.Position? {
    guard let recording = unsafe core.pointer.pointee.journaling.recording,
      unsafe !recording.pointee.records.isEmpty
    else { return nil }
    return unsafe recording.pointee.records.position
  }
}
