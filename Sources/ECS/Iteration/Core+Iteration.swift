import Dispatch
import Synchronization

extension Core {
  /// Calls a body with each table of a set that has all requested components.
  ///
  /// The body tells of how many rows it has been through, if these are not all.
  @inlinable
  func iterate<Failure: Error>(
    _ set: TableSet, _ request: IterationRequest,
    _ body: (TableView, inout Int) throws(Failure) -> Void
  ) throws(Failure) {
    try withIteration(request) { (iteration) throws(Failure) in
      beginIteration(iteration, set)
      defer { endIteration(iteration, set) }
      while let view = nextTable(iteration, set) {
        var rows = view.rows.count
        defer { iteration.note(rows) }
        try body(view, &rows)
      }
    }
  }

  /// Calls a body with each table of a set that has all requested components, until it returns
  /// something.
  @inlinable
  func search<Result, Failure: Error>(
    _ set: TableSet, _ request: IterationRequest,
    _ body: (TableView, inout Int) throws(Failure) -> Result?
  ) throws(Failure) -> Result? {
    try withIteration(request) { (iteration) throws(Failure) in
      beginIteration(iteration, set)
      defer { endIteration(iteration, set) }
      while let view = nextTable(iteration, set) {
        var rows = view.rows.count
        defer { iteration.note(rows) }
        if let result = try body(view, &rows) { return result }
      }
      return nil
    }
  }

  /// Calls a body with slices of the tables of a set, on all cores.
  @inlinable
  func iterateInParallel(
    _ set: TableSet, _ request: IterationRequest, _ body: @Sendable (TableView) -> Void
  ) {
    withIteration(request) { iteration in
      beginIteration(iteration, set)
      defer { endIteration(iteration, set) }
      var views: [TableView] = []
      while let view = nextTable(iteration, set) {
        iteration.note(view.rows.count)
        views.append(view)
      }
      runInParallel(views, body)
    }
  }

  /// Calls a body with an iteration that is about to run.
  @inlinable
  @inline(__always)
  func withIteration<Result, Failure: Error>(
    _ request: IterationRequest, _ body: (RunningIteration.Reference) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try unsafe withUnsafePointer(to: request) { (address) throws(Failure) in
      var iteration = unsafe RunningIteration(IterationRequest.Reference(address))
      return try unsafe withUnsafeMutablePointer(to: &iteration) { (address) throws(Failure) in
        try unsafe body(RunningIteration.Reference(address))
      }
    }
  }

  // MARK: Steps

  /// Whether an iteration runs.
  var isIterating: Bool { pointer.pointee.iterations.innermost != nil }

  @usableFromInline
  func beginIteration(_ iteration: RunningIteration.Reference, _ set: TableSet) {
    let request = iteration.request
    guard pointer.pointee.lock.acquireUnlessReading() else {
      return iteration.beginBesideReaders(of: set)
    }
    if pointer.pointee.section.mode.refuses { checkMode(toRead: request.mutatedEnd == 0) }
    exclusivity.check(request)
    flushSinks()
    if let outer = pointer.pointee.iterations.innermost {
      unsafe outer.pointer.pointee.table = pointer.pointee.iterations.currentTable
      outer.pointer.pointee.row = pointer.pointee.iterations.currentRow
      iteration.pointer.pointee.outer = outer
    }
    iteration.pointer.pointee.tableCount = unsafe set.tables.count
    iteration.pointer.pointee.firstKept = pointer.pointee.iterations.kept.count
    iteration.pointer.pointee.reactionEpoch = pointer.pointee.listeners.epoch
    iteration.pointer.pointee.userDepth = pointer.pointee.section.userDepth
    pointer.pointee.section.userDepth = pointer.pointee.lock.depth
    pointer.pointee.iterations.innermost = iteration
    pointer.pointee.iterations.currentRow = -1
    unsafe pointer.pointee.iterations.currentTable = nil
    pointer.pointee.section.close(pointer.pointee.section.mode.union(.iterating))
    pointer.pointee.iterations.exclusiveColumns &+= request.exclusiveCount
    if request.mutatedEnd == 0, pointer.pointee.slots.liveCount >= RecursiveLock.longRead {
      iteration.letReadersIn(to: self, set)
    }
  }

  private func leaveIteration(_ iteration: RunningIteration.Reference) {
    let outer = iteration.pointer.pointee.outer
    pointer.pointee.iterations.innermost = outer
    pointer.pointee.section.userDepth = iteration.pointer.pointee.userDepth
    pointer.pointee.iterations.exclusiveColumns &-= iteration.request.exclusiveCount
    pointer.pointee.iterations.currentRow = outer?.pointer.pointee.row ?? -1
    unsafe pointer.pointee.iterations.currentTable = outer?.pointer.pointee.table
  }

  /// The next table that has what is asked for.
  @inlinable
  @inline(__always)
  func nextTable(_ iteration: RunningIteration.Reference, _ set: TableSet) -> TableView? {
    // PERFORMANCE: I0: where there is one table, it is found out here that there are no more.
    guard iteration.pointer.pointee.passed < iteration.pointer.pointee.tableCount else {
      return nil
    }
    return findNextTable(iteration, set)
  }

  @usableFromInline
  func findNextTable(_ iteration: RunningIteration.Reference, _ set: TableSet) -> TableView? {
    let request = iteration.request
    while iteration.pointer.pointee.passed < iteration.pointer.pointee.tableCount {
      let table = unsafe set.tables[iteration.pointer.pointee.passed]
      iteration.pointer.pointee.passed &+= 1
      let (isMet, isQuiet) = unsafe request.isMetQuietly(by: table)
      guard isMet else { continue }
      // What only reads has no row to itself, and may share the lock.
      if request.mutatedEnd > 0 {
        if !isQuiet || pointer.pointee.observed.count > 0 || isNoting {
          iteration.pointer.pointee.isQuiet = false
          unsafe keepIfWanted(table, request)
        }
        pointer.pointee.iterations.currentRow = -1
        unsafe pointer.pointee.iterations.currentTable = table
      }
      unsafe iteration.pointer.pointee.lastTable = table
      return unsafe TableView(core: self, table: table, rows: 0..<table.pointee.count)
    }
    return nil
  }

  /// Keeps the values of a table before they change, if journals or observers are to be notified of
  /// them.
  @inline(never)
  private func keepIfWanted(_ table: TablePointer, _ request: IterationRequest.Reference) {
    let isWanted = request.mutated.contains { unsafe wantsOldValues(of: $0, in: table) }
    guard isWanted || isNoting else { return }
    let edges = unsafe request.mutated.compactMap { unsafe table.pointee.edge($0) }
    let cids = unsafe edges.compactMap { unsafe $0.pointee.cid }
    let notes = isNoting ? cids.compactMap { unsafe noteColumn($0, of: table) } : []
    let old = isWanted ? cids.map { unsafe oldValues(of: $0, in: table) } : []
    unsafe pointer.pointee.iterations.kept.append(KeptColumns(table: table, old: old, notes: notes))
  }

  private func wantsOldValues(of key: ComponentKey, in table: TablePointer) -> Bool {
    guard let edge = unsafe table.pointee.edge(key) else { return false }
    if unsafe !edge.pointee.isReplaceListed { unsafe refreshReplace(table, edge) }
    return unsafe edge.pointee.replace?.pointee.hasNotices == true
      || pointer.pointee.observed.count > 0
  }

  private func oldValues(of cid: CID, in table: TablePointer) -> ColumnCopy? {
    guard unsafe wantsOldValues(of: cid.key, in: table),
      let column = unsafe table.pointee.column(of: cid)
    else { return nil }
    return unsafe ColumnCopy(of: column.pointee, count: table.pointee.count)
  }

  @usableFromInline
  func endIteration(_ iteration: RunningIteration.Reference, _ set: TableSet) {
    let isQuiet =
      iteration.pointer.pointee.isQuiet && pointer.pointee.observed.count == 0
      && iteration.pointer.pointee.reactionEpoch == pointer.pointee.listeners.epoch
    if !isQuiet {
      if iteration.pointer.pointee.isBesideReaders { return }
      _ = pointer.pointee.lock.takeBack()
      completeNotes(iteration)
    }
    leaveIteration(iteration)
    if isIterating {
      if !isQuiet { tellVisited(iteration, set, tellAfterwards) }
    } else {
      pointer.pointee.section.mode.remove(.iterating)
      commands.unmaskAll()
      if !isQuiet { tellVisited(iteration, set, tell) }
      commands.apply()
    }
    leave()
  }

  @inline(never)
  private func completeNotes(_ iteration: RunningIteration.Reference) {
    for kept in pointer.pointee.iterations.kept[iteration.pointer.pointee.firstKept...] {
      for note in kept.notes { noteIterated(note) }
    }
  }

  /// Carries out the reactions to what was mutated in the tables that an iteration has visited.
  ///
  /// These are where they were, with the rows they had: changes wait while iterations run.
  @inline(never)
  private func tellVisited(
    _ iteration: RunningIteration.Reference, _ set: TableSet, _ tell: (VisitedRows) -> Void
  ) {
    let request = iteration.request
    if request.mutated.isEmpty { return }
    let first = iteration.pointer.pointee.firstKept
    let keptCount = pointer.pointee.iterations.kept.count
    var keptIndex = first
    for index in 0..<iteration.pointer.pointee.passed {
      let table = unsafe set.tables[index]
      // The body may have changed what listens.
      let (isMet, isQuiet) = unsafe request.isMetQuietly(by: table)
      guard isMet, !isQuiet || keptIndex < keptCount || pointer.pointee.observed.count > 0 else {
        continue
      }
      var kept: KeptColumns?
      if keptIndex < keptCount, unsafe pointer.pointee.iterations.kept[keptIndex].table == table {
        kept = pointer.pointee.iterations.kept[keptIndex]
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
    for kept in pointer.pointee.iterations.kept[first...] {
      for case let copy? in kept.old { pointer.pointee.section.pendingRelease.append(copy) }
    }
    pointer.pointee.section.pending.insert(.pendingRelease)
    pointer.pointee.iterations.kept.removeLast(pointer.pointee.iterations.kept.count - first)
  }

  /// Whether anything reacts to what is mutated in a table, after bringing that up to date.
  @inline(never)
  private func hasReactions(to table: TablePointer, _ request: IterationRequest.Reference) -> Bool {
    var isFound = pointer.pointee.observed.count > 0
    for key in request.mutated {
      guard let edge = unsafe table.pointee.edge(key) else { continue }
      if unsafe !edge.pointee.isReplaceListed { unsafe refreshReplace(table, edge) }
      if unsafe edge.pointee.replace != nil { isFound = true }
    }
    return isFound
  }

  /// Carries out the reactions to what an iteration inside another one mutated, when that ends:
  /// they may read what it works on.
  @inline(never)
  private func tellAfterwards(_ visited: VisitedRows) {
    let table = unsafe visited.table
    for row in 0..<visited.rows {
      let handle = unsafe handle(at: row, of: table)
      for (index, key) in visited.request.mutated.enumerated() {
        guard let edge = unsafe table.pointee.edge(key), let cid = unsafe edge.pointee.cid,
          let column = unsafe table.pointee.column(of: cid)
        else { continue }
        let isWanted = unsafe wantsValues(edge.pointee.replaceNotices, handle)
        guard unsafe isWanted || edge.pointee.replace != nil else { continue }
        let new = unsafe isWanted ? cid.pointer.pointee.copy(column.pointee.place(row)) : nil
        let old = unsafe visited.oldValue(of: index, row: row).map(cid.pointer.pointee.copy)
        commands.tellAfterwards(cid, handle, old: old, new: new, .isByIteration)
      }
    }
  }

  /// Carries out the reactions to the values that an iteration mutated, as if each had been set.
  @inline(never)
  private func tell(_ visited: VisitedRows) {
    let table = unsafe visited.table
    for row in 0..<visited.rows {
      let handle = unsafe handle(at: row, of: table)
      for (index, key) in visited.request.mutated.enumerated() {
        guard let edge = unsafe table.pointee.edge(key), let cid = unsafe edge.pointee.cid else {
          continue
        }
        let list = unsafe edge.pointee.replace
        // Observers that began in the body do not get the value before.
        let old = unsafe visited.oldValue(of: index, row: row)
        if unsafe wantsValues(list?.notices, handle),
          let column = unsafe table.pointee.column(of: cid),
          let addresses = unsafe queueChange(
            .updated, handle, cid, list?.notices,
            old == nil ? [.hasNew, .isByIteration] : [.hasOld, .hasNew, .isByIteration])
        {
          // SAFETY: memory was set aside for values of this type.
          if let old = unsafe old {
            unsafe cid.copyValue(to: addresses.old, from: old)
          }
          unsafe cid.copyValue(to: addresses.new, from: column.pointee.place(row))
        }
        unsafe reactGenerally(list, handle)
      }
    }
  }

  // MARK: All cores

  @usableFromInline
  func runInParallel(_ tables: [TableView], _ body: @Sendable (TableView) -> Void) {
    if runningReading != nil {
      // A thread that wants to change something may wait for this one, and others for that.
      for view in tables { body(view) }
      return
    }
    // In such a section of another context, its body goes on calling that on the same thread.
    let cores = RunningReading.isAny ? 1 : DispatchQueue.usableCores
    let total = tables.reduce(0) { $0 + $1.rows.count }
    let size = max(Core.smallestSlice, total / (cores * Core.slicesPerCore) + 1)
    var views: [TableView] = []
    for view in tables {
      for start in stride(from: 0, to: view.rows.count, by: size) {
        let rows = start..<min(start + size, view.rows.count)
        unsafe views.append(TableView(core: self, table: view.table, rows: rows))
      }
    }
    let slices = views
    let next = Atomic<Int>(0)
    _ = pointer.pointee.lock.takeBack()
    pointer.pointee.lock.beginParallelSection()
    DispatchQueue.concurrentPerform(iterations: min(cores, slices.count)) { worker in
      pointer.pointee.lock.enterWorker(worker)
      while true {
        let index = next.add(1, ordering: .relaxed).oldValue
        guard index < slices.count else { break }
        body(slices[index])
      }
      pointer.pointee.lock.leaveWorker(worker)
    }
    pointer.pointee.lock.endParallelSection()
  }

  private static var smallestSlice: Int { 2048 }
  private static var slicesPerCore: Int { 4 }
}

extension DispatchQueue {
  /// How many bodies of a parallel section run at once at most.
  fileprivate static var usableCores: Int {
    min(RecursiveLock.maximumWorkers, max(1, Processor.count))
  }
}
