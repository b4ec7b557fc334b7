// Reactions to what an iteration has changed, when it ends.
extension TableCursor {
  /// Carries out the reactions to what was mutated in the tables that an iteration has visited.
  ///
  /// These are where they were, with the rows they had: changes wait while iterations run.
  @inline(never)
  func tellVisited(_ tell: (VisitedRows) -> Void) {
    let request = iteration.request
    if request.mutated.isEmpty { return }
    let first = iteration.pointer.pointee.firstKept
    let keptCount = core.pointer.pointee.iterations.kept.count
    var keptIndex = first
    for index in 0..<iteration.pointer.pointee.passed {
      let table = unsafe set.tables[index]
      // The body may have changed what listens.
      let (isMet, isQuiet) = unsafe request.isMetQuietly(by: table)
      guard isMet, !isQuiet || keptIndex < keptCount || core.pointer.pointee.observed.count > 0
      else {
        continue
      }
      var kept: KeptColumns?
      if keptIndex < keptCount,
        unsafe core.pointer.pointee.iterations.kept[keptIndex].table == table
      {
        kept = core.pointer.pointee.iterations.kept[keptIndex]
        keptIndex += 1
      }
      guard unsafe hasReactions(to: table, request) else { continue }
      let isLast = unsafe table == iteration.pointer.pointee.lastTable
      let rows = unsafe isLast ? iteration.pointer.pointee.lastRows : table.pointee.count
      unsafe tell(VisitedRows(request: request, table: table, rows: rows, kept: kept))
    }
    if keptCount > first { discardKept(from: first) }
  }

  /// Gives up what was kept; the values end when the change has ended.
  private func discardKept(from first: Int) {
    for kept in core.pointer.pointee.iterations.kept[first...] {
      for case let copy? in kept.old { core.pointer.pointee.section.pendingRelease.append(copy) }
    }
    core.pointer.pointee.section.pending.insert(.pendingRelease)
    core.pointer.pointee.iterations.kept.removeLast(
      core.pointer.pointee.iterations.kept.count - first)
  }

  /// Whether anything reacts to what is mutated in a table, after bringing that up to date.
  @inline(never)
  private func hasReactions(to table: TablePointer, _ request: IterationRequest.Reference) -> Bool {
    var isFound = core.pointer.pointee.observed.count > 0
    for key in request.mutated {
      guard let edge = unsafe table.pointee.edge(key) else { continue }
      if unsafe !edge.pointee.isReplaceListed {
        unsafe core.reactionLists.refreshReplace(table, edge)
      }
      if unsafe edge.pointee.replace != nil { isFound = true }
    }
    return isFound
  }

  /// Carries out the reactions to what an iteration inside another one mutated, when that ends:
  /// they may read what it works on.
  @inline(never)
  func tellAfterwards(_ visited: VisitedRows) {
    let table = unsafe visited.table
    for row in 0..<visited.rows {
      let handle = unsafe core.handle(at: row, of: table)
      for (index, key) in visited.request.mutated.enumerated() {
        guard let edge = unsafe table.pointee.edge(key), let cid = unsafe edge.pointee.cid,
          let column = unsafe table.pointee.column(of: cid)
        else { continue }
        let isWanted = unsafe core.notifications.wantsValues(edge.pointee.replaceNotices, handle)
        guard unsafe isWanted || edge.pointee.replace != nil else { continue }
        let new = unsafe isWanted ? cid.pointer.pointee.copy(column.pointee.place(row)) : nil
        let old = unsafe visited.oldValue(of: index, row: row).map(cid.pointer.pointee.copy)
        core.commands.tellAfterwards(cid, handle, old: old, new: new, .isByIteration)
      }
    }
  }

  /// Carries out the reactions to the values that an iteration mutated, as if each had been set.
  @inline(never)
  func tell(_ visited: VisitedRows) {
    let table = unsafe visited.table
    for row in 0..<visited.rows {
      let handle = unsafe core.handle(at: row, of: table)
      for (index, key) in visited.request.mutated.enumerated() {
        guard let edge = unsafe table.pointee.edge(key), let cid = unsafe edge.pointee.cid else {
          continue
        }
        let list = unsafe edge.pointee.replace
        // Observers that began in the body do not get the value before.
        let old = unsafe visited.oldValue(of: index, row: row)
        if unsafe core.notifications.wantsValues(list?.notices, handle),
          let column = unsafe table.pointee.column(of: cid),
          let addresses = unsafe core.notifications.queue(
            .updated, handle, cid, list?.notices,
            old == nil ? [.hasNew, .isByIteration] : [.hasOld, .hasNew, .isByIteration])
        {
          // SAFETY: memory was set aside for values of this type.
          if let old = unsafe old {
            unsafe cid.copyValue(to: addresses.old, from: old)
          }
          unsafe cid.copyValue(to: addresses.new, from: column.pointee.place(row))
        }
        unsafe core.reactGenerally(list, handle)
      }
    }
  }
}
