/// The part of a core that keeps rows as they were when pictures of them were made; called within a
/// section.
///
/// While a picture has pages that are still those of tables, changes take the general paths, which
/// ask here before rows leave and values are replaced.
@safe
@usableFromInline
struct Freezing {
  let core: Core

  @usableFromInline
  init(core: Core) { self.core = core }

  // MARK: Beginning and ending

  /// Stops where values are being changed, may be taken back, or must not be changed.
  func checkIsPossible() {
    let mode = core.pointer.pointee.section.mode.subtracting(.telling)
    if let refusal = mode.refusal { stop(refusal) }
    require(
      mode.accepts && core.pointer.pointee.taken.count == 0,
      "A picture was to be made inside an iteration or an update, where values are being changed: make it outside."
    )
    require(
      !core.isRecording,
      "A picture was to be made inside a transaction, which may be taken back: make it before or afterwards."
    )
  }

  /// Freezes the rows of all tables that have one of some component types, in the order of tables.
  func begin(_ cids: [CID]) -> [FrozenTable] {
    let copies = FrozenCopies()
    var frozen: [FrozenTable] = []
    for unsafe(table) in unsafe core.pointer.pointee.tables.all
    where unsafe table.pointee.count > 0 && cids.contains(where: table.pointee.signature.contains) {
      let new = unsafe FrozenTable(table, cids, number: frozen.count, copies)
      unsafe table.pointee.frozen.append(new)
      frozen.append(new)
    }
    if frozen.isEmpty { return frozen }
    copies.begin(frozen.count)
    core.pointer.pointee.journaling.frozenCount += frozen.count
    core.pointer.pointee.section.mode.insert(.frozen)
    core.noteStructuralChange()
    return frozen
  }

  /// Lets tables change without regard to what is no longer asked for.
  func end(_ frozen: [FrozenTable]) {
    guard let copies = frozen.first?.copies, !copies.areAll else { return }
    for unsafe(table) in unsafe core.pointer.pointee.tables.all {
      for frozen in unsafe table.pointee.frozen where frozen.copies === copies {
        unsafe forget(frozen, table)
      }
    }
  }

  /// Lets a table change without regard to a picture of it, if it has not come to that yet.
  private func forget(_ frozen: FrozenTable, _ table: TablePointer) {
    guard let index = unsafe table.pointee.frozen.firstIndex(where: { $0 === frozen }) else {
      return
    }
    unsafe table.pointee.frozen.remove(at: index)
    frozen.copies.end()
    core.pointer.pointee.journaling.frozenCount -= 1
    if core.pointer.pointee.journaling.frozenCount == 0 {
      core.pointer.pointee.section.mode.remove(.frozen)
    }
  }

  // MARK: Changes

  /// Copies what is about to change: the row of an entity that leaves its table, and the last one,
  /// which comes into its place.
  func keepRow(_ row: Int, of table: TablePointer) {
    let last = unsafe max(0, table.pointee.count - 1)
    for frozen in unsafe table.pointee.frozen {
      unsafe keep(row, of: frozen, table)
      unsafe keep(last, of: frozen, table)
    }
  }

  /// Copies the row of an entity one of whose components is about to be replaced.
  func keepValue(of cid: CID, _ handle: Handle) {
    guard let record = unsafe core.record(of: handle), let table = unsafe record.pointee.table
    else { return }
    for frozen in unsafe table.pointee.frozen where frozen.has(cid) {
      unsafe keep(Int(record.pointee.row), of: frozen, table)
    }
  }

  /// Copies all rows of a table one of whose columns an iteration may change.
  func keepColumn(_ cid: CID, of table: TablePointer) {
    for frozen in unsafe table.pointee.frozen where frozen.has(cid) {
      unsafe keepAll(of: frozen, table)
    }
  }

  /// Copies all that is left: the tables are about to end.
  func keepAll() {
    guard core.pointer.pointee.journaling.frozenCount > 0 else { return }
    for unsafe(table) in unsafe core.pointer.pointee.tables.all {
      for frozen in unsafe table.pointee.frozen { unsafe keepAll(of: frozen, table) }
    }
    assert(core.pointer.pointee.journaling.frozenCount == 0, "A picture was left without its rows.")
  }

  private func keepAll(of frozen: FrozenTable, _ table: TablePointer) {
    for page in 0..<frozen.pageCount { unsafe copy(page, of: frozen, table) }
  }

  private func keep(_ row: Int, of frozen: FrozenTable, _ table: TablePointer) {
    if row < frozen.count { unsafe copy(row / FrozenTable.rowsOfPage, of: frozen, table) }
  }

  private func copy(_ page: Int, of frozen: FrozenTable, _ table: TablePointer) {
    frozen.copy(page, generation)
    if unsafe frozen.table == nil { unsafe forget(frozen, table) }
  }

  private func generation(ofSlot slot: UInt32) -> UInt32 {
    // SAFETY: entities of rows have slots.
    unsafe core.pointer.pointee.slots.records[Int(slot)].generation
  }

  /// A page as a copy, made if it is none yet.
  ///
  /// Beside others that only read, it is left to the next change of the table, or to the end of the
  /// picture, to find that all pages are copies.
  func page(_ number: Int, of frozen: FrozenTable) -> FrozenPage? {
    if let table = unsafe frozen.table {
      if core.pointer.pointee.lock.isHeldByCurrentThread {
        unsafe copy(number, of: frozen, table)
      } else {
        frozen.copy(number, generation)
      }
    }
    return frozen.page(number)
  }
}
