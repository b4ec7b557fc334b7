/// The notes of columns that iterations may change, for transactions and journals, also for those
/// that begin while an iteration runs.
struct IterationNotes {
  let core: Core
}

extension IterationNotes {
  /// Notes that an iteration is about to get the values of a column.
  func begin(_ cid: CID, of table: TablePointer) -> ColumnNote? {
    if core.isFreezing { unsafe Freezing(core: core).keepColumn(cid, of: table) }
    guard let column = unsafe table.pointee.column(of: cid), core.recorder.wantsNote(of: cid) else {
      return nil
    }
    let rows = unsafe 0..<table.pointee.count
    let noted = unsafe append(cid, of: table, rows: rows, hasOld: true)
    // SAFETY: there is room for so many values behind the note; those in the column are
    // initialized, since nothing iterates over a column while a closure has a value of it.
    unsafe cid.copyValues(
      to: noted.oldValues(of: cid), from: column.pointee.base, count: rows.count)
    return unsafe ColumnNote(note: noted, column: column)
  }

  /// Puts a note of rows of a column behind the others, without values.
  func append(
    _ cid: CID, of table: TablePointer, rows: Range<Int>, hasOld: Bool
  ) -> UndoRecordPointer {
    let count = rows.count
    var note = UndoRecord(.column)
    unsafe note.table = unsafe table
    note.cid = cid
    note.row = UInt32(truncatingIfNeeded: rows.lowerBound)
    note.count = UInt32(truncatingIfNeeded: count)
    note.hasOld = hasOld
    let isJournaled = core.isJournaling
    let handleBytes = isJournaled ? (count + 1) * MemoryLayout<Handle>.stride : 0
    let values = UndoRecord.size(of: cid, values: isJournaled ? 2 * count : count)
    let noted = unsafe core.recorder.append(
      note, size: values + cid.pointer.pointee.alignment + handleBytes)
    if !cid.pointer.pointee.isTrivial { unsafe core.recording.pointee.ownsValues = true }
    guard isJournaled else { return unsafe noted }
    // SAFETY: there is room for as many handles as rows, too.
    let handles = unsafe noted.handles(ofColumn: cid)
    for (index, row) in rows.enumerated() {
      unsafe (handles + index).initialize(to: core.handle(at: row, of: table))
    }
    return unsafe noted
  }

  /// Completes the note of a column for journals, when the iteration has ended and before rows
  /// move.
  func complete(_ column: ColumnNote) {
    let note = unsafe column.note
    guard let cid = unsafe note.pointee.cid, column.isJournaled else { return }
    unsafe note.pointee.hasNew = true
    // SAFETY: there is room for the values; those in the column are initialized, and no row has
    // moved since the iteration began.
    unsafe cid.copyValues(
      to: note.newValues(of: cid),
      from: column.column.pointee.place(Int(note.pointee.row)), count: Int(note.pointee.count))
  }

  // MARK: Journals that begin

  /// Lets a journal that begins now get what the iterations that run change from now on.
  ///
  /// What they have changed so far is delivered by notes of their own, to those that were there. A
  /// value that a closure has at this moment can't be looked at: of that, the value is delivered
  /// that it had when the iteration came to its table, or none if that was not noted.
  func divide() {
    var inner: [RunningIteration.Reference] = []
    var end = core.pointer.pointee.iterations.kept.count
    var next = core.pointer.pointee.iterations.innermost
    while let iteration = next {
      let first = iteration.pointer.pointee.firstKept
      if divideNotes(of: iteration, keptIn: first..<end) {
        for other in inner { other.pointer.pointee.firstKept += 1 }
      }
      end = first
      inner.append(iteration)
      next = iteration.pointer.pointee.outer
    }
  }

  /// Returns whether the iteration keeps something of one table more.
  private func divideNotes(
    of iteration: RunningIteration.Reference, keptIn range: Range<Int>
  ) -> Bool {
    let request = iteration.request
    let isInnermost = unsafe iteration.pointer == core.pointer.pointee.iterations.innermost?.pointer
    let table =
      unsafe isInnermost
      ? core.pointer.pointee.iterations.currentTable : iteration.pointer.pointee.table
    guard request.mutatedEnd > 0, let table = unsafe table,
      let inHand = unsafe core.exclusivity.rowsInHand(of: iteration, in: table)
    else { return false }
    iteration.pointer.pointee.isQuiet = false
    let index = range.last { unsafe core.pointer.pointee.iterations.kept[$0].table == table }
    let earlier = index.map { core.pointer.pointee.iterations.kept[$0].notes } ?? []
    let notes = request.mutated.flatMap { key in
      unsafe divide(key, of: table, inHand, earlier)
    }
    if let index {
      core.pointer.pointee.iterations.kept[index].notes = notes
      return false
    }
    unsafe core.pointer.pointee.iterations.kept.insert(
      KeptColumns(table: table, old: [], notes: notes), at: range.upperBound)
    return true
  }

  /// Completes what was noted of a column, and begins to note it anew.
  private func divide(
    _ key: ComponentKey, of table: TablePointer, _ inHand: Range<Int>, _ earlier: [ColumnNote]
  ) -> [ColumnNote] {
    guard let cid = unsafe table.pointee.edge(key)?.pointee.cid,
      let column = unsafe table.pointee.column(of: cid)
    else { return [] }
    let former = earlier.filter { unsafe $0.note.pointee.cid == cid }
    let inHand = cid.pointer.pointee.isTrivial ? 0..<0 : inHand
    let count = unsafe table.pointee.count
    let present = unsafe ColumnReading(cid, column, inHand, former)
    for note in former where note.isJournaled { present.complete(note) }
    guard core.recorder.wantsNote(of: cid) else { return former.filter { !$0.isJournaled } }
    let parts =
      present.knows(inHand)
      ? [0..<count] : [0..<inHand.lowerBound, inHand, inHand.upperBound..<count]
    return parts.filter { !$0.isEmpty }.map { unsafe note($0, cid, table, present) }
  }

  private func note(
    _ rows: Range<Int>, _ cid: CID, _ table: TablePointer, _ present: ColumnReading
  ) -> ColumnNote {
    let hasOld = present.knows(rows)
    let noted = unsafe append(cid, of: table, rows: rows, hasOld: hasOld)
    // SAFETY: there is room for so many values behind the note.
    if hasOld { unsafe present.copy(rows, to: noted.oldValues(of: cid)) }
    return unsafe ColumnNote(note: noted, column: present.column)
  }
}

/// The values of a column while closures have some of them.
@safe
private struct ColumnReading {
  let cid: CID
  let column: UnsafeMutablePointer<Column>

  /// The rows whose values closures have.
  private let inHand: Range<Int>

  /// What was noted of the column before closures had them.
  private let former: [ColumnNote]

  init(
    _ cid: CID, _ column: UnsafeMutablePointer<Column>, _ inHand: Range<Int>,
    _ former: [ColumnNote]
  ) {
    self.cid = cid
    unsafe self.column = unsafe column
    self.inHand = inHand
    self.former = former
  }

  /// The value of a row, or what it was before a closure had it; nil if that was not seen.
  private func value(_ row: Int) -> UnsafeMutableRawPointer? {
    guard inHand.contains(row) else { return unsafe column.pointee.place(row) }
    for note in former where note.rows.contains(row) { return unsafe note.oldValue(row, cid) }
    return nil
  }

  func knows(_ rows: Range<Int>) -> Bool {
    rows.clamped(to: inHand).allSatisfy { unsafe value($0) != nil }
  }

  /// Copies values to uninitialized memory.
  func copy(_ rows: Range<Int>, to copies: UnsafeMutableRawPointer) {
    let stride = cid.pointer.pointee.stride
    for (index, row) in rows.enumerated() {
      guard let value = unsafe value(row) else { continue }
      // SAFETY: the value is initialized: nothing else has it.
      unsafe cid.copyValue(to: copies + index * stride, from: value)
    }
  }

  /// Completes a note with the values of this moment, those in hands being delivered when they are
  /// seen.
  func complete(_ note: ColumnNote) {
    guard knows(note.rows) else { return }
    unsafe note.note.pointee.hasNew = true
    // SAFETY: the note has room for them, since it is to be delivered.
    unsafe copy(note.rows, to: note.note.newValues(of: cid))
  }
}

extension ColumnNote {
  /// The rows that it is about.
  fileprivate var rows: Range<Int> {
    let first = unsafe Int(note.pointee.row)
    return unsafe first..<first + Int(note.pointee.count)
  }

  /// The value of a row from before the iteration; nil if there is none.
  fileprivate func oldValue(_ row: Int, _ cid: CID) -> UnsafeMutableRawPointer? {
    guard unsafe note.pointee.hasOld else { return nil }
    return unsafe note.oldValues(of: cid) + (row - rows.lowerBound) * cid.pointer.pointee.stride
  }
}
