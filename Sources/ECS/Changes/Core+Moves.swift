/// A component that was just added: its place, still uninitialized, and what reacts.
@safe
@usableFromInline
struct Addition {
  @usableFromInline let place: UnsafeMutableRawPointer
  let reactions: ReactionListPointer?

  /// How what came along with the component came; nil if nothing did.
  // INVARIANT: the entity's earlier table has it until the change has ended.
  let move: Unmanaged<CompletedMove>?

  /// Whether `finish(_:_:)` has something to do.
  @usableFromInline let needsFinish: Bool

  init(place: UnsafeMutableRawPointer, reactions: ReactionListPointer?, needsFinish: Bool) {
    unsafe (self.place, self.reactions, move) = unsafe (place, reactions, nil)
    self.needsFinish = needsFinish
  }

  init(
    place: UnsafeMutableRawPointer, reactions: ReactionListPointer?,
    move: Unmanaged<CompletedMove>, needsFinish: Bool
  ) {
    unsafe (self.place, self.reactions, self.move) = unsafe (place, reactions, move)
    self.needsFinish = needsFinish
  }
}

extension Core {
  /// Moves a living entity to the table that also has a component.
  ///
  /// The caller initialises the place, and then calls `finish(_:_:)` if the addition asks for it.
  /// Nil, having counted the write, if the entity went with the earlier holder of a unique
  /// component.
  @usableFromInline
  @inline(never)
  func add(_ handle: Handle, _ cid: CID) -> Addition? {
    if !cid.isPlain {
      let completion = Completion(core: self)
      if let move = completion.move(of: handle, adding: cid) {
        return completion.add(cid, to: handle, by: move)
      }
      // The holder of a unique component loses it first. If that was all it was made for it ends,
      // and takes with it whatever is related to it by a rule that says so.
      if cid.isUnique { unique.evictHolder(of: cid) }
    }
    guard let table = unsafe record(of: handle)?.pointee.table else {
      noteStaleWrite(handle)
      return nil
    }
    let (edge, target, plan) = unsafe preparedEdge(of: table, cid)
    let reactions = unsafe edge.pointee.transition
    if isNoting {
      if cid.isUnique { recorder.noteHolder(of: cid) }
      let row = unsafe pointer.pointee.slots.records[Int(handle.index)].row
      if isFreezing { unsafe Freezing(core: self).keepRow(Int(row), of: table) }
      unsafe recorder.noteAddition(handle, cid, table, row)
    }
    let row = unsafe moveRow(handle.index, from: table, to: target, plan)
    guard let column = unsafe plan.pointee.added else {
      stop("A component was added that the entity already has.")
    }
    if cid.isUnique {
      let slot = unsafe pointer.pointee.slots.unique.ensure(cid.key)
      unsafe slot.pointee.holder = handle
      unsafe slot.pointee.holderIsOurs = false
      pointer.pointee.retainedSlots?.made[handle.index] = nil
    }
    if unsafe target.pointee.hasUnique { unsafe unique.refresh(target) }
    return unsafe Addition(
      place: column.pointee.place(row), reactions: reactions,
      needsFinish: reactions != nil || notifications.isObserved(handle.index) || isJournaling)
  }

  /// An edge whose target, plan and transition reactions are up to date.
  func preparedEdge(
    of table: TablePointer, _ cid: CID
  ) -> (UnsafeMutablePointer<Edge>, TablePointer, UnsafeMutablePointer<RowPlan>) {
    if unsafe table.pointee.ensureEdge(cid).pointee.plan == nil {
      unsafe graph.makePlan(of: table, through: cid)
    }
    let edge = unsafe table.pointee.ensureEdge(cid)
    if unsafe !edge.pointee.isTransitionListed {
      unsafe reactionLists.refreshTransition(table, edge)
    }
    guard let target = unsafe edge.pointee.target, let plan = unsafe edge.pointee.plan else {
      stop("The table that an edge leads to could not be made.")
    }
    return unsafe (edge, target, plan)
  }

  /// Carries out the reactions to a component that was added, after its value is in place.
  @usableFromInline
  @inline(never)
  func finish(_ handle: Handle, _ addition: Addition, _ cid: CID) {
    if isJournaling { unsafe recorder.noteNewValue(cid, addition.place) }
    if let move = unsafe addition.move {
      unsafe move._withUnsafeGuaranteedRef { Completion(core: self).finish(handle, $0) }
    }
    if let places = unsafe notifications.queue(
      .added, handle, cid, addition.reactions?.notices, .hasNew)
    {
      // SAFETY: the value is in place; that in the queue is not yet.
      unsafe cid.copyValue(to: places.new, from: addition.place)
    }
    unsafe reactGenerally(addition.reactions, handle)
  }

  /// Removes a component.
  ///
  /// Dead handles are counted; absence is nothing to do.
  @usableFromInline
  func remove(_ key: ComponentKey, from handle: Handle, isForced: Bool = false) {
    guard let record = unsafe record(of: handle), let table = unsafe record.pointee.table else {
      noteStaleWrite(handle)
      return
    }
    guard let edge = unsafe table.pointee.edge(key), unsafe edge.pointee.column != nil,
      let cid = unsafe edge.pointee.cid
    else { return }
    if unsafe table.pointee.hasRemovalRules, !pointer.pointee.tables.ignoresRequirements {
      let signature = unsafe table.pointee.signature
      let others = ComponentRequirements.dependents(on: key, among: signature, isForced: isForced)
      guard let others else { return }
      for other in others { remove(other.key, from: handle, isForced: true) }
      guard let table = unsafe record.pointee.table else { return }
      return unsafe removeReacting(handle, cid, table, Int(record.pointee.row))
    }
    unsafe removeReacting(handle, cid, table, Int(record.pointee.row))
  }

  @inline(never)
  private func removeReacting(
    _ handle: Handle, _ cid: CID, _ table: TablePointer, _ row: Int
  ) {
    let (edge, target, plan) = unsafe preparedEdge(of: table, cid)
    let reactions = unsafe edge.pointee.transition
    if isNoting { unsafe recorder.noteRemoval(handle, cid, table, row) }
    if unsafe notifications.wantsValues(reactions?.notices, handle),
      let column = unsafe table.pointee.column(of: cid)
    {
      let isThere = !exclusivity.isOut(cid, handle)
      let places = unsafe notifications.queue(
        .removed, handle, cid, reactions?.notices, isThere ? .hasOld : [])
      if isThere, let places {
        // SAFETY: the value is in its column; that in the queue is not there yet.
        unsafe cid.copyValue(to: places.old, from: column.pointee.place(row))
      }
    }
    _ = unsafe moveRow(handle.index, from: table, to: target, plan)
    if cid.isUnique { unsafe pointer.pointee.slots.unique.find(cid.key)?.pointee.value = nil }
    if unsafe target.pointee.hasUnique { unsafe unique.refresh(target) }
    unsafe reactGenerally(reactions, handle)
  }

  /// Moves an entity's row along an edge.
  ///
  /// Values that the target has no column for are ended when the change ends.
  func moveRow(
    _ index: UInt32, from table: TablePointer, to target: TablePointer,
    _ plan: UnsafeMutablePointer<RowPlan>
  ) -> Int {
    // SAFETY: the entity lives in `row` of `table`; the plan is for the two tables; the target's
    // new row is uninitialized, and the last row of the source becomes so.
    let record = unsafe pointer.pointee.slots.records + Int(index)
    let row = unsafe Int(record.pointee.row)
    let newRow = unsafe target.pointee.appendRow(index)
    let last = unsafe table.pointee.count &- 1
    unsafe RowPlan.move(plan, row, to: newRow, last: last)
    if unsafe !plan.pointee.isSimple {
      unsafe moveGeneral(plan, row, to: newRow, last: last, of: index)
    }
    unsafe closeGap(at: row, last: last, of: table)
    unsafe record.pointee.row = UInt32(truncatingIfNeeded: newRow)
    unsafe record.pointee.table = target
    return newRow
  }

  private func moveGeneral(
    _ plan: UnsafeMutablePointer<RowPlan>, _ row: Int, to newRow: Int, last: Int, of index: UInt32
  ) {
    let handle = handle(ofSlot: index)
    unsafe plan.pointee.moveGeneral(row, to: newRow, last: last) { cid, place in
      // What a closure has is not ended here.
      if pointer.pointee.taken.count > 0, exclusivity.noteInitialized(cid.key, of: handle) {
        return
      }
      unsafe discard(cid.pointer.pointee.take(place))
    }
  }

  /// Lets the entity of the last row take the place of one whose values are gone.
  // PERFORMANCE: A1, A2, D1: half of the rows that leave in the order in which they came are the
  // last ones by then.
  @inlinable
  @inline(__always)
  func closeGap(at row: Int, last: Int, of table: TablePointer) {
    unsafe table.pointee.count = last
    unsafe table.pointee.departures &+= 1
    if row == last { return }
    let moved = unsafe table.pointee.entities[last]
    unsafe table.pointee.entities[row] = moved
    unsafe pointer.pointee.slots.records[Int(moved)].row = UInt32(truncatingIfNeeded: row)
  }

  func removeRow(_ row: Int, of table: TablePointer) {
    // SAFETY: as in `moveRow`.
    let last = unsafe table.pointee.count &- 1
    if let plan = unsafe table.pointee.endPlan {
      unsafe RowPlan.move(plan, row, to: 0, last: last)
      if unsafe !plan.pointee.isSimple {
        unsafe moveGeneral(plan, row, to: 0, last: last, of: table.pointee.entities[row])
      }
    }
    unsafe closeGap(at: row, last: last, of: table)
  }

  // MARK: Reactions

  /// Carries out a reaction list for an entity whose values are in place.
  @inline(__always)
  func react(_ list: ReactionListPointer?, _ handle: Handle) {
    guard let list = unsafe list else { return }
    for number in unsafe 0..<list.pointee.count {
      unsafe assert(list.noteWalk(at: number))
      switch unsafe list.pointee.reactions[number].target {
      case .log(let log): unsafe record(handle, in: log)
      case .index(let sink, let column): unsafe update(sink, column, handle)
      case .sink(let sink): unsafe tell(sink, list.pointee.reactions[number].kind, handle)
      }
    }
  }

  @inline(__always)
  func record(_ handle: Handle, in log: UnsafeMutablePointer<EntitySparseSet>) {
    guard unsafe !log.pointee.isClosed, unsafe log.pointee.insert(handle) else { return }
    if let wake = unsafe log.pointee.wake { runAfterUnlock(wake) }
  }

  @inline(never)
  func tell(_ sink: Unmanaged<EntitySink>, _ kind: ReactionKind, _ handle: Handle) {
    // SAFETY: the invariant of `Reaction.Target`.
    unsafe sink._withUnsafeGuaranteedRef { $0.react(kind, handle) }
  }

  /// Brings an index up to date with a column of the table where the entity is.
  ///
  /// A column below 0 says that the index has to do without the entity.
  @inline(never)
  func update(_ sink: Unmanaged<IndexSink>, _ column: Int, _ handle: Handle) {
    assert(column < 0 || isAlive(handle), "An index was to get an entity that is gone.")
    let before = pointer.pointee.section.mode
    // Journals may be there: values are updated in place this way, too.
    pointer.pointee.section.close(before.refusingChanges(.buildingKeys))
    // SAFETY: as in `tell`. An entity that has the column is alive, so it has a record and a table,
    // below whose count its row is.
    unsafe sink._withUnsafeGuaranteedRef { sink in
      if column < 0 { return sink.remove(handle) }
      let record = unsafe pointer.pointee.slots.records + Int(handle.index)
      let columns = unsafe record.pointee.table.unsafelyUnwrapped.pointee.columns
      unsafe sink.update(handle, ValueAddress(columns[column].place(Int(record.pointee.row))))
    }
    endRefusingChanges(before)
  }
}
