import Dispatch
import Synchronization

/// A request whose iteration is running.
@safe
struct ActiveIteration {
  let request: IterationRequest.Place

  /// How many iterations run around it.
  let number: Int

  /// Where it is, while another one runs inside it.
  var table: TablePointer?
  var row = -1
}

/// The rows of a table that an iteration has been through, and what was there before.
@safe
struct VisitedRows {
  let table: TablePointer
  var rows: Int

  /// For each mutated component the values before, if someone is to be notified of them; else
  /// empty.
  let old: [ColumnCopy?]

  /// What journals are going to be told of the mutated components.
  var notes: [ColumnNote] = []

  /// What a mutated component was in a row, if that was kept.
  func oldPlace(of number: Int, row: Int) -> UnsafeMutableRawPointer? {
    guard number < old.count else { return nil }
    return unsafe old[number]?.place(row)
  }
}

/// The note of a column that an iteration may change, to be completed when that ends.
@safe
struct ColumnNote {
  let note: ChangeNotePointer
  let column: UnsafeMutablePointer<Column>
}

extension Core {
  /// Calls a body with each table of a set that has all requested components.
  ///
  /// The body returns how many rows it has been through.
  @inlinable
  func iterate<Failure: Error>(
    _ set: TableSet, _ request: IterationRequest,
    _ body: (TableView, inout Int) throws(Failure) -> Void
  ) throws(Failure) {
    try unsafe withUnsafePointer(to: request) { (place) throws(Failure) in
      let request = unsafe IterationRequest.Place(place)
      var visits = beginIteration(set, request)
      defer { endIteration(visits, request) }
      while let view = nextTable(&visits, request) {
        var rows = view.rows.count
        defer { note(visits, rows, of: view) }
        try body(view, &rows)
      }
    }
  }

  /// Calls a body with each table of a set that has all requested components, until it returns something.
  @inlinable
  func search<Result, Failure: Error>(
    _ set: TableSet, _ request: IterationRequest,
    _ body: (TableView, inout Int) throws(Failure) -> Result?
  ) throws(Failure) -> Result? {
    try unsafe withUnsafePointer(to: request) { (place) throws(Failure) in
      let request = unsafe IterationRequest.Place(place)
      var visits = beginIteration(set, request)
      defer { endIteration(visits, request) }
      while let view = nextTable(&visits, request) {
        var rows = view.rows.count
        defer { note(visits, rows, of: view) }
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
    unsafe withUnsafePointer(to: request) { place in
      let request = unsafe IterationRequest.Place(place)
      var visits = beginIteration(set, request)
      defer { endIteration(visits, request) }
      var views: [TableView] = []
      while let view = nextTable(&visits, request) { views.append(view) }
      runInParallel(views, body)
    }
  }

  // MARK: Steps

  /// How far an iteration is.
  @safe
  @usableFromInline
  struct Visits {
    /// The tables of the group.
    let tables: [TablePointer]

    /// How many of them have been visited, or don't have what is asked for.
    var count = 0

    /// Where the tables that have been visited are noted, if the iteration may change anything: behind those of the
    /// iterations around it.
    let firstVisited: Int
  }

  @usableFromInline
  func beginIteration(_ set: TableSet, _ request: IterationRequest.Place) -> Visits {
    enter()
    checkMode()
    check(request)
    enterIteration(request)
    return unsafe Visits(tables: set.tables, firstVisited: pointer.pointee.visited.count)
  }

  private func enterIteration(_ request: IterationRequest.Place) {
    settleSinks()
    let number = pointer.pointee.iterations.count
    if number > 0 {
      unsafe pointer.pointee.iterations[number - 1].table = pointer.pointee.currentTable
      pointer.pointee.iterations[number - 1].row = pointer.pointee.currentRow
    }
    unsafe pointer.pointee.iterations.append(ActiveIteration(request: request, number: number))
    pointer.pointee.currentRow = -1
    unsafe pointer.pointee.currentTable = nil
    pointer.pointee.mode.insert(.iterating)
    pointer.pointee.exclusiveColumns += request.exclusiveCount
  }

  private func leaveIteration(_ request: IterationRequest.Place) {
    pointer.pointee.iterations.removeLast()
    pointer.pointee.exclusiveColumns -= request.exclusiveCount
    pointer.pointee.currentRow = pointer.pointee.iterations.last?.row ?? -1
    unsafe pointer.pointee.currentTable = pointer.pointee.iterations.last?.table
  }

  @usableFromInline
  func nextTable(_ visits: inout Visits, _ request: IterationRequest.Place) -> TableView? {
    while unsafe visits.count < visits.tables.count {
      let table = unsafe visits.tables[visits.count]
      visits.count += 1
      guard unsafe request.isMet(by: table) else { continue }
      if !request.mutated.isEmpty { unsafe prepare(table, request) }
      pointer.pointee.currentRow = -1
      unsafe pointer.pointee.currentTable = table
      return unsafe TableView(core: self, table: table, rows: 0..<table.pointee.count)
    }
    return nil
  }

  /// Notes that a table is visited, and keeps the values before, if observers are to be notified of them.
  private func prepare(_ table: TablePointer, _ request: IterationRequest.Place) {
    let notes = isNoting ? request.mutated.compactMap { unsafe noteColumn($0, of: table) } : []
    let isWanted = request.mutated.contains { unsafe wantsOldValues(of: $0, in: table) }
    let old = isWanted ? request.mutated.map { unsafe oldValues(of: $0, in: table) } : []
    unsafe pointer.pointee.visited.append(
      VisitedRows(table: table, rows: table.pointee.count, old: old, notes: notes))
  }

  private func wantsOldValues(of cid: CID, in table: TablePointer) -> Bool {
    guard let edge = unsafe table.pointee.edge(cid.key) else { return false }
    if unsafe !edge.pointee.isReplaceListed { unsafe refreshReplace(table, edge) }
    return unsafe edge.pointee.replace?.pointee.hasNotices == true
      || pointer.pointee.observed.count > 0
  }

  private func oldValues(of cid: CID, in table: TablePointer) -> ColumnCopy? {
    guard unsafe wantsOldValues(of: cid, in: table),
      let column = unsafe table.pointee.column(of: cid)
    else { return nil }
    return unsafe ColumnCopy(of: column.pointee, count: table.pointee.count)
  }

  /// Notes how many rows of the last table have been visited.
  @inlinable
  @inline(__always)
  func note(_ visits: Visits, _ rows: Int, of view: TableView) {
    if rows != view.rows.count { noteEarlyEnd(visits, rows) }
  }

  @usableFromInline
  @inline(never)
  func noteEarlyEnd(_ visits: Visits, _ rows: Int) {
    let last = pointer.pointee.visited.count - 1
    if last >= visits.firstVisited { pointer.pointee.visited[last].rows = rows }
  }

  @usableFromInline
  func endIteration(_ visits: Visits, _ request: IterationRequest.Place) {
    let visited = visits.firstVisited..<pointer.pointee.visited.count
    for number in visited where !pointer.pointee.visited[number].notes.isEmpty {
      for note in pointer.pointee.visited[number].notes { noteIterated(note) }
    }
    leaveIteration(request)
    guard pointer.pointee.iterations.isEmpty else {
      for number in visited where isToBeTold(number, request) {
        tellAfterwards(pointer.pointee.visited[number], request)
      }
      forgetVisited(from: visits.firstVisited)
      return leave()
    }
    pointer.pointee.mode.remove(.iterating)
    endQueue()
    for number in visited where isToBeTold(number, request) {
      tell(pointer.pointee.visited[number], request)
    }
    forgetVisited(from: visits.firstVisited)
    applyDeferred()
    leave()
  }

  /// Tells who reacts about what an iteration inside another one mutated, when that ends: they
  /// may read what it works on.
  private func tellAfterwards(_ visit: VisitedRows, _ request: IterationRequest.Place) {
    let table = unsafe visit.table
    let edges = unsafe request.mutated.map { unsafe table.pointee.edge($0.key) }
    for row in 0..<visit.rows {
      let handle = unsafe handle(at: row, of: table)
      for (number, cid) in request.mutated.enumerated() {
        guard let edge = unsafe edges[number], let column = unsafe table.pointee.column(of: cid)
        else {
          continue
        }
        let isWanted = unsafe wantsValues(edge.pointee.replace, handle)
        guard unsafe isWanted || edge.pointee.replace != nil else { continue }
        let new = unsafe isWanted ? cid.pointer.pointee.copy(column.pointee.place(row)) : nil
        let old = unsafe visit.oldPlace(of: number, row: row).map(cid.pointer.pointee.copy)
        tellAfterwards(cid, handle, old: old, new: new, .isByIteration)
      }
    }
  }

  /// Tells who reacts about the values that an iteration mutated, as if each had been set.
  private func tell(_ visit: VisitedRows, _ request: IterationRequest.Place) {
    let table = unsafe visit.table
    let edges = unsafe request.mutated.map { unsafe table.pointee.edge($0.key) }
    for row in 0..<visit.rows {
      let handle = unsafe handle(at: row, of: table)
      for (number, cid) in request.mutated.enumerated() {
        guard let edge = unsafe edges[number] else { continue }
        let list = unsafe edge.pointee.replace
        // Who began to listen in the body is not told of the value before.
        let old = unsafe visit.oldPlace(of: number, row: row)
        if unsafe wantsValues(list, handle), let column = unsafe table.pointee.column(of: cid),
          let places = unsafe queueChange(
            .updated, handle, cid, list,
            old == nil ? [.hasNew, .isByIteration] : [.hasOld, .hasNew, .isByIteration])
        {
          // SAFETY: the places were set aside for values of this type.
          if let old = unsafe old {
            unsafe cid.copyValue(to: places.old, from: old)
          }
          unsafe cid.copyValue(to: places.new, from: column.pointee.place(row))
        }
        unsafe reactGenerally(list, handle)
      }
    }
  }

  private func forgetVisited(from first: Int) {
    while pointer.pointee.visited.count > first { pointer.pointee.visited.removeLast() }
  }

  /// Whether anybody reacts to what was mutated in a table, after bringing that up to date: the body may have changed
  /// who listens.
  private func isToBeTold(_ number: Int, _ request: IterationRequest.Place) -> Bool {
    let table = unsafe pointer.pointee.visited[number].table
    var isTold = pointer.pointee.observed.count > 0
    for cid in request.mutated {
      guard let edge = unsafe table.pointee.edge(cid.key) else { continue }
      if unsafe !edge.pointee.isReplaceListed { unsafe refreshReplace(table, edge) }
      if unsafe edge.pointee.replace != nil { isTold = true }
    }
    return isTold
  }

  // MARK: All cores

  @usableFromInline
  func runInParallel(_ tables: [TableView], _ body: @Sendable (TableView) -> Void) {
    let cores = DispatchQueue.usableCores
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
    pointer.pointee.lock.beginParallelSection()
    DispatchQueue.concurrentPerform(iterations: min(cores, slices.count)) { worker in
      pointer.pointee.lock.enterWorker(worker)
      while true {
        let number = next.add(1, ordering: .relaxed).oldValue
        guard number < slices.count else { break }
        body(slices[number])
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
