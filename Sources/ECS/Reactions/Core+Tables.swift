extension Core {
  /// Finds out where entities of a table go through an edge.
  @inline(never)
  func makeTarget(of table: TablePointer, through cid: CID) {
    var signature = unsafe table.pointee.signature
    if let index = signature.firstIndex(of: cid) {
      signature.remove(at: index)
    } else {
      let index = signature.firstIndex { $0.id > cid.id } ?? signature.endIndex
      signature.insert(cid, at: index)
    }
    let target = unsafe findTable(signature, keeping: table)
    unsafe table.pointee.ensureEdge(cid).pointee.target = target
    // So the edges that lead to a table are found from it.
    unsafe target.pointee.ensureEdge(cid).pointee.target = table
  }

  /// Works out how rows of a table go through an edge.
  @inline(never)
  func makePlan(of table: TablePointer, through cid: CID) {
    if unsafe table.pointee.ensureEdge(cid).pointee.target == nil {
      unsafe makeTarget(of: table, through: cid)
    }
    let edge = unsafe table.pointee.ensureEdge(cid)
    guard let target = unsafe edge.pointee.target else { return }
    unsafe edge.pointee.plan = RowPlan.make(from: table, to: target, adding: cid)
  }

  /// The table of a signature, made if there is none.
  ///
  /// `keeping` is not freed on the way.
  func findTable(
    _ signature: [CID], keeping kept: TablePointer
  ) -> TablePointer {
    if let table = unsafe pointer.pointee.tables.bySignature[signature] { return unsafe table }
    unsafe reclaimTables(keeping: kept)
    // First: it may be the first use of a type, whose requirements are code of the user's.
    let missing = refusingChanges(.usingColumns) { ComponentRequirements.missing(from: signature) }
    let table = TablePointer.allocate(capacity: 1)
    let number =
      unsafe pointer.pointee.tables.freeNumbers.popLast() ?? pointer.pointee.tables.all.count
    unsafe table.initialize(to: Table(self, signature: signature, missing, number: number))
    unsafe pointer.pointee.tables.all.append(table)
    unsafe pointer.pointee.tables.bySignature[signature] = table
    pointer.pointee.tables.reclaim.noteMade(signature)
    pointer.pointee.tables.madeCount += 1
    pointer.pointee.listeners.matcherEvaluations += pointer.pointee.listeners.sets.count
    for set in pointer.pointee.listeners.sets where set.matcher.accepts(signature) {
      unsafe link(table, set)
    }
    return unsafe table
  }

  private func link(_ table: TablePointer, _ set: TableSet) {
    unsafe set.insert(table)
    unsafe table.pointee.sets.append(set.index)
  }

  /// The set of all tables with a component, made if there is none yet.
  func setOfTables(with cid: CID) -> TableSet {
    if let set = pointer.pointee.listeners.setsOfComponents[cid] { return set }
    let set = makeSet(Matcher(all: [cid]))
    pointer.pointee.listeners.setsOfComponents[cid] = set
    return set
  }

  /// The set of all tables, made if there is none yet.
  func setOfAllTables() -> TableSet {
    if let set = pointer.pointee.listeners.setOfAll { return set }
    let set = makeSet(.everything)
    pointer.pointee.listeners.setOfAll = set
    return set
  }

  /// Makes a set of the tables that a matcher accepts, now and later.
  func makeSet(_ matcher: Matcher) -> TableSet {
    let set = TableSet(matcher: matcher, index: pointer.pointee.listeners.sets.count)
    pointer.pointee.listeners.sets.append(set)
    unsafe pointer.pointee.listeners.matcherEvaluations += pointer.pointee.tables.all.count
    for unsafe(table) in unsafe pointer.pointee.tables.all
    where unsafe matcher.accepts(table.pointee.signature) {
      unsafe link(table, set)
    }
    return set
  }

  /// Gives back all memory that no entity uses, to the system once the lock is free.
  func compact() {
    freeEmptyTables()
    guard !isIterating, !isRecording else { return }
    for unsafe(table) in unsafe pointer.pointee.tables.all {
      unsafe table.pointee.shrink()
      unsafe refreshUnique(table)
    }
    pointer.pointee.events.queue.compact()
    // The system takes its time: nothing has to wait for it.
    runAfterUnlock { [self] in
      assertIsFree()
      Memory.giveReserveBack()
    }
  }

  func free(_ table: TablePointer) {
    noteStructuralChange()
    unsafe table.pointee.freeReactions()
    unsafe table.pointee.deallocate()
    unsafe table.deinitialize(count: 1)
    unsafe table.deallocate()
  }

  /// Notes that what is remembered for a moment may be out of date.
  @inline(__always)
  func noteStructuralChange() {
    pointer.pointee.tables.epoch &+= 1
    if unsafe pointer.pointee.iterations.borrowedColumns != nil { forgetCachedColumns() }
  }

  /// The table without components, in which creation starts.
  @inlinable
  var root: TablePointer { unsafe pointer.pointee.tables.root }

  /// Whether an entity is alive and in a table of a set.
  func isMember(_ handle: Handle, of set: TableSet) -> Bool {
    unsafe set.contains(storedTable(of: handle))
  }

  /// The sets that a table belongs to, in the order of their creation.
  func sets(of table: TablePointer) -> some Sequence<TableSet> {
    unsafe table.pointee.sets.lazy.map { pointer.pointee.listeners.sets[$0] }
  }

  /// Whether a set belongs to the context that uses this core at present.
  ///
  /// It was made by this core, but perhaps for an earlier one.
  func uses(_ set: TableSet) -> Bool { set.isInUse }

  /// The first entity of a set.
  func first(of set: TableSet) -> Handle? {
    for unsafe(table) in unsafe set.tables where unsafe table.pointee.count > 0 {
      return unsafe handle(at: 0, of: table)
    }
    return nil
  }

  /// Calls a body with each entity of a set, table by table.
  func forEach(in set: TableSet, _ body: (Handle) -> Void) {
    for unsafe(table) in unsafe set.tables {
      for row in unsafe 0..<table.pointee.count { unsafe body(handle(at: row, of: table)) }
    }
  }
}
