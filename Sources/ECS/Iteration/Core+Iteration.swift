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
    try withCursor(over: set, request) { (cursor) throws(Failure) in
      cursor.begin()
      defer { cursor.end() }
      while let view = cursor.next() {
        var rows = view.rows.count
        defer { cursor.iteration.note(rows) }
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
    try withCursor(over: set, request) { (cursor) throws(Failure) in
      cursor.begin()
      defer { cursor.end() }
      while let view = cursor.next() {
        var rows = view.rows.count
        defer { cursor.iteration.note(rows) }
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
    withCursor(over: set, request) { cursor in
      cursor.begin()
      defer { cursor.end() }
      var views: [TableView] = []
      while let view = cursor.next() {
        cursor.iteration.note(view.rows.count)
        views.append(view)
      }
      runInParallel(views, body)
    }
  }

  /// Calls a body with the cursor of an iteration that is about to run.
  @inlinable
  @inline(__always)
  func withCursor<Result, Failure: Error>(
    over set: TableSet, _ request: IterationRequest, _ body: (TableCursor) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try unsafe withUnsafePointer(to: request) { (address) throws(Failure) in
      var iteration = unsafe RunningIteration(IterationRequest.Reference(address))
      return try unsafe withUnsafeMutablePointer(to: &iteration) { (address) throws(Failure) in
        try unsafe body(TableCursor(self, RunningIteration.Reference(address), set))
      }
    }
  }

  /// Whether an iteration runs.
  var isIterating: Bool { pointer.pointee.iterations.innermost != nil }

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
