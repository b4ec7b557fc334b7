/// The rule that nothing reads or takes a value while a closure may be changing it.
@frozen
@usableFromInline
struct Exclusivity {
  @usableFromInline let core: Core

  @inlinable
  @inline(__always)
  init(_ core: Core) { self.core = core }
}

extension Core {
  /// The checks that no value is read while a closure may be changing it.
  @inlinable
  @inline(__always)
  var exclusivity: Exclusivity { Exclusivity(self) }
}

extension Exclusivity {
  /// Stops if an iteration asks for what it must not have beside those that run.
  @inline(__always)
  func check(_ request: IterationRequest.Reference) {
    var index = 0
    while index < request.mutatedEnd {
      checkIsOnce(index, request, index &+ 1, request.neededEnd)
      checkIsOnce(index, request, request.optionalStart, 8)
      index &+= 1
    }
    if core.pointer.pointee.taken.count > 0 {
      for key in request.needed { checkNotTaken(key, "An iteration") }
      for key in request.optional { checkNotTaken(key, "An iteration") }
    }
    if core.isIterating { checkBesideOthers(request) }
  }

  /// Stops if a component that a request mutates is also one of some others that it asks for.
  @inline(__always)
  private func checkIsOnce(
    _ index: Int, _ request: IterationRequest.Reference, _ start: Int, _ end: Int
  ) {
    var other = start
    while other < end {
      require(
        request[other] != request[index],
        "An iteration asks for \(request[index].name) twice and mutates it: ask for each component once."
      )
      other &+= 1
    }
  }

  /// Whether a condition is true of an iteration that runs.
  func anyIteration(_ condition: (RunningIteration.Reference) -> Bool) -> Bool {
    var next = core.pointer.pointee.iterations.innermost
    while let iteration = next {
      if condition(iteration) { return true }
      next = iteration.pointer.pointee.outer
    }
    return false
  }

  @inline(never)
  private func checkBesideOthers(_ request: IterationRequest.Reference) {
    _ = anyIteration { other in
      let clash = clash(request, other.request) ?? self.clash(other.request, request)
      require(
        clash == nil,
        "An iteration inside another one asks for \(clash?.name ?? "a component"), which one of the two mutates: collect the changes, and make them afterwards."
      )
      return false
    }
  }

  private func clash(
    _ one: IterationRequest.Reference, _ other: IterationRequest.Reference
  ) -> ComponentKey? {
    one.mutated.first { key in
      one.isDirect || other.isDirect ? other.asks(for: key) : other.mutated.contains(key)
    }
  }

  @usableFromInline
  @inline(never)
  func checkRead<C: Component>(_ type: C.Type, _ address: UnsafeMutablePointer<C>) {
    unsafe checkRead(C.cid, UnsafeMutableRawPointer(address))
  }

  /// Stops if a closure has a value, which it may be changing at this moment.
  func checkRead(_ cid: CID, _ address: UnsafeMutableRawPointer) {
    require(
      !anyIteration { $0.request.isDirect && $0.request.mutated.contains(cid.key) },
      "\(cid.name) was read from an entity inside a chunk iteration that mutates it: read it from the span."
    )
    require(
      !anyIteration { unsafe isCurrent(cid, address, $0) },
      "\(cid.name) was read from the entity for which a closure is changing it: read it from the closure's parameter."
    )
    // A view or an index that asks sees the value before, if that is still there.
    let mode = core.pointer.pointee.section.mode
    let isAskedByView = mode.refusal != nil && !mode.contains(.reading)
    require(
      !core.pointer.pointee.taken.contains {
        unsafe $0.cid == cid && (!isAskedByView || $0.isOut) && self.address(of: $0) == address
      },
      "\(cid.name) was read from the entity for which a closure is changing it: read it from the closure's parameter."
    )
  }

  private func address(of taken: TakenValue) -> UnsafeMutableRawPointer? {
    guard let record = unsafe core.record(of: taken.handle),
      let table = unsafe core.storedTable(of: taken.handle)
    else {
      return nil
    }
    return unsafe table.pointee.column(of: taken.cid)?.pointee.place(Int(record.pointee.row))
  }

  /// Whether an address is that of the row which the closure of an iteration has.
  private func isCurrent(
    _ cid: CID, _ address: UnsafeMutableRawPointer, _ iteration: RunningIteration.Reference
  ) -> Bool {
    guard !iteration.request.isDirect,
      iteration.request.mutated.contains(cid.key)
    else { return false }
    let isInnermost = unsafe iteration.pointer == core.pointer.pointee.iterations.innermost?.pointer
    let table =
      unsafe isInnermost
      ? core.pointer.pointee.iterations.currentTable : iteration.pointer.pointee.table
    let row =
      isInnermost ? core.pointer.pointee.iterations.currentRow : iteration.pointer.pointee.row
    guard let table = unsafe table, row >= 0, let column = unsafe table.pointee.column(of: cid)
    else { return false }
    return unsafe column.pointee.place(row) == address
  }

  /// The rows of a table whose values of a component the closure of an iteration has, so that
  /// nothing else can look at them: listeners are notified of them when it ends.
  func rowsInHand(of cid: CID, in table: TablePointer) -> Range<Int> {
    if cid.pointer.pointee.isTrivial { return 0..<0 }
    var rows = 0..<0
    _ = anyIteration { iteration in
      guard iteration.request.mutated.contains(cid.key) else { return false }
      if let found = unsafe rowsInHand(of: iteration, in: table) { rows = found }
      return !rows.isEmpty
    }
    return rows
  }

  /// The rows whose values the closure of an iteration has; nil if they are in another table.
  func rowsInHand(
    of iteration: RunningIteration.Reference, in table: TablePointer
  ) -> Range<Int>? {
    let isInnermost = unsafe iteration.pointer == core.pointer.pointee.iterations.innermost?.pointer
    let current =
      unsafe isInnermost
      ? core.pointer.pointee.iterations.currentTable : iteration.pointer.pointee.table
    guard unsafe current == table else { return nil }
    let row =
      isInnermost ? core.pointer.pointee.iterations.currentRow : iteration.pointer.pointee.row
    // Chunks are handed out whole.
    let count = unsafe table.pointee.count
    return iteration.request.isDirect || row < 0 ? 0..<count : row..<row + 1
  }

  /// Stops if a closure has a value of a component, for callers that need all of them.
  func checkNoneTaken(_ cid: CID, _ what: String) {
    checkNotTaken(cid.key, what)
    require(
      cid.pointer.pointee.isTrivial
        || !anyIteration { $0.request.mutated.contains(cid.key) },
      "\(what) needs the \(cid.name) of all entities while an iteration changes them: do it after the iteration."
    )
  }
}
