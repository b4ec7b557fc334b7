// PERFORMANCE: S1, A1, A2, D1, R1, R2. The common changes, without anything that is rarely needed:
// one comparison tells that no values are wanted, nothing waits, no unique component is concerned
// and a plan has simple steps only. Everything else takes the general way.
extension Core {
  /// Adds or replaces a component; begins and ends the change.
  // PERFORMANCE: S1, A1, A2: what ends sections has a function of its own, so that there is nothing
  // to ask at the end where this thread is in one already.
  @inlinable
  @inline(__always)
  func set<C: Component>(_ component: C, on handle: Handle) {
    guard pointer.pointee.lock.isHeldByCurrentThread else {
      return setOutermost(component, on: handle)
    }
    set(component, on: handle, isOutermost: false)
  }

  /// Adds or replaces a component in a section of its own.
  @inlinable
  @inline(never)
  func setOutermost<C: Component>(_ component: C, on handle: Handle) {
    guard pointer.pointee.lock.acquireOutermost() else {
      return setGenerally(component, on: handle, false)
    }
    set(component, on: handle, isOutermost: true)
  }

  /// Adds or replaces a component; ends the section if it is the outermost one.
  @inlinable
  @inline(__always)
  func set<C: Component>(_ component: C, on handle: Handle, isOutermost: Bool) {
    guard let record = unsafe record(of: handle), let table = unsafe record.pointee.table,
      let edge = unsafe table.pointee.edge(ComponentKey(C.self))
    else { return setGenerally(component, on: handle, isOutermost) }
    guard let column = unsafe edge.pointee.column else {
      return unsafe add(component, to: handle, record, edge, isOutermost)
    }
    // SAFETY: the edge's key says that the column holds values of this very type, and the
    // record's row is below the table's count.
    let place = unsafe column.assumingMemoryBound(to: C.self) + Int(record.pointee.row)
    guard unsafe edge.pointee.replaceFastPath == pointer.pointee.section.fastPath else {
      return unsafe setTelling(component, at: place, of: handle, edge, isOutermost)
    }
    let displaced = unsafe replace(component, at: place)
    if let list = unsafe edge.pointee.replace { unsafe finishFastPath(list, handle) }
    leaveBriefly(isOutermost)
    // What was replaced ends here, outside the lock: that may run user code.
    withExtendedLifetime(displaced) {}
  }

  /// Adds a component to an entity whose table has no column for it; ends the section if it is the
  /// outermost one.
  @inlinable
  @inline(__always)
  func add<C: Component>(
    _ component: C, to handle: Handle, _ record: UnsafeMutablePointer<Record>,
    _ edge: UnsafeMutablePointer<Edge>, _ isOutermost: Bool
  ) {
    if !isOutermost {
      unsafe addInside(component, to: handle, record, edge)
    } else if unsafe addAtOnce(component, to: handle, record, edge) {
      leaveBriefly(true)
    } else {
      setGenerally(component, on: handle, true)
    }
  }

  // PERFORMANCE: S1, R1: what moves rows needs many registers, which replacing does not have to
  // save then.
  @inlinable
  @inline(never)
  func addInside<C: Component>(
    _ component: C, to handle: Handle, _ record: UnsafeMutablePointer<Record>,
    _ edge: UnsafeMutablePointer<Edge>
  ) {
    if unsafe !addAtOnce(component, to: handle, record, edge) {
      setGenerally(component, on: handle, false)
    }
  }

  /// Adds a component along an edge of the entity's table.
  ///
  /// False, having done nothing, if the edge's fast path is not valid or its target is full.
  @inlinable
  @inline(__always)
  func addAtOnce<C: Component>(
    _ component: C, to handle: Handle, _ record: UnsafeMutablePointer<Record>,
    _ edge: UnsafeMutablePointer<Edge>
  ) -> Bool {
    guard unsafe edge.pointee.additionFastPath == pointer.pointee.section.fastPath else {
      return false
    }
    // SAFETY: the invariant of `Edge.additionFastPath`; an edge of a component that the table lacks
    // has a plan that adds it.
    let target = unsafe edge.pointee.target.unsafelyUnwrapped
    let newRow = unsafe target.pointee.count
    guard unsafe newRow < target.pointee.capacity else { return false }
    let base = unsafe edge.pointee.plan.unsafelyUnwrapped.pointee.addedBase.unsafelyUnwrapped
    // SAFETY: the place is for a value of this type and uninitialized. An empty type's is not
    // written.
    unsafe (base + newRow &* MemoryLayout<C>.stride).initializeMemory(as: C.self, to: component)
    unsafe moveFastPath(handle, record, edge, removes: false)
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
    guard unsafe edge.pointee.replaceFastPath.isNearlyOpen(in: pointer.pointee.section.fastPath)
    else {
      if isOutermost, let places = unsafe commits.beginSingle(handle, edge) {
        return unsafe setCommitting(component, at: place, edge, places)
      }
      return setGenerally(component, on: handle, isOutermost)
    }
    if let values = unsafe notifications.queueReplacement(
      handle, edge, valueSize: ChangeEvent.sizeOfValues(of: C.self))
    {
      // SAFETY: the queue has set aside two places for values of this type.
      let old = unsafe ChangeEvent.align(values, for: C.self)
      unsafe old.initialize(to: place.pointee)
      unsafe (old + 1).initialize(to: component)
    }
    let displaced = unsafe replace(component, at: place)
    if let list = unsafe edge.pointee.replace, unsafe list.pointee.count > 0 {
      unsafe finishFastPath(list, handle)
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
    _ places: Notifications.ValueAddresses
  ) {
    // SAFETY: the places were set aside for values of this type.
    unsafe places.old.initializeMemory(as: C.self, to: place.pointee)
    unsafe places.new.initializeMemory(as: C.self, to: component)
    let displaced = unsafe replace(component, at: place)
    commits.endSingle()
    leaveBriefly(true)
    // As in `set`.
    withExtendedLifetime(displaced) {}
  }

  @inlinable
  @inline(never)
  func setGenerally<C: Component>(_ component: C, on handle: Handle, _ isOutermost: Bool) {
    deepen(isOutermost)
    let displaced = exchange(component, on: handle)
    leave()
    withExtendedLifetime(displaced) {}
  }

  /// Adds or replaces a component, within a section.
  ///
  /// Returns what it replaced, for callers that open the section: it ends when they have closed it.
  @inlinable
  func exchange<C: Component>(_ component: C, on handle: Handle) -> C? {
    pointer.pointee.section.mode.accepts
      ? write(component, to: handle) : commands.set(component, on: handle)
  }

  /// Removes a component; begins and ends the change.
  @usableFromInline
  func removeComponent(_ key: ComponentKey, from handle: Handle) {
    // PERFORMANCE: A1, A2: what ends sections has a function of its own, so that here little is
    // saved.
    guard pointer.pointee.lock.isHeldByCurrentThread else {
      return removeOutermost(key, from: handle)
    }
    if !removeAtOnce(key, from: handle) { removeGenerally(key, from: handle, false) }
  }

  @inline(never)
  private func removeOutermost(_ key: ComponentKey, from handle: Handle) {
    guard pointer.pointee.lock.acquireOutermost() else {
      return removeGenerally(key, from: handle, false)
    }
    if removeAtOnce(key, from: handle) {
      leaveBriefly(true)
    } else {
      removeGenerally(key, from: handle, true)
    }
  }

  @inline(__always)
  private func removeAtOnce(_ key: ComponentKey, from handle: Handle) -> Bool {
    guard let record = unsafe record(of: handle), let table = unsafe record.pointee.table,
      let edge = unsafe table.pointee.edge(key)
    else { return false }
    return unsafe removeFastPath(handle, record, edge)
  }

  @inline(never)
  private func removeGenerally(
    _ key: ComponentKey, from handle: Handle, _ isOutermost: Bool
  ) {
    deepen(isOutermost)
    if pointer.pointee.section.mode.accepts {
      remove(key, from: handle)
    } else {
      commands.remove(key, from: handle)
    }
    leave()
  }

  /// Destroys an entity; begins and ends the change.
  func destroyEntity(_ handle: Handle) {
    let isOutermost = enterBriefly()
    guard let record = unsafe record(of: handle), let table = unsafe record.pointee.table,
      unsafe table.pointee.leaveFastPath.isNearlyOpen(in: pointer.pointee.section.fastPath)
    else { return destroyGenerally(handle, isOutermost) }
    let row = unsafe Int(record.pointee.row)
    if unsafe table.pointee.leaveFastPath != pointer.pointee.section.fastPath {
      // Its own observers have to learn that it has ended.
      if notifications.isObserved(handle.index) { return destroyGenerally(handle, isOutermost) }
      if unsafe table.pointee.leave?.pointee.hasNotices == true {
        unsafe notifications.queue(
          .removed, handle, inRow: row, of: table, table.pointee.leave?.notices)
      }
    }
    // SAFETY: as in `relink`.
    let last = unsafe table.pointee.count &- 1
    if row != last, let plan = unsafe table.pointee.endPlan {
      unsafe RowPlan.move(plan, row, to: 0, last: last)
    }
    unsafe closeGap(at: row, last: last, of: table)
    pointer.pointee.slots.release(handle)
    if let list = unsafe table.pointee.leave, unsafe list.pointee.count > 0 {
      unsafe finishFastPath(list, handle)
    }
    leaveBriefly(isOutermost)
  }

  @inline(never)
  private func destroyGenerally(_ handle: Handle, _ isOutermost: Bool) {
    deepen(isOutermost)
    if pointer.pointee.section.mode.accepts {
      destroy(handle)
    } else {
      commands.destroy(handle)
    }
    leave()
  }

  /// Moves a row along an edge that removes a component.
  ///
  /// False, having done nothing, if the edge's fast path is not valid or its target is full.
  @inlinable
  @inline(__always)
  func removeFastPath(
    _ handle: Handle, _ record: UnsafeMutablePointer<Record>, _ edge: UnsafeMutablePointer<Edge>
  ) -> Bool {
    guard unsafe edge.pointee.removalFastPath == pointer.pointee.section.fastPath else {
      return false
    }
    // SAFETY: the invariant of `Edge.removalFastPath`.
    let target = unsafe edge.pointee.target.unsafelyUnwrapped
    guard unsafe target.pointee.count < target.pointee.capacity else { return false }
    unsafe moveFastPath(handle, record, edge, removes: true)
    return true
  }

  /// Moves a row along an edge whose fast path is valid to a target that has room, and reacts.
  // PERFORMANCE: A1, A2: what is most common needs no loops, and few registers; the rest begins
  // anew elsewhere.
  @inlinable
  @inline(__always)
  func moveFastPath(
    _ handle: Handle, _ record: UnsafeMutablePointer<Record>, _ edge: UnsafeMutablePointer<Edge>,
    removes: Bool
  ) {
    let shape = unsafe edge.pointee.silentShape
    if shape == .any { return unsafe moveReacting(handle, record, edge) }
    unsafe moveTwo(handle.index, record, edge, shape, removes: removes)
  }

  /// Moves a row along an edge whose plan has a shape.
  @inlinable
  @inline(__always)
  func moveTwo(
    _ index: UInt32, _ record: UnsafeMutablePointer<Record>, _ edge: UnsafeMutablePointer<Edge>,
    _ shape: RowPlan.Shape, removes: Bool
  ) {
    let plan = unsafe edge.pointee.plan.unsafelyUnwrapped
    let (row, last, newRow) = unsafe relink(index, record, edge)
    if row == last {
      unsafe RowPlan.moveTwo(plan, fromLast: row, to: newRow)
    } else {
      unsafe RowPlan.moveTwo(plan, row, to: newRow, last: last)
      if removes { unsafe RowPlan.endOne(plan, shape, row, last: last) }
    }
  }

  /// Moves a row of any shape, and reacts.
  @usableFromInline
  @inline(never)
  func moveReacting(
    _ handle: Handle, _ record: UnsafeMutablePointer<Record>, _ edge: UnsafeMutablePointer<Edge>
  ) {
    let plan = unsafe edge.pointee.plan.unsafelyUnwrapped
    let shape = unsafe plan.pointee.shape
    if shape == .any {
      let (row, last, newRow) = unsafe relink(handle.index, record, edge)
      unsafe RowPlan.move(plan, row, to: newRow, last: last)
    } else {
      unsafe moveTwo(handle.index, record, edge, shape, removes: true)
    }
    if let list = unsafe edge.pointee.transition { unsafe finishFastPath(list, handle) }
  }

  /// Moves a row along an edge, but for the values in it.
  @inlinable
  @inline(__always)
  func relink(
    _ index: UInt32, _ record: UnsafeMutablePointer<Record>, _ edge: UnsafeMutablePointer<Edge>
  ) -> (row: Int, last: Int, newRow: Int) {
    // SAFETY: the record is that of a living entity; the edge is of its table, and has a target,
    // which has room for a row; the last row of the source is given up.
    // PERFORMANCE: A1, A2: in this order there is the least to remember at each step.
    let table = unsafe record.pointee.table.unsafelyUnwrapped
    let target = unsafe edge.pointee.target.unsafelyUnwrapped
    let row = unsafe Int(record.pointee.row)
    let newRow = unsafe target.pointee.count
    unsafe record.pointee.row = UInt32(truncatingIfNeeded: newRow)
    unsafe record.pointee.table = target
    unsafe target.pointee.entities[newRow] = index
    unsafe target.pointee.count = newRow &+ 1
    let last = unsafe table.pointee.count &- 1
    unsafe closeGap(at: row, last: last, of: table)
    return (row, last, newRow)
  }

  // PERFORMANCE: E1, R1, R2, X1: what is common has a function of its own each, that saves no
  // registers for the rest.
  @usableFromInline
  @inline(never)
  func finishFastPath(_ list: ReactionListPointer, _ handle: Handle) {
    if let log = unsafe list.pointee.singleLog {
      if unsafe log.pointee.insertAtOnce(handle) { return }
    } else if let (sink, column) = unsafe list.pointee.singleIndex {
      return unsafe update(sink, column, handle)
    }
    unsafe finishUncommon(list, handle)
  }

  @inline(never)
  private func finishUncommon(_ list: ReactionListPointer, _ handle: Handle) {
    unsafe react(list, handle)
  }
}
