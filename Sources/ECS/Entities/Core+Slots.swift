extension Core {
  /// Where a living entity is; nil for a dead handle.
  @inlinable
  @inline(__always)
  func record(of handle: Handle) -> UnsafeMutablePointer<Record>? {
    guard Int(handle.index) < pointer.pointee.slots.count else { return nil }
    // SAFETY: slots below their count are initialized.
    let record = unsafe pointer.pointee.slots.records + Int(handle.index)
    return unsafe record.pointee.generation == handle.generation ? record : nil
  }

  /// The handle of the entity in a row.
  @inlinable
  @inline(__always)
  func handle(at row: Int, of table: TablePointer) -> Handle {
    // SAFETY: callers pass rows below the table's count, whose entities have records.
    let index = unsafe table.pointee.entities[row]
    return unsafe Handle(
      index: index, generation: pointer.pointee.slots.records[Int(index)].generation)
  }

  /// Brings the entity of a reserved slot to life in a row that was just appended for it.
  @inline(__always)
  func activate(_ handle: Handle, in table: TablePointer, row: Int) {
    // SAFETY: reserved slots are below their count.
    let record = unsafe pointer.pointee.slots.records + Int(handle.index)
    unsafe record.pointee.generation = handle.generation
    unsafe record.pointee.row = UInt32(truncatingIfNeeded: row)
    unsafe record.pointee.table = table
    let ordinal = pointer.pointee.slots.nextCreation
    if pointer.pointee.slots.creationOrder.assignAtOnce(ordinal, toSlot: handle.index) {
      pointer.pointee.slots.nextCreation = ordinal &+ 1
    } else {
      assignOrdinal(ordinal, to: handle)
    }
    pointer.pointee.slots.liveCount &+= 1
  }

  /// Gives an entity the first ordinal that is not the one of its slot, or the last one of all.
  @inline(never)
  private func assignOrdinal(_ ordinal: UInt32, to handle: Handle) {
    let order = unsafe pointer.pointee.slots.creationOrder.writableOrdinals(
      of: pointer.pointee.slots.room)
    // SAFETY: the handle's slot is below their count.
    unsafe order[Int(handle.index)] = ordinal
    if ordinal == .max {
      renumberCreations()
    } else {
      pointer.pointee.slots.nextCreation = ordinal &+ 1
    }
  }

  /// The handle of the living entity in a slot, or else of the last one that lived there.
  func lastHandle(ofSlot index: UInt32) -> Handle {
    let present = handle(ofSlot: index)
    return present.generation % 2 == 1
      ? present : Handle(index: index, generation: present.generation &- 1)
  }

  /// The handle of the living entity in a slot.
  func handle(ofSlot index: UInt32) -> Handle {
    pointer.pointee.slots.handle(of: index)
  }

  /// The ordinal of a living entity in the order of creation.
  func creationOrdinal(_ handle: Handle) -> UInt32 {
    pointer.pointee.slots.creationOrder[handle.index]
  }

  /// Gives the entities that live, or may live again, new ordinals, in the same order, when the
  /// counter has run out.
  @inline(never)
  func renumberCreations() {
    let order = unsafe pointer.pointee.slots.creationOrder.writableOrdinals(
      of: pointer.pointee.slots.room)
    let living = Set(
      livingHandles().map(\.index) + retention.retainedSlots + retention.slotsOfHolders
    )
    .sorted(byNumber: { unsafe UInt64(order[Int($0)]) })
    pointer.pointee.slots.creationNumbers.renumber(
      living.map { unsafe order[Int($0)] }, next: pointer.pointee.slots.nextCreation)
    for (ordinal, slot) in living.enumerated() {
      unsafe order[Int(slot)] = UInt32(truncatingIfNeeded: ordinal)
    }
    pointer.pointee.slots.nextCreation = UInt32(truncatingIfNeeded: living.count)
    for sink in sinks.all { sink.creationsWereRenumbered() }
  }

  /// All living entities, table by table.
  func livingHandles() -> [Handle] {
    var handles: [Handle] = []
    handles.reserveCapacity(pointer.pointee.slots.liveCount)
    for unsafe(table) in unsafe pointer.pointee.tables.all {
      for row in unsafe 0..<table.pointee.count {
        unsafe handles.append(handle(at: row, of: table))
      }
    }
    return handles
  }

  @inlinable
  func isAlive(_ handle: Handle) -> Bool { unsafe record(of: handle) != nil }

  /// The number of entities that were created before the next one.
  var nextCreationCount: UInt64 {
    pointer.pointee.slots.creationNumbers[pointer.pointee.slots.nextCreation]
  }

  /// The number of entities that were created before a living one; nil for a dead handle.
  func creationCount(before handle: Handle) -> UInt64? {
    guard unsafe record(of: handle) != nil else { return nil }
    return pointer.pointee.slots.creationNumbers[creationOrdinal(handle)]
  }

  func handlesInOrderOfCreation() -> [Handle] {
    var handles = livingHandles()
    handles.sortByCreation(in: self)
    return handles
  }
}

extension [Handle] {
  /// Sorts living entities in the order of their creation, where they are: they may be all of a
  /// million.
  @inline(never)
  mutating func sortByCreation(in core: Core) {
    sort { core.creationOrdinal($0) < core.creationOrdinal($1) }
  }
}
