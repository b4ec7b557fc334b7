/// A cursor over the tables of a set that have what an iteration asks for.
@frozen
@usableFromInline
struct TableCursor {
  @usableFromInline let core: Core
  @usableFromInline let iteration: RunningIteration.Reference
  @usableFromInline let set: TableSet

  @inlinable
  @inline(__always)
  init(_ core: Core, _ iteration: RunningIteration.Reference, _ set: TableSet) {
    self.core = core
    self.iteration = iteration
    self.set = set
  }

  @usableFromInline
  func begin() {
    let request = iteration.request
    guard core.pointer.pointee.lock.acquireUnlessReading() else {
      return iteration.beginBesideReaders(of: set)
    }
    if core.pointer.pointee.section.mode.refuses { core.checkMode(toRead: request.mutatedEnd == 0) }
    core.exclusivity.check(request)
    core.sinks.flush()
    if let outer = core.pointer.pointee.iterations.innermost {
      unsafe outer.pointer.pointee.table = core.pointer.pointee.iterations.currentTable
      outer.pointer.pointee.row = core.pointer.pointee.iterations.currentRow
      iteration.pointer.pointee.outer = outer
    }
    iteration.pointer.pointee.tableCount = unsafe set.tables.count
    iteration.pointer.pointee.firstKept = core.pointer.pointee.iterations.kept.count
    iteration.pointer.pointee.reactionEpoch = core.pointer.pointee.listeners.epoch
    iteration.pointer.pointee.userDepth = core.pointer.pointee.section.userDepth
    core.pointer.pointee.section.userDepth = core.pointer.pointee.lock.depth
    core.pointer.pointee.iterations.innermost = iteration
    core.pointer.pointee.iterations.currentRow = -1
    unsafe core.pointer.pointee.iterations.currentTable = nil
    core.pointer.pointee.section.close(core.pointer.pointee.section.mode.union(.iterating))
    core.pointer.pointee.iterations.exclusiveColumns &+= request.exclusiveCount
    if request.mutatedEnd == 0, core.pointer.pointee.slots.liveCount >= RecursiveLock.longRead {
      iteration.letReadersIn(to: core, set)
    }
  }

  private func leave() {
    let outer = iteration.pointer.pointee.outer
    core.pointer.pointee.iterations.innermost = outer
    core.pointer.pointee.section.userDepth = iteration.pointer.pointee.userDepth
    core.pointer.pointee.iterations.exclusiveColumns &-= iteration.request.exclusiveCount
    core.pointer.pointee.iterations.currentRow = outer?.pointer.pointee.row ?? -1
    unsafe core.pointer.pointee.iterations.currentTable = outer?.pointer.pointee.table
  }

  /// The next table that has what is asked for.
  @inlinable
  @inline(__always)
  func next() -> TableView? {
    // PERFORMANCE: I0: where there is one table, it is found out here that there are no more.
    guard iteration.pointer.pointee.passed < iteration.pointer.pointee.tableCount else {
      return nil
    }
    return findNext()
  }

  @usableFromInline
  func findNext() -> TableView? {
    let request = iteration.request
    while iteration.pointer.pointee.passed < iteration.pointer.pointee.tableCount {
      let table = unsafe set.tables[iteration.pointer.pointee.passed]
      iteration.pointer.pointee.passed &+= 1
      let (isMet, isQuiet) = unsafe request.isMetQuietly(by: table)
      guard isMet else { continue }
      // What only reads has no row to itself, and may share the lock.
      if request.mutatedEnd > 0 {
        if !isQuiet || core.pointer.pointee.observed.count > 0 || core.isNoting {
          iteration.pointer.pointee.isQuiet = false
          unsafe keepIfWanted(table, request)
        }
        core.pointer.pointee.iterations.currentRow = -1
        unsafe core.pointer.pointee.iterations.currentTable = table
      }
      unsafe iteration.pointer.pointee.lastTable = table
      return unsafe TableView(core: core, table: table, rows: 0..<table.pointee.count)
    }
    return nil
  }

  /// Keeps the values of a table before they change, if journals or observers are to be notified of
  /// them.
  @inline(never)
  private func keepIfWanted(_ table: TablePointer, _ request: IterationRequest.Reference) {
    let isWanted = request.mutated.contains { unsafe wantsOldValues(of: $0, in: table) }
    guard isWanted || core.isNoting else { return }
    let edges = unsafe request.mutated.compactMap { unsafe table.pointee.edge($0) }
    let cids = unsafe edges.compactMap { unsafe $0.pointee.cid }
    let notes =
      core.isNoting
      ? cids.compactMap { unsafe IterationNotes(core: core).begin($0, of: table) } : []
    let old = isWanted ? cids.map { unsafe oldValues(of: $0, in: table) } : []
    unsafe core.pointer.pointee.iterations.kept.append(
      KeptColumns(table: table, old: old, notes: notes))
  }

  private func wantsOldValues(of key: ComponentKey, in table: TablePointer) -> Bool {
    guard let edge = unsafe table.pointee.edge(key) else { return false }
    if unsafe !edge.pointee.isReplaceListed {
      unsafe core.reactionLists.refreshReplace(table, edge)
    }
    return unsafe edge.pointee.replace?.pointee.hasNotices == true
      || core.pointer.pointee.observed.count > 0
  }

  private func oldValues(of cid: CID, in table: TablePointer) -> ColumnCopy? {
    guard unsafe wantsOldValues(of: cid.key, in: table),
      let column = unsafe table.pointee.column(of: cid)
    else { return nil }
    return unsafe ColumnCopy(of: column.pointee, count: table.pointee.count)
  }

  @usableFromInline
  func end() {
    let isQuiet =
      iteration.pointer.pointee.isQuiet && core.pointer.pointee.observed.count == 0
      && iteration.pointer.pointee.reactionEpoch == core.pointer.pointee.listeners.epoch
    if !isQuiet {
      if iteration.pointer.pointee.isBesideReaders { return }
      _ = core.pointer.pointee.lock.takeBack()
      completeNotes()
    }
    leave()
    if core.isIterating {
      if !isQuiet { tellVisited(tellAfterwards) }
    } else {
      core.pointer.pointee.section.mode.remove(.iterating)
      core.commands.unmaskAll()
      if !isQuiet { tellVisited(tell) }
      core.commands.apply()
    }
    core.leave()
  }

  @inline(never)
  private func completeNotes() {
    for kept in core.pointer.pointee.iterations.kept[iteration.pointer.pointee.firstKept...] {
      for note in kept.notes { IterationNotes(core: core).complete(note) }
    }
  }
}
