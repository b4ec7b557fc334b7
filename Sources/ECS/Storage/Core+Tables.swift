extension Core {
  /// Finds out where entities of a table go through an edge.
  @inline(never)
  func makeTarget(of table: TablePointer, through cid: CID) {
    var signature = table.pointee.signature
    if let place = signature.firstIndex(of: cid) {
      signature.remove(at: place)
    } else {
      let place = signature.firstIndex { $0.id > cid.id } ?? signature.endIndex
      signature.insert(cid, at: place)
    }
    let target = findTable(signature, keeping: table)
    table.pointee.ensureEdge(cid).pointee.target = target
    // So whoever knows a table finds the edges that lead to it.
    target.pointee.ensureEdge(cid).pointee.target = table
  }

  /// Works out how rows of a table go through an edge.
  @inline(never)
  func makePlan(of table: TablePointer, through cid: CID) {
    if table.pointee.ensureEdge(cid).pointee.target == nil { makeTarget(of: table, through: cid) }
    let edge = table.pointee.ensureEdge(cid)
    guard let target = edge.pointee.target else { return }
    let plan = UnsafeMutablePointer<RowPlan>.allocate(capacity: 1)
    plan.initialize(to: RowPlan(from: table, to: target, adding: cid))
    edge.pointee.plan = plan
  }

  /// The table of a signature, made if there is none.
  ///
  /// `keeping` is not freed on the way.
  func findTable(
    _ signature: [CID], keeping kept: TablePointer
  ) -> TablePointer {
    if let table = pointer.pointee.tablesBySignature[signature] { return table }
    if pointer.pointee.tables.count >= pointer.pointee.nextSweep { sweepTables(keeping: kept) }
    let table = TablePointer.allocate(capacity: 1)
    let number = pointer.pointee.freeTableNumbers.popLast() ?? pointer.pointee.tables.count
    table.initialize(to: Table(signature: signature, number: number))
    pointer.pointee.tables.append(table)
    pointer.pointee.tablesBySignature[signature] = table
    pointer.pointee.matcherEvaluations += pointer.pointee.sets.count
    for set in pointer.pointee.sets where set.matcher.accepts(signature) { link(table, set) }
    return table
  }

  private func link(_ table: TablePointer, _ set: TableSet) {
    set.insert(table)
    table.pointee.sets.append(set)
  }

  /// The set of all tables with a component, made if there is none yet.
  func setOfTables(with cid: CID) -> TableSet {
    if let set = pointer.pointee.setsOfComponents[cid] { return set }
    let set = makeSet(Matcher(all: [cid]))
    pointer.pointee.setsOfComponents[cid] = set
    return set
  }

  /// The set of all tables, made if there is none yet.
  func setOfAllTables() -> TableSet {
    if let set = pointer.pointee.setOfAll { return set }
    let set = makeSet(.everything)
    pointer.pointee.setOfAll = set
    return set
  }

  /// Makes a set of the tables that a matcher accepts, now and later.
  func makeSet(_ matcher: Matcher) -> TableSet {
    let set = TableSet(matcher: matcher, number: pointer.pointee.sets.count)
    pointer.pointee.sets.append(set)
    pointer.pointee.matcherEvaluations += pointer.pointee.tables.count
    for table in pointer.pointee.tables where matcher.accepts(table.pointee.signature) {
      link(table, set)
    }
    return set
  }

  /// Frees tables without entities, so that programs which pass through many combinations of
  /// components do not grow.
  ///
  /// Happens when the number of tables has doubled since the last time.
  func sweepTables(keeping kept: TablePointer? = nil) {
    guard pointer.pointee.iterations.isEmpty else { return }
    var gone: Set<TablePointer> = []
    for table in pointer.pointee.tables
    where table.pointee.count == 0 && table != pointer.pointee.root && table != kept
      && table != pointer.pointee.pinned
    {
      gone.insert(table)
    }
    pointer.pointee.tables.removeAll(where: gone.contains)
    pointer.pointee.nextSweep = max(512, pointer.pointee.tables.count * 2)
    guard !gone.isEmpty else { return }
    for set in pointer.pointee.sets { set.remove(where: gone.contains) }
    for table in pointer.pointee.tables { table.pointee.forgetTargets(where: gone.contains) }
    for table in gone {
      pointer.pointee.tablesBySignature[table.pointee.signature] = nil
      pointer.pointee.freeTableNumbers.append(table.pointee.number)
      free(table)
    }
  }

  /// Gives back all memory that no entity uses.
  func compact() {
    sweepTables()
    guard pointer.pointee.iterations.isEmpty else { return }
    for table in pointer.pointee.tables {
      table.pointee.shrink()
      refreshUnique(table)
    }
    pointer.pointee.changes.compact()
    Memory.giveReserveBack()
  }

  func free(_ table: TablePointer) {
    table.pointee.deallocate()
    table.deinitialize(count: 1)
    table.deallocate()
  }

  /// The table without components, in which creation starts.
  @inlinable
  var root: TablePointer { pointer.pointee.root }

  /// Whether an entity is alive and in a table of a set.
  func isMember(_ handle: Handle, of set: TableSet) -> Bool {
    set.contains(storedTable(of: handle))
  }

  /// Whether a set belongs to the context that uses this core at present.
  ///
  /// It was made by this core, but perhaps for an earlier one.
  func uses(_ set: TableSet) -> Bool { set.isInUse }

  /// The first entity of a set.
  func first(of set: TableSet) -> Handle? {
    for table in set.tables where table.pointee.count > 0 { return handle(at: 0, of: table) }
    return nil
  }

  /// Calls a body with each entity of a set, table by table.
  func forEach(in set: TableSet, _ body: (Handle) -> Void) {
    for table in set.tables {
      for row in 0..<table.pointee.count { body(handle(at: row, of: table)) }
    }
  }
}
