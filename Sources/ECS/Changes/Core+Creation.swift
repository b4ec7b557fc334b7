// How entities come to life and end. What does not depend on the types of their components is not
// inlinable; see `Core+Values`.
extension Core {
  /// Goes on to the table of a table's entities with one more component.
  @inlinable
  @inline(__always)
  func extend<C: Component>(_ table: inout TablePointer, with type: C.Type) {
    if let edge = unsafe table.pointee.edge(ComponentKey(type)), unsafe edge.pointee.column == nil,
      let target = unsafe edge.pointee.target
    {
      unsafe table = target
    } else {
      unsafe table = makeTable(adding: ComponentRegistry.cid(of: type), to: table)
    }
  }

  @usableFromInline
  @inline(never)
  func makeTable(adding cid: CID, to table: TablePointer) -> TablePointer {
    unsafe require(
      table.pointee.edge(cid.key)?.pointee.column == nil,
      "An entity was created with two \(cid.name) components: an entity holds at most one of each type."
    )
    if unsafe table.pointee.ensureEdge(cid).pointee.target == nil {
      unsafe graph.makeTarget(of: table, through: cid)
    }
    return unsafe table.pointee.ensureEdge(cid).pointee.target ?? table
  }

  /// Puts a component into a new row.
  @inlinable
  @inline(__always)
  func initialize<C: Component>(_ value: C, in table: TablePointer, row: Int) {
    guard let edge = unsafe table.pointee.edge(ComponentKey(C.self)),
      let column = unsafe edge.pointee.column
    else { return }
    // SAFETY: as in `place(of:_:)`; the row is new, so the place is uninitialized.
    unsafe (column.assumingMemoryBound(to: C.self) + row).initialize(to: value)
  }

  /// Creates an entity with components.
  @inlinable
  @inline(__always)
  func create<each C: Component>(_ components: repeat each C, as reserved: Handle?) -> Handle {
    var target = unsafe pointer.pointee.tables.root
    repeat unsafe extend(&target, with: (each C).self)
    let (handle, row, table) = unsafe beginCreation(in: target, as: reserved)
    unsafe target = unsafe table
    repeat unsafe initialize(each components, in: target, row: row)
    unsafe endCreation(handle, in: target, row: row)
    return handle
  }

  /// Carries out the reactions, if there may be any, to the creation of an entity.
  @inlinable
  @inline(__always)
  func endCreation(_ handle: Handle, in table: TablePointer, row: Int) {
    if unsafe table.pointee.enter != nil || table.pointee.hasUnique {
      unsafe finishCreation(handle, in: table, row: row)
    }
  }

  /// Creates an entity with components, and notes that, if it is to be noted.
  @inlinable
  @inline(never)
  func createGenerally<each C: Component>(
    _ components: repeat each C, as reserved: Handle?
  ) -> Handle {
    let handle = create(repeat each components, as: reserved)
    if isNoting { recorder.noteCreation(handle) }
    return handle
  }

  /// Makes a row for a new entity whose values the caller initialises.
  ///
  /// The row is in another table if components require some that this one has not: the values of
  /// these are there.
  // PERFORMANCE: C1, E1: where there is room for all that comes of it, there is no call.
  @inlinable
  @inline(__always)
  func beginCreation(in table: TablePointer) -> (Handle, Int, TablePointer) {
    let row = unsafe table.pointee.count
    let order = pointer.pointee.slots.nextCreation
    guard unsafe table.pointee.isEntryListed, unsafe table.pointee.createsPlainly,
      unsafe row < table.pointee.capacity
    else { return unsafe beginCreation(in: table, as: nil) }
    var index = pointer.pointee.slots.firstFree
    let record: UnsafeMutablePointer<Record>
    let generation: UInt32
    // SAFETY: free slots are below `recordCount` and have records; the next slot is within the
    // capacity, and the row within the table's.
    if index != Record.none {
      guard pointer.pointee.slots.creationOrder.assignAtOnce(order, toSlot: index) else {
        return unsafe beginCreation(in: table, as: nil)
      }
      unsafe record = pointer.pointee.slots.records + Int(index)
      pointer.pointee.slots.firstFree = unsafe record.pointee.row
      generation = unsafe record.pointee.generation &+ 1
    } else {
      let count = pointer.pointee.slots.count
      index = UInt32(truncatingIfNeeded: count)
      guard count < pointer.pointee.slots.capacity,
        pointer.pointee.slots.creationOrder.assignAtOnce(order, toSlot: index)
      else { return unsafe beginCreation(in: table, as: nil) }
      unsafe record = pointer.pointee.slots.records + count
      pointer.pointee.slots.count = count &+ 1
      generation = pointer.pointee.slots.firstGeneration &+ 1
    }
    unsafe record.initialize(
      to: Record(generation: generation, row: UInt32(truncatingIfNeeded: row), table: table))
    unsafe table.pointee.entities[row] = index
    unsafe table.pointee.count = row &+ 1
    pointer.pointee.slots.nextCreation = order &+ 1
    pointer.pointee.slots.liveCount &+= 1
    return unsafe (Handle(index: index, generation: generation), row, table)
  }

  /// Makes a row for a new entity whose values the caller initialises, where something has to be
  /// seen to first.
  @usableFromInline
  @inline(never)
  func beginCreation(
    in origin: TablePointer, as reserved: Handle?
  ) -> (Handle, Int, TablePointer) {
    let table =
      unsafe origin.pointee.createsPlainly
      ? origin : Completion(core: self).target(of: origin, count: 1)
    // First: an end of observed entities makes reactions out of date.
    if unsafe table.pointee.hasUnique { unsafe unique.evictHolders(for: table) }
    if unsafe !table.pointee.isEntryListed { unsafe reactionLists.refreshTable(table) }
    let handle = reserved ?? pointer.pointee.slots.reserve()
    return unsafe (handle, appendEntity(handle, to: table), table)
  }

  /// Gives the entity of a reserved slot a row in a table; the row's values are uninitialized.
  @usableFromInline
  @inline(__always)
  func appendEntity(_ handle: Handle, to table: TablePointer) -> Int {
    let row = unsafe table.pointee.appendRow(handle.index)
    unsafe activate(handle, in: table, row: row)
    return row
  }

  /// Carries out the reactions to the creation of an entity, after its values are in place.
  @usableFromInline
  @inline(never)
  func finishCreation(_ handle: Handle, in table: TablePointer, row: Int) {
    if unsafe table.pointee.hasUnique { unsafe unique.claim(of: table, for: handle) }
    guard let list = unsafe table.pointee.enter else { return }
    // As in `finishFastPath`.
    if let log = unsafe list.pointee.singleLog, !isRecording,
      unsafe log.pointee.insertAtOnce(handle)
    {
      return
    }
    unsafe finishCreationGenerally(handle, in: table, row: row, list)
  }

  @inline(never)
  private func finishCreationGenerally(
    _ handle: Handle, in table: TablePointer, row: Int, _ list: ReactionListPointer
  ) {
    // PERFORMANCE: O3: the common case is here, and not a call further on.
    if unsafe list.pointee.hasNotices,
      unsafe !notifications.queuePlain(handle, inRow: row, of: table, list.notices)
    {
      unsafe notifications.queue(.added, handle, inRow: row, of: table, list.notices)
    }
    if unsafe list.pointee.count > 0 { unsafe reactGenerally(list, handle) }
  }

  // MARK: Destruction

  /// Destroys an entity.
  ///
  /// Dead handles are counted.
  @usableFromInline
  func destroy(_ handle: Handle) {
    guard let record = unsafe record(of: handle), let table = unsafe record.pointee.table else {
      noteStaleWrite(handle)
      return
    }
    if unsafe !table.pointee.isEntryListed { unsafe reactionLists.refreshTable(table) }
    let row = unsafe Int(record.pointee.row)
    let reactions = unsafe table.pointee.leave
    let isObserved = notifications.isObserved(handle.index)
    if isNoting { unsafe recorder.noteDestruction(handle, table, row) }
    if unsafe isObserved || reactions?.pointee.hasNotices == true {
      unsafe notifications.queue(.removed, handle, inRow: row, of: table, reactions?.notices)
    }
    if unsafe table.pointee.hasUnique {
      for cid in unsafe table.pointee.signature where cid.isUnique {
        if unique.holderIsOurs(cid.key) { retention.keepHolderAsOurs(cid.key, handle) }
        unsafe pointer.pointee.slots.unique.find(cid.key)?.pointee.value = nil
      }
    }
    unsafe removeRow(row, of: table)
    if isRecording { retention.holdSlot(handle) } else { retention.endSlot(handle) }
    if isObserved { client?.notifier.entityEnded(handle) }
    unsafe reactGenerally(reactions, handle)
  }

  /// Destroys all entities, in the order of their creation.
  func destroyAll() {
    // The end of a value may destroy further ones.
    for handle in handlesInOrderOfCreation() where isAlive(handle) { destroyEntity(handle) }
  }
}
