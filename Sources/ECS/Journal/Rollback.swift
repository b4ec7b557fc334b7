/// The rollback of single changes, from the last one to the first one: each finds storage as the
/// change has left it.
struct Rollback {
  let core: Core
}

extension Rollback {
  func undo(_ note: UndoRecordPointer) {
    let handle = unsafe note.pointee.handle
    switch unsafe note.pointee.kind {
    case .created: undoCreation(handle)
    case .createdMany: unsafe undoCreations(note)
    case .destroyed: unsafe undoDestruction(note)
    case .added: unsafe undoAddition(note)
    case .removed: unsafe undoRemoval(note)
    case .replaced: unsafe undoReplacement(note)
    case .column: unsafe undoIteration(note)
    case .holder: unsafe undoHolder(note)
    // Relations have an account of their own; these values are copies.
    case .linked, .unlinked, .moved, .linkUpdated:
      if unsafe note.pointee.typeCount > 0 { unsafe core.recorder.discardValues(of: note) }
      return
    }
    // What storage had before is there again; what it was to have is not delivered.
    unsafe note.pointee.hasOld = false
    if unsafe note.pointee.hasNew { unsafe core.recorder.discardValues(of: note) }
  }

  // MARK: Components

  private func undoReplacement(_ note: UndoRecordPointer) {
    let handle = unsafe note.pointee.handle
    guard let cid = unsafe note.pointee.cid, let record = unsafe core.record(of: handle),
      let table = unsafe record.pointee.table, let column = unsafe table.pointee.column(of: cid),
      let edge = unsafe table.pointee.edge(cid.key)
    else { return }
    let value = unsafe column.pointee.place(Int(record.pointee.row))
    unsafe discardValue(cid, at: value)
    guard unsafe note.pointee.hasOld else { return }
    unsafe column.pointee.moveValue(to: value, from: note.oldValues(of: cid))
    if unsafe !edge.pointee.isReplaceListed {
      unsafe core.reactionLists.refreshReplace(table, edge)
    }
    unsafe tellSinks(edge.pointee.replace, handle)
  }

  private func undoAddition(_ note: UndoRecordPointer) {
    let handle = unsafe note.pointee.handle
    guard let cid = unsafe note.pointee.cid, let earlier = unsafe note.pointee.table,
      let record = unsafe core.record(of: handle), let table = unsafe record.pointee.table,
      let column = unsafe table.pointee.column(of: cid)
    else { return }
    let (edge, _, _) = unsafe core.preparedEdge(of: table, cid)
    let reactions = unsafe edge.pointee.transition
    unsafe discardValue(cid, at: column.pointee.place(Int(record.pointee.row)))
    unsafe moveBack(handle, to: earlier, Int(note.pointee.row))
    if cid.isUnique { unsafe core.pointer.pointee.slots.unique.find(cid.key)?.pointee.value = nil }
    unsafe core.unique.refresh(earlier)
    unsafe tellSinks(reactions, handle)
  }

  private func undoRemoval(_ note: UndoRecordPointer) {
    let handle = unsafe note.pointee.handle
    guard let cid = unsafe note.pointee.cid, let earlier = unsafe note.pointee.table,
      let record = unsafe core.record(of: handle), let table = unsafe record.pointee.table,
      let column = unsafe earlier.pointee.column(of: cid)
    else { return }
    let (edge, _, _) = unsafe core.preparedEdge(of: table, cid)
    let reactions = unsafe edge.pointee.transition
    let row = unsafe Int(note.pointee.row)
    unsafe moveBack(handle, to: earlier, row)
    if unsafe note.pointee.hasOld {
      unsafe column.pointee.moveValue(to: column.pointee.place(row), from: note.oldValues(of: cid))
    }
    unsafe core.unique.refresh(earlier)
    unsafe tellSinks(reactions, handle)
  }

  private func undoIteration(_ note: UndoRecordPointer) {
    guard let cid = unsafe note.pointee.cid, let table = unsafe note.pointee.table,
      let column = unsafe table.pointee.column(of: cid),
      let edge = unsafe table.pointee.edge(cid.key)
    else { return }
    // What journals got without it, was noted before as well.
    guard unsafe note.pointee.hasOld else { return }
    let values = unsafe note.oldValues(of: cid)
    let (first, count) = unsafe (Int(note.pointee.row), Int(note.pointee.count))
    for offset in 0..<count {
      let value = unsafe column.pointee.place(first + offset)
      unsafe discardValue(cid, at: value)
      unsafe column.pointee.moveValue(to: value, from: values + offset * cid.pointer.pointee.stride)
    }
    if unsafe !edge.pointee.isReplaceListed {
      unsafe core.reactionLists.refreshReplace(table, edge)
    }
    let list = unsafe edge.pointee.replace
    guard unsafe list != nil || core.pointer.pointee.observed.count > 0 else { return }
    for offset in 0..<count {
      unsafe tellSinks(list, core.handle(at: first + offset, of: table))
    }
  }

  private func undoHolder(_ note: UndoRecordPointer) {
    guard let cid = unsafe note.pointee.cid,
      let slot = unsafe core.pointer.pointee.slots.unique.find(cid.key)
    else {
      return
    }
    unsafe slot.pointee.holder = unsafe note.pointee.handle
    unsafe slot.pointee.holderIsOurs = unsafe note.pointee.holderIsOurs
  }

  /// Takes a value away that is to be ended outside of the change.
  private func discardValue(_ cid: CID, at value: UnsafeMutableRawPointer) {
    // SAFETY: callers pass initialized values of this type, which they fill or give up.
    if !cid.pointer.pointee.isTrivial { unsafe core.discard(cid.pointer.pointee.take(value)) }
  }

  // MARK: Rows

  /// Moves an entity to the row of another table in which it was before.
  ///
  /// Values that only the other table has a column for are uninitialized afterwards; those that
  /// only the present one has are gone already.
  private func moveBack(_ handle: Handle, to table: TablePointer, _ row: Int) {
    // SAFETY: the handle is alive.
    let record = unsafe core.pointer.pointee.slots.records + Int(handle.index)
    guard let present = unsafe record.pointee.table else { return }
    let presentRow = unsafe Int(record.pointee.row)
    unsafe openRow(row, of: table, for: handle.index)
    let last = unsafe present.pointee.count &- 1
    for index in unsafe 0..<present.pointee.columnCount {
      let column = unsafe present.pointee.columns + index
      let value = unsafe column.pointee.place(presentRow)
      if let other = unsafe table.pointee.column(of: column.pointee.cid) {
        unsafe column.pointee.moveValue(to: other.pointee.place(row), from: value)
      }
      if presentRow != last {
        unsafe column.pointee.moveValue(to: value, from: column.pointee.place(last))
      }
    }
    unsafe core.closeGap(at: presentRow, last: last, of: present)
    unsafe record.pointee.row = UInt32(truncatingIfNeeded: row)
    unsafe record.pointee.table = unsafe table
  }

  /// Makes a row for an entity where it was before: the one that took its row goes back to the
  /// end.
  private func openRow(_ row: Int, of table: TablePointer, for index: UInt32) {
    let last = unsafe table.pointee.appendRow(index)
    assert(row <= last, "An entity was to go back behind the end of its table.")
    guard row < last else { return }
    // SAFETY: both rows are in the table; the last one is uninitialized, and the other one is
    // uninitialized afterwards.
    for index in unsafe 0..<table.pointee.columnCount {
      let column = unsafe table.pointee.columns + index
      unsafe column.pointee.moveValue(
        to: column.pointee.place(last), from: column.pointee.place(row))
    }
    let moved = unsafe table.pointee.entities[row]
    unsafe table.pointee.entities[last] = moved
    unsafe table.pointee.entities[row] = index
    unsafe core.pointer.pointee.slots.records[Int(moved)].row = UInt32(truncatingIfNeeded: last)
  }

  // MARK: Entities

  private func undoCreations(_ note: UndoRecordPointer) {
    guard let table = unsafe note.pointee.table else { return }
    for row in unsafe (0..<Int(note.pointee.count)).reversed() {
      unsafe undoCreation(core.handle(at: Int(note.pointee.row) + row, of: table))
    }
  }

  /// Ends an entity that never was: its handle stays dead for ever.
  private func undoCreation(_ handle: Handle) {
    guard let record = unsafe core.record(of: handle), let table = unsafe record.pointee.table
    else {
      return
    }
    if unsafe !table.pointee.isEntryListed { unsafe core.reactionLists.refreshTable(table) }
    let reactions = unsafe table.pointee.leave
    if unsafe table.pointee.hasUnique {
      for cid in unsafe table.pointee.signature where cid.isUnique {
        unsafe core.pointer.pointee.slots.unique.find(cid.key)?.pointee.value = nil
      }
    }
    unsafe core.removeRow(Int(record.pointee.row), of: table)
    core.retention.endSlot(handle)
    if core.pointer.pointee.retainedSlots != nil { core.retention.endForGood(handle) }
    unsafe core.pointer.pointee.journaling.recording?.pointee.add(undone: handle)
    unsafe tellSinks(reactions, handle)
  }

  /// Lets an entity live again, by the handle that it had.
  private func undoDestruction(_ note: UndoRecordPointer) {
    let handle = unsafe note.pointee.handle
    guard let table = unsafe note.pointee.table else { return }
    if unsafe !table.pointee.isEntryListed { unsafe core.reactionLists.refreshTable(table) }
    let row = unsafe Int(note.pointee.row)
    unsafe openRow(row, of: table, for: handle.index)
    unsafe note.forEachColumnOfEntities { cid, value in
      guard let column = unsafe table.pointee.column(of: cid) else { return }
      unsafe column.pointee.moveValue(to: column.pointee.place(row), from: value)
    }
    // SAFETY: the slot was held back, so no other entity has it.
    let record = unsafe core.pointer.pointee.slots.records + Int(handle.index)
    unsafe record.pointee.generation = handle.generation
    unsafe record.pointee.row = UInt32(truncatingIfNeeded: row)
    unsafe record.pointee.table = unsafe table
    core.pointer.pointee.slots.liveCount &+= 1
    unsafe core.unique.refresh(table)
    unsafe tellSinks(table.pointee.enter, handle)
  }

  // MARK: Reactions

  /// Tells the sinks of a list, such as views, which are to follow every change.
  ///
  /// Indexes, links and logs have accounts of their own, and observers are notified of nothing,
  /// unless they began inside of the transaction: for these, the entity is marked.
  private func tellSinks(_ list: ReactionListPointer?, _ handle: Handle) {
    _ = unsafe core.notifications.markObserved(handle)
    guard let list = unsafe list else { return }
    for index in unsafe 0..<list.pointee.count {
      let reaction = unsafe list.pointee.reactions[index]
      guard case .sink(let sink) = reaction.target, !reaction.changesContext else { continue }
      unsafe core.tell(sink, reaction.kind, handle)
    }
  }
}
