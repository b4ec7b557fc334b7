import Dispatch
import Synchronization

/// What an iteration does with the components that it asks for.
@usableFromInline
struct IterationRequest: Sendable {
  @usableFromInline var mutated: [CID]
  @usableFromInline var read: [CID]

  /// What the body reads where it is there.
  @usableFromInline var optional: [CID]

  /// The body gets the columns themselves, not copies of values.
  @usableFromInline var isDirect: Bool

  @usableFromInline
  init(mutated: [CID], read: [CID], optional: [CID], isDirect: Bool) {
    self.mutated = mutated
    self.read = read
    self.optional = optional
    self.isDirect = isDirect
  }

  /// How many columns may have values that someone is changing, and that reads have to look at.
  var exclusiveCount: Int {
    mutated.count { isDirect || !$0.pointer.pointee.isTrivial }
  }

  func names(_ key: ComponentKey) -> Bool {
    mutated.contains { $0.key == key } || onlyReads { $0.key == key }
  }

  func onlyReads(_ isWanted: (CID) -> Bool) -> Bool {
    read.contains(where: isWanted) || optional.contains(where: isWanted)
  }
}

/// A request whose iteration is running.
@safe
struct ActiveIteration {
  let request: IterationRequest

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
    var visits = beginIteration(set, request)
    defer { endIteration(&visits, request) }
    var number = 0
    while let view = nextTable(&visits, number, request) {
      var rows = view.rows.count
      defer { note(&visits, number, rows) }
      try body(view, &rows)
      number += 1
    }
  }

  /// Calls a body with each table of a set that has all requested components, until it returns something.
  @inlinable
  func search<Result, Failure: Error>(
    _ set: TableSet, _ request: IterationRequest,
    _ body: (TableView, inout Int) throws(Failure) -> Result?
  ) throws(Failure) -> Result? {
    var visits = beginIteration(set, request)
    defer { endIteration(&visits, request) }
    var number = 0
    while let view = nextTable(&visits, number, request) {
      var rows = view.rows.count
      let result: Result?
      do throws(Failure) {
        result = try body(view, &rows)
      } catch {
        note(&visits, number, rows)
        throw error
      }
      if let result {
        note(&visits, number, rows)
        return result
      }
      number += 1
    }
    return nil
  }

  /// Calls a body with slices of the tables of a set, on all cores.
  @inlinable
  func iterateInParallel(
    _ set: TableSet, _ request: IterationRequest, _ body: @Sendable (TableView) -> Void
  ) {
    var visits = beginIteration(set, request)
    defer { endIteration(&visits, request) }
    prepareAll(&visits, request)
    runInParallel(visits, body)
  }

  // MARK: Steps

  @safe
  @usableFromInline
  struct Visits {
    var tables: [TablePointer]
    var visited: [VisitedRows] = []
  }

  @usableFromInline
  func beginIteration(_ set: TableSet, _ request: IterationRequest) -> Visits {
    enter()
    checkMode()
    check(request)
    enterIteration(request)
    let needed = request.mutated + request.read
    return unsafe Visits(
      tables: set.tables.filter { table in
        unsafe table.pointee.count > 0
          && needed.allSatisfy { unsafe table.pointee.edge($0.key)?.pointee.column != nil }
      })
  }

  private func enterIteration(_ request: IterationRequest) {
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

  private func leaveIteration(_ request: IterationRequest) {
    pointer.pointee.iterations.removeLast()
    pointer.pointee.exclusiveColumns -= request.exclusiveCount
    pointer.pointee.currentRow = pointer.pointee.iterations.last?.row ?? -1
    unsafe pointer.pointee.currentTable = pointer.pointee.iterations.last?.table
  }

  @usableFromInline
  func nextTable(
    _ visits: inout Visits, _ number: Int, _ request: IterationRequest
  ) -> TableView? {
    guard unsafe number < visits.tables.count else { return nil }
    let table = unsafe visits.tables[number]
    unsafe prepare(table, &visits, request)
    pointer.pointee.currentRow = -1
    unsafe pointer.pointee.currentTable = table
    return unsafe TableView(core: self, table: table, rows: 0..<table.pointee.count)
  }

  @usableFromInline
  func prepareAll(_ visits: inout Visits, _ request: IterationRequest) {
    for unsafe(table) in unsafe visits.tables { unsafe prepare(table, &visits, request) }
  }

  /// Keeps the values before, if observers are to be notified of them.
  private func prepare(
    _ table: TablePointer, _ visits: inout Visits, _ request: IterationRequest
  ) {
    guard !request.mutated.isEmpty else { return }
    let notes = isNoting ? request.mutated.compactMap { unsafe noteColumn($0, of: table) } : []
    let isWanted = request.mutated.contains { unsafe wantsOldValues(of: $0, in: table) }
    let old = isWanted ? request.mutated.map { unsafe oldValues(of: $0, in: table) } : []
    unsafe visits.visited.append(
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

  @usableFromInline
  func note(_ visits: inout Visits, _ number: Int, _ rows: Int) {
    guard number < visits.visited.count else { return }
    visits.visited[number].rows = rows
  }

  @usableFromInline
  func endIteration(_ visits: inout Visits, _ request: IterationRequest) {
    for visit in visits.visited { for note in visit.notes { noteIterated(note) } }
    leaveIteration(request)
    guard pointer.pointee.iterations.isEmpty else {
      for visit in visits.visited { tellAfterwards(visit, request) }
      return leave()
    }
    pointer.pointee.mode.remove(.iterating)
    endQueue()
    for visit in visits.visited { tell(visit, request) }
    applyDeferred()
    leave()
  }

  /// Tells who reacts about what an iteration inside another one mutated, when that ends: they
  /// may read what it works on.
  private func tellAfterwards(_ visit: VisitedRows, _ request: IterationRequest) {
    let table = unsafe visit.table
    let edges = unsafe prepareToTell(table, request)
    guard
      unsafe pointer.pointee.observed.count > 0
        || edges.contains(where: { unsafe $0?.pointee.replace != nil })
    else { return }
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
  private func tell(_ visit: VisitedRows, _ request: IterationRequest) {
    let table = unsafe visit.table
    let edges = unsafe prepareToTell(table, request)
    guard
      unsafe pointer.pointee.observed.count > 0
        || edges.contains(where: { unsafe $0?.pointee.replace != nil })
    else { return }
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

  /// The edges of the mutated components, with reactions that are up to date: the body may have
  /// changed who listens.
  private func prepareToTell(
    _ table: TablePointer, _ request: IterationRequest
  ) -> [UnsafeMutablePointer<Edge>?] {
    unsafe request.mutated.map { cid in
      guard let edge = unsafe table.pointee.edge(cid.key) else { return nil }
      if unsafe !edge.pointee.isReplaceListed { unsafe refreshReplace(table, edge) }
      return unsafe edge
    }
  }

  // MARK: All cores

  @usableFromInline
  func runInParallel(_ visits: Visits, _ body: @Sendable (TableView) -> Void) {
    let cores = DispatchQueue.usableCores
    let total = unsafe visits.tables.reduce(0) { unsafe $0 + $1.pointee.count }
    let size = max(Core.smallestSlice, total / (cores * Core.slicesPerCore) + 1)
    var views: [TableView] = []
    for unsafe(table) in unsafe visits.tables {
      for start in unsafe stride(from: 0, to: table.pointee.count, by: size) {
        let rows = unsafe start..<min(start + size, table.pointee.count)
        unsafe views.append(TableView(core: self, table: table, rows: rows))
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
