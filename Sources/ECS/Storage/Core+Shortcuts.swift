// PERFORMANCE: S1, A1, A2, D1, R1, R2. The common changes, without anything that is rarely needed:
// one comparison tells that nobody wants values, nothing waits, no unique component is concerned
// and a plan has simple steps only. Everything else takes the general way.
extension Core {
  /// Adds or replaces a component; begins and ends the change.
  @inlinable
  @inline(__always)
  func set<C: Component>(_ component: C, on handle: Handle) {
    let isOutermost = enterBriefly()
    guard let record = unsafe record(of: handle), let table = unsafe record.pointee.table,
      let edge = unsafe table.pointee.edge(ComponentKey(C.self))
    else { return setGenerally(component, on: handle, isOutermost) }
    if let column = unsafe edge.pointee.column {
      // SAFETY: the edge's key says that the column holds values of this very type, and the
      // record's row is below the table's count.
      let place = unsafe column.assumingMemoryBound(to: C.self) + Int(record.pointee.row)
      guard unsafe edge.pointee.replaceShortcut == pointer.pointee.shortcut else {
        return unsafe setTelling(component, at: place, of: handle, edge, isOutermost)
      }
      let displaced = unsafe replace(component, at: place)
      if let list = unsafe edge.pointee.replace { unsafe finishShortcut(list, handle) }
      leaveBriefly(isOutermost)
      // What was replaced ends here, outside the lock: that may run user code.
      withExtendedLifetime(displaced) {}
    } else {
      unsafe add(component, to: handle, record, edge, isOutermost)
    }
  }

  /// Adds a component to an entity whose table has no column for it.
  // PERFORMANCE: S1, R1: what moves rows needs many registers, which replacing does not have to save then.
  @inlinable
  @inline(never)
  func add<C: Component>(
    _ component: C, to handle: Handle, _ record: UnsafeMutablePointer<Record>,
    _ edge: UnsafeMutablePointer<Edge>, _ isOutermost: Bool
  ) {
    // PERFORMANCE: A1, A2: each way has the body to itself, so that nothing of the lock is kept meanwhile.
    if !isOutermost {
      if unsafe !addAtOnce(component, to: handle, record, edge) {
        setGenerally(component, on: handle, false)
      }
    } else if unsafe addAtOnce(component, to: handle, record, edge) {
      leaveBriefly(true)
    } else {
      setGenerally(component, on: handle, true)
    }
  }

  @inlinable
  @inline(__always)
  func addAtOnce<C: Component>(
    _ component: C, to handle: Handle, _ record: UnsafeMutablePointer<Record>,
    _ edge: UnsafeMutablePointer<Edge>
  ) -> Bool {
    guard unsafe edge.pointee.transitionShortcut == pointer.pointee.shortcut,
      let place = unsafe addShortcut(
        handle.index, record, edge, stride: MemoryLayout<C>.stride)
    else { return false }
    // SAFETY: the place was made for a value of this type and is uninitialized.
    unsafe place.initializeMemory(as: C.self, to: component)
    if let list = unsafe edge.pointee.transition { unsafe finishShortcut(list, handle) }
    return true
  }

  /// Replaces a component and notifies observers, if that is all there is to do.
  // PERFORMANCE: O1, O2, J2.
  @inlinable
  @inline(never)
  func setTelling<C: Component>(
    _ component: C, at place: UnsafeMutablePointer<C>, of handle: Handle,
    _ edge: UnsafeMutablePointer<Edge>, _ isOutermost: Bool
  ) {
    guard unsafe edge.pointee.replaceShortcut.isNearlyOpen(in: pointer.pointee.shortcut) else {
      if isOutermost, let places = unsafe beginSoleCommit(handle, edge) {
        return unsafe setCommitting(component, at: place, edge, places)
      }
      return setGenerally(component, on: handle, isOutermost)
    }
    if let values = unsafe queueReplacement(
      handle, edge, valueSize: ChangeRecord.sizeOfValues(of: C.self))
    {
      // SAFETY: the queue has set aside two places for values of this type.
      let old = unsafe ChangeRecord.align(values, for: C.self)
      unsafe old.initialize(to: place.pointee)
      unsafe (old + 1).initialize(to: component)
    }
    let displaced = unsafe replace(component, at: place)
    if let list = unsafe edge.pointee.replace, unsafe list.pointee.count > 0 {
      unsafe finishShortcut(list, handle)
    }
    leaveBriefly(isOutermost)
    // As in `set`.
    withExtendedLifetime(displaced) {}
  }

  /// Replaces a component and tells journals of it, if that is all there is to do; ends the change.
  @inlinable
  @inline(__always)
  func setCommitting<C: Component>(
    _ component: C, at place: UnsafeMutablePointer<C>, _ edge: UnsafeMutablePointer<Edge>,
    _ places: ChangePlaces
  ) {
    // SAFETY: the places were set aside for values of this type.
    unsafe places.old.initializeMemory(as: C.self, to: place.pointee)
    unsafe places.new.initializeMemory(as: C.self, to: component)
    let displaced = unsafe replace(component, at: place)
    endSoleCommit()
    leaveBriefly(true)
    // As in `set`.
    withExtendedLifetime(displaced) {}
  }

  @inlinable
  @inline(never)
  func setGenerally<C: Component>(_ component: C, on handle: Handle, _ isOutermost: Bool) {
    deepen(isOutermost)
    let displaced =
      pointer.pointee.mode.accepts
      ? write(component, to: handle) : setWhileIterating(component, on: handle)
    leave()
    withExtendedLifetime(displaced) {}
  }

  /// Removes a component; begins and ends the change.
  @usableFromInline
  func removeComponent(_ key: ComponentKey, from handle: Handle) {
    // PERFORMANCE: A1, A2: what ends sections has a function of its own, so that here little is saved.
    guard pointer.pointee.lock.isHeldByCurrentThread else {
      return removeOutermost(key, from: handle)
    }
    if !removeAtOnce(key, from: handle) { removeGenerally(key, from: handle, false) }
  }

  @inline(never)
  private func removeOutermost(_ key: ComponentKey, from handle: Handle) {
    let isOutermost = enterBriefly()
    if removeAtOnce(key, from: handle) {
      leaveBriefly(isOutermost)
    } else {
      removeGenerally(key, from: handle, isOutermost)
    }
  }

  @inline(__always)
  private func removeAtOnce(_ key: ComponentKey, from handle: Handle) -> Bool {
    guard let record = unsafe record(of: handle), let table = unsafe record.pointee.table,
      let edge = unsafe table.pointee.edge(key), unsafe edge.pointee.column != nil
    else { return false }
    return unsafe removeShortcut(handle, record, edge)
  }

  @inline(never)
  private func removeGenerally(
    _ key: ComponentKey, from handle: Handle, _ isOutermost: Bool
  ) {
    deepen(isOutermost)
    if pointer.pointee.mode.accepts {
      remove(key, from: handle)
    } else {
      queueRemoval(key, from: handle)
    }
    leave()
  }

  /// Destroys an entity; begins and ends the change.
  func destroyEntity(_ handle: Handle) {
    let isOutermost = enterBriefly()
    guard let record = unsafe record(of: handle), let table = unsafe record.pointee.table,
      unsafe table.pointee.leaveShortcut.isNearlyOpen(in: pointer.pointee.shortcut)
    else { return destroyGenerally(handle, isOutermost) }
    let row = unsafe Int(record.pointee.row)
    if unsafe table.pointee.leaveShortcut != pointer.pointee.shortcut {
      // Its own observers have to learn that it has ended.
      if isObserved(handle.index) { return destroyGenerally(handle, isOutermost) }
      if unsafe table.pointee.leave?.pointee.hasNotices == true {
        unsafe queueChange(.removed, handle, inRow: row, of: table, table.pointee.leave)
      }
    }
    // SAFETY: as in `addShortcut`.
    let last = unsafe table.pointee.count &- 1
    if let plan = unsafe table.pointee.endPlan {
      unsafe RowPlan.move(plan, row, to: 0, last: last)
    }
    unsafe closeGap(at: row, last: last, of: table)
    releaseSlot(handle)
    if let list = unsafe table.pointee.leave, unsafe list.pointee.count > 0 {
      unsafe finishShortcut(list, handle)
    }
    leaveBriefly(isOutermost)
  }

  @inline(never)
  private func destroyGenerally(_ handle: Handle, _ isOutermost: Bool) {
    deepen(isOutermost)
    if pointer.pointee.mode.accepts {
      destroy(handle)
    } else {
      queueDestruction(of: handle)
    }
    leave()
  }

  /// Moves a row along an edge whose shortcut is valid.
  ///
  /// Returns the place of the added component; nil, having done nothing, if the target is full.
  @inlinable
  @inline(__always)
  func addShortcut(
    _ index: UInt32, _ record: UnsafeMutablePointer<Record>,
    _ edge: UnsafeMutablePointer<Edge>, stride: Int
  ) -> UnsafeMutableRawPointer? {
    // SAFETY: the invariants of `Edge.transitionShortcut` and `Record.table`; an edge of a component that the
    // table lacks has a plan that adds it.
    let table = unsafe record.pointee.table.unsafelyUnwrapped
    let target = unsafe edge.pointee.target.unsafelyUnwrapped
    let plan = unsafe edge.pointee.plan.unsafelyUnwrapped
    guard unsafe target.pointee.count < target.pointee.capacity else { return nil }
    let base = unsafe plan.pointee.addedBase.unsafelyUnwrapped
    // An empty type's place is never read or written.
    let place = unsafe base + target.pointee.count &* stride
    unsafe moveShortcut(index, record, table, target, plan)
    return unsafe place
  }

  /// Moves a row along an edge that removes a component, as `addShortcut` does.
  ///
  /// False, having done nothing, if the edge's shortcut is not valid or its target is full.
  @inlinable
  @inline(__always)
  func removeShortcut(
    _ handle: Handle, _ record: UnsafeMutablePointer<Record>, _ edge: UnsafeMutablePointer<Edge>
  ) -> Bool {
    guard unsafe edge.pointee.transitionShortcut == pointer.pointee.shortcut else { return false }
    // SAFETY: as in `addShortcut`.
    let table = unsafe record.pointee.table.unsafelyUnwrapped
    let target = unsafe edge.pointee.target.unsafelyUnwrapped
    let plan = unsafe edge.pointee.plan.unsafelyUnwrapped
    guard unsafe target.pointee.count < target.pointee.capacity else { return false }
    unsafe moveShortcut(handle.index, record, table, target, plan)
    if let list = unsafe edge.pointee.transition { unsafe finishShortcut(list, handle) }
    return true
  }

  @inlinable
  @inline(__always)
  func moveShortcut(
    _ index: UInt32, _ record: UnsafeMutablePointer<Record>, _ table: TablePointer,
    _ target: TablePointer, _ plan: UnsafeMutablePointer<RowPlan>
  ) {
    // SAFETY: the record is that of a living entity, whose row is in `table`; the plan is for the
    // two tables; the target has room for a row, and the last row of the source is given up.
    // PERFORMANCE: A1, A2: in this order there is the least to remember at each step.
    let row = unsafe Int(record.pointee.row)
    let last = unsafe table.pointee.count &- 1
    unsafe closeGap(at: row, last: last, of: table)
    let newRow = unsafe target.pointee.count
    // After the gap, which the entity itself may have closed.
    unsafe record.pointee.row = UInt32(truncatingIfNeeded: newRow)
    unsafe record.pointee.table = target
    unsafe target.pointee.entities[newRow] = index
    unsafe target.pointee.count = newRow &+ 1
    unsafe RowPlan.move(plan, row, to: newRow, last: last)
  }

  @usableFromInline
  @inline(never)
  func finishShortcut(_ list: ReactionListPointer, _ handle: Handle) {
    // PERFORMANCE: E1, R1, R2: what is common does nothing that needs a frame of the stack.
    if let log = unsafe list.pointee.soleLog, unsafe log.pointee.insertAtOnce(handle) { return }
    unsafe finishShortcutGenerally(list, handle)
  }

  @inline(never)
  private func finishShortcutGenerally(_ list: ReactionListPointer, _ handle: Handle) {
    guard let (sink, column) = unsafe list.pointee.soleIndex else {
      return unsafe react(list, handle)
    }
    // SAFETY: the entity is alive where the index wants a column, so it has a record and a table; its row is below
    // the table's count.
    let record = unsafe pointer.pointee.records + Int(handle.index)
    let columns = unsafe record.pointee.table.unsafelyUnwrapped.pointee.columns
    let place = unsafe columns[column].place(Int(record.pointee.row))
    // Journals may be there: values are updated in place this way, too.
    let before = pointer.pointee.mode
    pointer.pointee.close(before.refusingChanges(.buildingKeys))
    // SAFETY: the invariant of `Reaction.Target`.
    unsafe sink._withUnsafeGuaranteedRef { unsafe $0.update(handle, place) }
    pointer.pointee.mode = before
  }
}
