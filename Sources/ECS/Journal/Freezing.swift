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

  /// Freezes the rows of all tables whose types are asked for, in the order of tables, with the
  /// values of some components, and with creation numbers or without.
  func begin(
    _ cids: [CID], withNumbers: Bool = false, where isIncluded: ([CID]) -> Bool
  ) -> [FrozenTable] {
    let copies = FrozenCopies()
    var frozen: [FrozenTable] = []
    for unsafe(table) in unsafe core.pointer.pointee.tables.all
    where unsafe table.pointee.count > 0 && isIncluded(table.pointee.signature) {
      let new = unsafe FrozenTable(
        table, cids, number: frozen.count, withNumbers: withNumbers, copies)
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

  /// Lets tables change without regard to a picture that is no longer asked for.
  ///
  /// - Complexity: O(*t* · *p*), where *t* is the number of tables of the picture, and *p* that of
  ///   pictures of a table.
  func end(_ frozen: [FrozenTable]) {
    for frozen in frozen { forget(frozen) }
  }

  /// Lets a table change without regard to a picture of it, if it has not come to that yet.
  @inline(never)
  private func forget(_ frozen: FrozenTable) {
    guard let table = unsafe frozen.table else { return }
    unsafe table.pointee.frozen.removeAll { $0 === frozen }
    frozen.forgetTable()
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
      keep(row, of: frozen)
      keep(last, of: frozen)
    }
  }

  /// Copies the row of an entity one of whose components is about to be replaced.
  func keepValue(of cid: CID, _ handle: Handle) {
    guard let record = unsafe core.record(of: handle), let table = unsafe record.pointee.table
    else { return }
    for frozen in unsafe table.pointee.frozen where frozen.has(cid) {
      unsafe keep(Int(record.pointee.row), of: frozen)
    }
  }

  /// Copies all rows of a table one of whose columns an iteration may change.
  func keepColumn(_ cid: CID, of table: TablePointer) {
    for frozen in unsafe table.pointee.frozen where frozen.has(cid) {
      keepAll(of: frozen)
    }
  }

  /// Copies all that is left: the tables are about to end.
  func keepAll() {
    guard core.pointer.pointee.journaling.frozenCount > 0 else { return }
    for unsafe(table) in unsafe core.pointer.pointee.tables.all {
      for frozen in unsafe table.pointee.frozen { keepAll(of: frozen) }
    }
    assert(core.pointer.pointee.journaling.frozenCount == 0, "A picture was left without its rows.")
  }

  private func keepAll(of frozen: FrozenTable) {
    for page in 0..<frozen.pageCount { copy(page, of: frozen) }
  }

  private func keep(_ row: Int, of frozen: FrozenTable) {
    if row < frozen.count { copy(row / FrozenTable.rowsOfPage, of: frozen) }
  }

  @inline(never)
  private func copy(_ page: Int, of frozen: FrozenTable) {
    makeCopy(page, of: frozen)
    if frozen.isWhole { forget(frozen) }
  }

  private func makeCopy(_ page: Int, of frozen: FrozenTable) {
    guard let table = unsafe frozen.table else { return }
    frozen.copy(page) {
      unsafe core.handle(at: $0, of: table).bits
    } creationNumber: { row in
      let ordinal = unsafe core.pointer.pointee.slots.creationOrder[table.pointee.entities[row]]
      return core.pointer.pointee.slots.creationNumbers[ordinal]
    }
  }

  /// A page as a copy, made if it is none yet.
  ///
  /// Beside others that only read, the table is left to the end of the section.
  func page(_ number: Int, of frozen: FrozenTable) -> FrozenPage? {
    if core.pointer.pointee.lock.isHeldByCurrentThread {
      copy(number, of: frozen)
    } else if !frozen.isCopied(number), unsafe frozen.table != nil {
      makeCopy(number, of: frozen)
      if frozen.isWhole {
        core.sectionAfterReading { [core, frozen] in Freezing(core: core).forget(frozen) }
      }
    }
    return frozen.page(number)
  }
}
