/// The graph of archetypes: the tables, and the edges between those that differ by one component.
struct ArchetypeGraph {
  let core: Core
}

extension Core {
  /// The tables, and the edges between them.
  var graph: ArchetypeGraph { ArchetypeGraph(core: self) }
}

extension ArchetypeGraph {
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
    if let table = unsafe core.pointer.pointee.tables.bySignature[signature] { return unsafe table }
    unsafe reclaim(keeping: kept)
    // First: it may be the first use of a type, whose requirements are code of the user's.
    let missing = core.refusingChanges(.usingColumns) {
      ComponentRequirements.missing(from: signature)
    }
    let table = TablePointer.allocate(capacity: 1)
    let number =
      unsafe core.pointer.pointee.tables.freeNumbers.popLast()
      ?? core.pointer.pointee.tables.all.count
    unsafe table.initialize(to: Table(core, signature: signature, missing, number: number))
    unsafe core.pointer.pointee.tables.all.append(table)
    unsafe core.pointer.pointee.tables.bySignature[signature] = table
    core.pointer.pointee.tables.reclaim.noteMade(signature)
    core.pointer.pointee.tables.madeCount += 1
    core.pointer.pointee.listeners.matcherEvaluations += core.pointer.pointee.listeners.sets.count
    for set in core.pointer.pointee.listeners.sets where set.matcher.accepts(signature) {
      unsafe link(table, set)
    }
    return unsafe table
  }

  func link(_ table: TablePointer, _ set: TableSet) {
    unsafe set.insert(table)
    unsafe table.pointee.sets.append(set.index)
  }

  /// Gives back all memory that no entity uses, to the system once the lock is free.
  func compact() {
    freeEmpty()
    guard !core.isIterating, !core.isRecording else { return }
    for unsafe(table) in unsafe core.pointer.pointee.tables.all {
      unsafe table.pointee.shrink()
      unsafe core.unique.refresh(table)
    }
    core.pointer.pointee.events.queue.compact()
    // The system takes its time: nothing has to wait for it.
    core.runAfterUnlock { [self] in
      core.assertIsFree()
      Memory.giveReserveBack()
    }
  }

  func free(_ table: TablePointer) {
    core.noteStructuralChange()
    unsafe table.pointee.freeReactions()
    unsafe table.pointee.deallocate()
    unsafe table.deinitialize(count: 1)
    unsafe table.deallocate()
  }
}
