extension Core {
  /// Where a living entity is; nil for a dead handle.
  @inlinable
  @inline(__always)
  func record(of handle: Handle) -> UnsafeMutablePointer<Record>? {
    guard Int(handle.index) < pointer.pointee.recordCount else { return nil }
    // SAFETY: slots below `recordCount` are initialized.
    let record = unsafe pointer.pointee.records + Int(handle.index)
    return unsafe record.pointee.generation == handle.generation ? record : nil
  }

  /// The handle of the entity in a row.
  @inlinable
  @inline(__always)
  func handle(at row: Int, of table: TablePointer) -> Handle {
    // SAFETY: callers pass rows below the table's count, whose entities have records.
    let index = unsafe table.pointee.entities[row]
    return unsafe Handle(index: index, generation: pointer.pointee.records[Int(index)].generation)
  }

  /// Uses up the generations of the free slots until they are good for so many more entities each.
  func skipGenerations(leaving count: UInt32) {
    var index = pointer.pointee.freeSlot
    while index != Record.none {
      // SAFETY: free slots are below `recordCount`.
      let record = unsafe pointer.pointee.records + Int(index)
      unsafe record.pointee.generation = max(
        record.pointee.generation, Record.lastGeneration - 2 * count)
      index = unsafe record.pointee.row
    }
  }

  /// Takes a slot for a new entity.
  ///
  /// The handle is dead until `activate`.
  @inline(__always)
  func reserveSlot() -> Handle {
    let index = pointer.pointee.freeSlot
    guard index != Record.none else { return reserveNewSlot() }
    // SAFETY: free slots are below `recordCount`.
    let record = unsafe pointer.pointee.records + Int(index)
    pointer.pointee.freeSlot = unsafe record.pointee.row
    return unsafe Handle(index: index, generation: record.pointee.generation &+ 1)
  }

  private func reserveNewSlot() -> Handle {
    let index = pointer.pointee.recordCount
    if index == pointer.pointee.recordCapacity { growSlots(for: index + 1) }
    let generation = pointer.pointee.firstGeneration
    // SAFETY: index < recordCapacity.
    unsafe (pointer.pointee.records + index).initialize(to: Record(generation: generation))
    pointer.pointee.recordCount = index + 1
    return Handle(index: UInt32(truncatingIfNeeded: index), generation: generation &+ 1)
  }

  /// Makes room for slots that are not there yet.
  func reserveNewSlots(_ additional: Int) {
    // It is not the number of living entities that counts: slots may be reserved, or retired.
    let needed = pointer.pointee.recordCount + additional
    if needed > pointer.pointee.recordCapacity { growSlots(for: needed) }
  }

  /// Makes room for so many slots, and for more to come.
  @inline(never)
  private func growSlots(for needed: Int) {
    require(
      needed <= Record.maximumCount,
      "A context cannot hold \(needed) entities, but at most \(Record.maximumCount): destroy some first."
    )
    let old = slotRoom
    let capacity = min(max(64, needed, old.capacity * 2), Record.maximumCount)
    unsafe Memory.resize(
      &pointer.pointee.records, count: old.count, from: old.capacity, to: capacity)
    pointer.pointee.creationOrder.grow(from: old, to: capacity)
    pointer.pointee.recordCapacity = capacity
  }

  /// How many slots there are, and how many there is room for.
  var slotRoom: CreationOrder.Room {
    CreationOrder.Room(
      count: pointer.pointee.recordCount, capacity: pointer.pointee.recordCapacity)
  }

  /// Brings the entity of a reserved slot to life in a row that was just appended for it.
  @inline(__always)
  func activate(_ handle: Handle, in table: TablePointer, row: Int) {
    // SAFETY: reserved slots are below `recordCount`.
    let record = unsafe pointer.pointee.records + Int(handle.index)
    unsafe record.pointee.generation = handle.generation
    unsafe record.pointee.row = UInt32(truncatingIfNeeded: row)
    unsafe record.pointee.table = table
    let number = pointer.pointee.nextCreation
    if pointer.pointee.creationOrder.assignAtOnce(number, toSlot: handle.index) {
      pointer.pointee.nextCreation = number &+ 1
    } else {
      assignNumber(number, to: handle)
    }
    pointer.pointee.liveCount &+= 1
  }

  /// Gives an entity the first number that is not the one of its slot, or the last one of all.
  @inline(never)
  private func assignNumber(_ number: UInt32, to handle: Handle) {
    let order = unsafe pointer.pointee.creationOrder.placesForNumbers(of: slotRoom)
    // SAFETY: the handle's slot is below `recordCount`.
    unsafe order[Int(handle.index)] = number
    if number == .max {
      renumberCreations()
    } else {
      pointer.pointee.nextCreation = number &+ 1
    }
  }

  /// Ends the entity of a slot; its row must be gone already.
  @inline(__always)
  func releaseSlot(_ handle: Handle) {
    // SAFETY: the handle was alive.
    let record = unsafe pointer.pointee.records + Int(handle.index)
    unsafe record.pointee.generation = handle.generation &+ 1
    unsafe record.pointee.table = nil
    pointer.pointee.liveCount &-= 1
    guard unsafe record.pointee.generation < Record.lastGeneration else { return }
    unsafe record.pointee.row = pointer.pointee.freeSlot
    pointer.pointee.freeSlot = handle.index
  }

  /// Lets a slot be used again whose entity is gone for good.
  func giveBackSlot(_ index: UInt32) {
    // SAFETY: callers pass slots that had entities.
    let record = unsafe pointer.pointee.records + Int(index)
    guard unsafe record.pointee.generation < Record.lastGeneration else { return }
    unsafe record.pointee.row = pointer.pointee.freeSlot
    pointer.pointee.freeSlot = index
  }

  /// The handle of the living entity in a slot, or else of the last one that lived there.
  func lastHandle(ofSlot index: UInt32) -> Handle {
    let present = handle(ofSlot: index)
    return present.generation % 2 == 1
      ? present : Handle(index: index, generation: present.generation &- 1)
  }

  /// The handle of the living entity in a slot.
  func handle(ofSlot index: UInt32) -> Handle {
    // SAFETY: callers pass slots of entities.
    unsafe Handle(index: index, generation: pointer.pointee.records[Int(index)].generation)
  }

  /// The place of a living entity in the order of creation.
  func creationNumber(_ handle: Handle) -> UInt32 {
    pointer.pointee.creationOrder[handle.index]
  }

  /// Numbers the entities that live, or may live again, afresh, in the same order, when the counter
  /// has run out.
  @inline(never)
  func renumberCreations() {
    let order = unsafe pointer.pointee.creationOrder.placesForNumbers(of: slotRoom)
    let living = Set(livingHandles().map(\.index) + heldSlots + slotsHeldForHolders)
      .sorted { unsafe order[Int($0)] < order[Int($1)] }
    pointer.pointee.creationNumbers.renumber(
      living.map { unsafe order[Int($0)] }, next: pointer.pointee.nextCreation)
    for (number, slot) in living.enumerated() {
      unsafe order[Int(slot)] = UInt32(truncatingIfNeeded: number)
    }
    pointer.pointee.nextCreation = UInt32(truncatingIfNeeded: living.count)
    for sink in sinks { sink.creationsWereRenumbered() }
  }

  /// Uses up numbers of the order of creation until so many are left.
  func skipCreations(leaving count: UInt32) {
    pointer.pointee.nextCreation = max(pointer.pointee.nextCreation, .max - count)
  }

  /// All living entities, table by table.
  func livingHandles() -> [Handle] {
    var handles: [Handle] = []
    handles.reserveCapacity(pointer.pointee.liveCount)
    for unsafe(table) in unsafe pointer.pointee.tables {
      for row in unsafe 0..<table.pointee.count {
        unsafe handles.append(handle(at: row, of: table))
      }
    }
    return handles
  }

  @inlinable
  func isAlive(_ handle: Handle) -> Bool { unsafe record(of: handle) != nil }

  /// The number of entities that were created before a living one; nil for a dead handle.
  func creationCount(before handle: Handle) -> UInt64? {
    guard unsafe record(of: handle) != nil else { return nil }
    return pointer.pointee.creationNumbers[creationNumber(handle)]
  }
}
