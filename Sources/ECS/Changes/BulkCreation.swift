/// The creation of many entities at once, with the same component types.
@frozen
@usableFromInline
struct BulkCreation {
  @usableFromInline let core: Core

  @inlinable
  @inline(__always)
  init(_ core: Core) { self.core = core }
}

extension Core {
  /// The creation of many entities at once.
  @inlinable
  @inline(__always)
  var bulkCreation: BulkCreation { BulkCreation(self) }
}

extension BulkCreation {
  /// Creates entities with the same components.
  @inlinable
  @inline(__always)
  func create<each C: Component>(_ count: Int, _ components: repeat each C) -> [Entity] {
    var target = unsafe core.root
    repeat unsafe core.extend(&target, with: (each C).self)
    let rows = unsafe begin(of: count, in: target)
    repeat unsafe initialize(each components, in: rows.table, row: rows.first, count: count)
    finish(rows)
    return entities(of: rows)
  }

  /// Makes rows for new entities whose values the caller initialises.
  @usableFromInline
  func begin(of count: Int, in origin: TablePointer) -> NewRows {
    unsafe checkHolders(count, isUnique: origin.pointee.hasUnique)
    let table =
      unsafe origin.pointee.createsPlainly
      ? origin : Completion(core: core).target(of: origin, count: count)
    unsafe checkHolders(count, isUnique: table.pointee.hasUnique)
    if unsafe table.pointee.hasUnique && count > 0 { unsafe core.unique.evictHolders(for: table) }
    if unsafe !table.pointee.isEntryListed { unsafe core.reactionLists.refreshTable(table) }
    unsafe table.pointee.reserve(count)
    let first = unsafe table.pointee.count
    let made = unsafe appendEntitiesInFreeSlots(count, to: table)
    let handle = unsafe appendEntitiesInNewSlots(count - made, to: table)
    return unsafe NewRows(
      table: table, first: first, count: count, countInFreeSlots: made, firstInNewSlots: handle)
  }

  /// Returns how many free slots there were.
  private func appendEntitiesInFreeSlots(_ count: Int, to table: TablePointer) -> Int {
    if Int(core.pointer.pointee.slots.nextCreation) + count > Int(UInt32.max) {
      core.renumberCreations()
    }
    let firstRow = unsafe table.pointee.count
    let firstNumber = core.pointer.pointee.slots.nextCreation
    var free = core.pointer.pointee.slots.firstFree
    guard count > 0 && free != Record.none else { return 0 }
    // SAFETY: free slots have records, and rows were reserved.
    let records = unsafe core.pointer.pointee.slots.records
    let order = unsafe core.pointer.pointee.slots.creationOrder.writableOrdinals(
      of: core.pointer.pointee.slots.room)
    let entities = unsafe table.pointee.entities + firstRow
    var made = 0
    while made < count && free != Record.none {
      let record = unsafe records + Int(free)
      unsafe entities[made] = free
      unsafe order[Int(free)] = firstNumber &+ UInt32(truncatingIfNeeded: made)
      free = unsafe record.pointee.row
      unsafe record.pointee.generation &+= 1
      unsafe record.pointee.row = UInt32(truncatingIfNeeded: firstRow &+ made)
      unsafe record.pointee.table = table
      made &+= 1
    }
    core.pointer.pointee.slots.firstFree = free
    core.pointer.pointee.slots.nextCreation += UInt32(truncatingIfNeeded: made)
    core.pointer.pointee.slots.liveCount += made
    unsafe table.pointee.count += made
    return made
  }

  /// Returns the first handle; those of the others have the slots that follow.
  private func appendEntitiesInNewSlots(_ count: Int, to table: TablePointer) -> Handle {
    if Int(core.pointer.pointee.slots.nextCreation) + count > Int(UInt32.max) {
      core.renumberCreations()
    }
    core.pointer.pointee.slots.reserveCapacity(forMore: count)
    let firstSlot = core.pointer.pointee.slots.count
    let firstRow = unsafe table.pointee.count
    let firstNumber = core.pointer.pointee.slots.nextCreation
    let generation = core.pointer.pointee.slots.firstGeneration &+ 1
    // SAFETY: slots and rows were reserved, so all places are within their blocks.
    let records = unsafe core.pointer.pointee.slots.records + firstSlot
    let order = unsafe core.pointer.pointee.slots.creationOrder.writableOrdinals(
      from: firstNumber, ofSlotsFrom: UInt32(truncatingIfNeeded: firstSlot), count: count,
      of: core.pointer.pointee.slots.room)
    let entities = unsafe table.pointee.entities + firstRow
    // PERFORMANCE: C2, C3: a loop for each block, so that several places are written at once.
    for offset in 0..<count {
      unsafe entities[offset] = UInt32(truncatingIfNeeded: firstSlot &+ offset)
    }
    if let order = unsafe order {
      for offset in 0..<count {
        unsafe order[firstSlot &+ offset] = firstNumber &+ UInt32(truncatingIfNeeded: offset)
      }
    }
    let row = UInt32(truncatingIfNeeded: firstRow)
    unsafe Memory.initialize(
      records, count: count, from: Record(generation: generation, row: row, table: table),
      Record(generation: generation, row: row &+ 1, table: table))
    core.pointer.pointee.slots.count += count
    core.pointer.pointee.slots.nextCreation += UInt32(truncatingIfNeeded: count)
    core.pointer.pointee.slots.liveCount += count
    unsafe table.pointee.count += count
    return Handle(index: UInt32(truncatingIfNeeded: firstSlot), generation: generation)
  }

  @usableFromInline
  func checkCount(_ count: Int) {
    require(
      count >= 0 && count < Int(UInt32.max),
      "createEntities was given the count \(count): it must be at least 0 and below \(UInt32.max), as many entities as a context can have."
    )
  }

  @usableFromInline
  func checkHolders(_ count: Int, isUnique: Bool) {
    require(
      count <= 1 || !isUnique,
      "\(count) entities cannot be created with a unique component: at most one entity holds it.")
  }

  @inlinable
  func initialize<C: Component>(_ value: C, in table: TablePointer, row: Int, count: Int) {
    guard count > 0, let edge = unsafe table.pointee.edge(ComponentKey(C.self)),
      let column = unsafe edge.pointee.column
    else { return }
    // SAFETY: the rows are new, so the places are uninitialized; the key says the type.
    let place = unsafe column.assumingMemoryBound(to: C.self) + row
    if _isPOD(C.self) {
      unsafe place.initialize(to: value)
      let stride = MemoryLayout<C>.size == 0 ? 0 : MemoryLayout<C>.stride
      unsafe Memory.repeatFirst(place, stride, count)
    } else {
      unsafe place.initialize(repeating: value, count: count)
    }
  }

  @usableFromInline
  func finish(_ rows: NewRows) {
    let table = unsafe rows.table
    if core.isNoting {
      unsafe core.recorder.noteCreation(of: rows.count, in: table, from: rows.first)
    }
    guard unsafe table.pointee.enter != nil || table.pointee.hasUnique else { return }
    for row in rows.first..<rows.first + rows.count {
      unsafe core.finishCreation(core.handle(at: row, of: table), in: table, row: row)
    }
  }

  /// The entities of new rows.
  @usableFromInline
  func entities(of rows: NewRows) -> [Entity] {
    unsafe [Entity](unsafeUninitializedCapacity: rows.count) { buffer, initialized in
      // SAFETY: the buffer has room for so many, and the table has so many rows from the first one
      // on.
      let indices = unsafe rows.table.pointee.entities + rows.first
      for offset in 0..<rows.countInFreeSlots {
        let handle = unsafe core.handle(ofSlot: indices[offset])
        unsafe buffer.initializeElement(at: offset, to: Entity(core: core, handle: handle))
      }
      guard let base = buffer.baseAddress else { return }
      // PERFORMANCE: C2, C3: nothing has to be read for these.
      let (first, made) = (rows.firstInNewSlots, rows.countInFreeSlots)
      let second = Handle(index: first.index &+ 1, generation: first.generation)
      unsafe Memory.initialize(
        base + made, count: rows.count - made, from: Entity(core: core, handle: first),
        Entity(core: core, handle: second))
      initialized = rows.count
    }
  }
}

/// Rows that were made at once for new entities.
@safe
@usableFromInline
struct NewRows {
  @usableFromInline let table: TablePointer
  @usableFromInline let first: Int
  let count: Int

  /// How many entities, the first ones, are in slots that had been free.
  let countInFreeSlots: Int

  /// The first entity in a new slot; the slots of the others follow.
  let firstInNewSlots: Handle

  init(
    table: TablePointer, first: Int, count: Int, countInFreeSlots: Int, firstInNewSlots: Handle
  ) {
    unsafe self.table = table
    self.first = first
    self.count = count
    self.countInFreeSlots = countInFreeSlots
    self.firstInNewSlots = firstInNewSlots
  }
}
