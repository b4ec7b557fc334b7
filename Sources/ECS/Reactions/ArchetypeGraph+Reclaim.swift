// Freeing of tables that have had no entity for long.
extension ArchetypeGraph {
  /// Frees tables that have had no entity for long, if it is time to look for them.
  ///
  /// `kept` is not freed. If entities may have to go back to where they were, the look is made when
  /// the outermost change ends.
  func reclaim(keeping kept: TablePointer? = nil) {
    guard unsafe core.pointer.pointee.tables.reclaim.isDue(core.pointer.pointee.tables.all.count)
    else {
      return
    }
    guard mayFreeTables else {
      core.pointer.pointee.section.pending.insert(.tables)
      return
    }
    let frees = !core.pointer.pointee.tables.reclaim.comesBack
    var gone: [TablePointer] = unsafe []
    for unsafe(table) in unsafe core.pointer.pointee.tables.all {
      let version = unsafe table.pointee.version
      let wasUnused = unsafe table.pointee.count == 0 && table.pointee.lastSeenVersion == version
      unsafe table.pointee.lastSeenVersion = version
      if frees, wasUnused, unsafe mayFree(table, keeping: kept) { unsafe gone.append(table) }
    }
    core.pointer.pointee.tables.reclaim.noteLook()
    for unsafe(table) in unsafe gone {
      unsafe core.pointer.pointee.tables.reclaim.noteFreed(table.pointee.signature)
    }
    unsafe freeTables(gone)
  }

  /// Frees all tables without entities.
  func freeEmpty() {
    guard mayFreeTables else { return }
    core.pointer.pointee.tables.reclaim.noteLook()
    core.pointer.pointee.tables.reclaim.forgetFreed()
    unsafe freeTables(
      core.pointer.pointee.tables.all.filter {
        unsafe $0.pointee.count == 0 && mayFree($0, keeping: nil)
      })
  }

  /// Not while entities may have to go back to where they were, or rows are about to come.
  private var mayFreeTables: Bool {
    !core.isIterating && !core.isRecording && !core.pointer.pointee.tables.keepsEmpty
  }

  private func mayFree(_ table: TablePointer, keeping kept: TablePointer?) -> Bool {
    unsafe table != core.pointer.pointee.tables.root && table != kept
      && table != core.pointer.pointee.tables.pinned
  }

  private func freeTables(_ gone: [TablePointer]) {
    if unsafe gone.isEmpty { return }
    var isTouched = [Bool](repeating: false, count: core.pointer.pointee.listeners.sets.count)
    for unsafe(table) in unsafe gone {
      unsafe table.pointee.isGone = true
      for set in unsafe table.pointee.sets { isTouched[set] = true }
    }
    unsafe core.pointer.pointee.tables.all.removeAll { unsafe $0.pointee.isGone }
    for set in core.pointer.pointee.listeners.sets where isTouched[set.index] {
      unsafe set.remove { unsafe $0.pointee.isGone }
    }
    for unsafe(table) in unsafe gone {
      unsafe table.pointee.forEachTarget { key, target in
        unsafe target.pointee.edge(key)?.pointee.forgetTarget()
      }
    }
    for unsafe(table) in unsafe gone { unsafe freeForgotten(table) }
  }

  /// Frees the tables that were made last, in which there are no entities any more, but so many.
  ///
  /// Takes time for these tables and the sets that they belong to only.
  func freeTables(beyond count: Int) {
    while unsafe core.pointer.pointee.tables.all.count > count {
      let table = unsafe core.pointer.pointee.tables.all.removeLast()
      for set in unsafe core.sets(of: table) { unsafe set.removeLast(table) }
      unsafe table.pointee.forEachTarget { key, target in
        unsafe target.pointee.edge(key)?.pointee.forgetTarget()
      }
      unsafe freeForgotten(table)
    }
  }

  /// Frees a table that no set, edge or list of tables has any more.
  private func freeForgotten(_ table: TablePointer) {
    unsafe core.pointer.pointee.tables.bySignature[table.pointee.signature] = nil
    unsafe core.pointer.pointee.tables.freeNumbers.append(table.pointee.number)
    unsafe free(table)
  }
}
