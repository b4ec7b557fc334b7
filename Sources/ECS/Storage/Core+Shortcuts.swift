// PERFORMANCE: S1, A1, A2, D1, R1, R2. The common changes, without anything that is rarely needed:
// one comparison tells that nobody wants values, nothing waits, no unique component is concerned
// and a plan has simple steps only. Everything else takes the general way.
extension Core {
  /// Adds or replaces a component; begins and ends the change.
  @inlinable
  @inline(__always)
  func set<C: Component>(_ component: C, on handle: Handle) {
    let isOutermost = enterBriefly()
    guard let record = record(of: handle), let table = record.pointee.table,
      let edge = table.pointee.edge(ComponentKey(C.self))
    else { return setGenerally(component, on: handle, isOutermost) }
    if let column = edge.pointee.column {
      guard edge.pointee.replaceShortcut == pointer.pointee.shortcut else {
        return setGenerally(component, on: handle, isOutermost)
      }
      edge.pointee.version &+= 1
      // SAFETY: the edge's key says that the column holds values of this very type, and the
      // record's row is below the table's count.
      let place = column.assumingMemoryBound(to: C.self) + Int(record.pointee.row)
      let displaced = replace(component, at: place)
      if let list = edge.pointee.replace { finishShortcut(list, handle) }
      leaveBriefly(isOutermost)
      // What was replaced ends here, outside the lock: that may run user code.
      withExtendedLifetime(displaced) {}
    } else {
      guard edge.pointee.transitionShortcut == pointer.pointee.shortcut,
        let place = addShortcut(handle.index, record, table, edge)
      else { return setGenerally(component, on: handle, isOutermost) }
      // SAFETY: the place was made for a value of this type and is uninitialized.
      place.initializeMemory(as: C.self, to: component)
      if let list = edge.pointee.transition { finishShortcut(list, handle) }
      leaveBriefly(isOutermost)
    }
  }

  @inlinable
  @inline(never)
  func setGenerally<C: Component>(_ component: C, on handle: Handle, _ isOutermost: Bool) {
    deepen(isOutermost)
    let displaced =
      pointer.pointee.mode.isEmpty
      ? write(component, to: handle) : setWhileIterating(component, on: handle)
    leave()
    withExtendedLifetime(displaced) {}
  }

  /// Removes a component; begins and ends the change.
  @usableFromInline
  func removeComponent(_ key: ComponentKey, from handle: Handle) {
    let isOutermost = enterBriefly()
    guard let record = record(of: handle), let table = record.pointee.table,
      let edge = table.pointee.edge(key), edge.pointee.column != nil,
      edge.pointee.transitionShortcut == pointer.pointee.shortcut,
      let target = edge.pointee.target, target.pointee.count < target.pointee.capacity
    else { return removeGenerally(key, from: handle, isOutermost) }
    moveShortcut(handle.index, record, table, target, edge.pointee.plan)
    if let list = edge.pointee.transition { finishShortcut(list, handle) }
    leaveBriefly(isOutermost)
  }

  @inline(never)
  private func removeGenerally(
    _ key: ComponentKey, from handle: Handle, _ isOutermost: Bool
  ) {
    deepen(isOutermost)
    if pointer.pointee.mode.isEmpty {
      remove(key, from: handle)
    } else {
      queueRemoval(key, from: handle)
    }
    leave()
  }

  /// Destroys an entity; begins and ends the change.
  func destroyEntity(_ handle: Handle) {
    let isOutermost = enterBriefly()
    guard let record = record(of: handle), let table = record.pointee.table,
      table.pointee.leaveShortcut == pointer.pointee.shortcut
    else { return destroyGenerally(handle, isOutermost) }
    // SAFETY: as in `addShortcut`.
    let row = Int(record.pointee.row)
    let last = table.pointee.count &- 1
    table.pointee.endPlan?.pointee.move(row, to: 0, last: last)
    closeGap(at: row, last: last, of: table)
    releaseSlot(handle)
    if let list = table.pointee.leave { finishShortcut(list, handle) }
    leaveBriefly(isOutermost)
  }

  @inline(never)
  private func destroyGenerally(_ handle: Handle, _ isOutermost: Bool) {
    deepen(isOutermost)
    if pointer.pointee.mode.isEmpty {
      destroy(handle)
    } else {
      queueDestruction(of: handle)
    }
    leave()
  }

  /// Moves a row along an edge whose shortcut is valid.
  ///
  /// Returns the place of the added component; nil, having done nothing, if the target is full.
  @usableFromInline
  func addShortcut(
    _ index: UInt32, _ record: UnsafeMutablePointer<Record>, _ table: TablePointer,
    _ edge: UnsafeMutablePointer<Edge>
  ) -> UnsafeMutableRawPointer? {
    guard let target = edge.pointee.target, target.pointee.count < target.pointee.capacity,
      let column = edge.pointee.plan?.pointee.added
    else { return nil }
    let place = column.pointee.place(target.pointee.count)
    moveShortcut(index, record, table, target, edge.pointee.plan)
    return place
  }

  @inline(__always)
  private func moveShortcut(
    _ index: UInt32, _ record: UnsafeMutablePointer<Record>, _ table: TablePointer,
    _ target: TablePointer, _ plan: UnsafeMutablePointer<RowPlan>?
  ) {
    // SAFETY: the record is that of a living entity, whose row is in `table`; the plan is for the
    // two tables; the target has room for a row, and the last row of the source is given up.
    let row = Int(record.pointee.row)
    let newRow = target.pointee.count
    let last = table.pointee.count &- 1
    target.pointee.entities[newRow] = index
    target.pointee.count = newRow &+ 1
    target.pointee.version &+= 1
    plan?.pointee.move(row, to: newRow, last: last)
    closeGap(at: row, last: last, of: table)
    record.pointee.row = UInt32(truncatingIfNeeded: newRow)
    record.pointee.table = target
  }

  @usableFromInline
  @inline(never)
  func finishShortcut(_ list: ReactionListPointer, _ handle: Handle) {
    react(list, handle)
  }
}
