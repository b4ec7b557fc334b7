extension Core {
  /// Begins the life of a core for a new context.
  func begin(for client: any CoreClient) {
    enter()
    let root = TablePointer.allocate(capacity: 1)
    unsafe root.initialize(to: Table(self, signature: [], number: 0))
    unsafe pointer.pointee.root = root
    unsafe pointer.pointee.tables = [root]
    unsafe pointer.pointee.tablesBySignature = [[]: root]
    pointer.pointee.unique = UniqueSlots()
    pointer.pointee.client = client
    leave()
  }

  /// Ends the context of this core: at once, or when the change ends in whose course it went.
  func end() {
    enter()
    pointer.pointee.pending.insert(.teardown)
    leave()
  }

  /// Counts a write to a dead entity, unless the entity belonged to an earlier life of the core.
  @usableFromInline
  @inline(never)
  func noteStaleWrite(_ handle: Handle) {
    if handle.generation > pointer.pointee.firstGeneration { pointer.pointee.staleWrites += 1 }
  }

  /// Counts a write that found no entity, and could make none.
  @usableFromInline
  func noteRefusedWrite() { pointer.pointee.staleWrites += 1 }

  /// Gives back all memory.
  ///
  /// Returns the values that have to be ended outside the lock.
  func tearDown() -> [any Component] {
    for set in pointer.pointee.sets {
      for log in set.logs {
        log.end()
        // Whoever waits for arrivals finds that there will be no more.
        if let wake = log.wake { wakeAfterwards(wake) }
      }
      for index in set.indexes { index.clear() }
      for sink in set.sinks { sink.end() }
      set.end()
    }
    pointer.pointee.destructionSink?.end()
    let ended = takeAllValues()
    for unsafe(table) in unsafe pointer.pointee.tables where unsafe table != pointer.pointee.root {
      unsafe free(table)
    }
    unsafe pointer.pointee.tables = []
    unsafe pointer.pointee.tablesBySignature = [:]
    unsafe free(pointer.pointee.root)
    unsafe pointer.pointee.unique.deallocate()
    pointer.pointee.mode = Mode()
    unsafe pointer.pointee.recording = nil
    unsafe pointer.pointee.keptRecording?.pointee.deallocate()
    unsafe pointer.pointee.keptRecording?.deinitialize(count: 1)
    unsafe pointer.pointee.keptRecording?.deallocate()
    unsafe pointer.pointee.keptRecording = nil
    endSlots()
    let client = pointer.pointee.client
    resetState()
    client?.coreEnded()
    return ended
  }

  private func takeAllValues() -> [any Component] {
    var ended: [any Component] = []
    for unsafe(table) in unsafe pointer.pointee.tables {
      for number in unsafe 0..<table.pointee.columnCount
      where unsafe !table.pointee.columns[number].isTrivial {
        let column = unsafe table.pointee.columns[number]
        for row in unsafe 0..<table.pointee.count {
          unsafe ended.append(column.cid.pointer.pointee.take(column.place(row)))
        }
      }
      unsafe table.pointee.count = 0
    }
    return ended
  }

  /// Frees the slots; the next life of the core starts above every generation of this one.
  private func endSlots() {
    var highest = pointer.pointee.firstGeneration
    for index in 0..<pointer.pointee.recordCount {
      // SAFETY: records below `recordCount` are initialized.
      highest = unsafe max(highest, pointer.pointee.records[index].generation)
    }
    // A reserved slot that never came to life has given out the generation after its record's.
    pointer.pointee.firstGeneration = Record.generation(above: highest)
    unsafe Memory.free(pointer.pointee.records, capacity: pointer.pointee.recordCapacity)
    pointer.pointee.creationOrder.removeAll(of: slotRoom)
    pointer.pointee.recordCount = 0
    pointer.pointee.recordCapacity = 0
  }

  private func resetState() {
    unsafe pointer.pointee.records = Memory.allocate(Record.self, capacity: 0)
    pointer.pointee.nextCreation = 0
    pointer.pointee.creationNumbers = CreationNumbers()
    pointer.pointee.freeSlot = Record.none
    pointer.pointee.liveCount = 0
    pointer.pointee.observed.removeAll()
    retire(ChangeQueueRemains(pointer.pointee.changes))
    pointer.pointee.changes = ChangeQueue()
    pointer.pointee.unique = .none
    pointer.pointee.staleWrites = 0
    unsafe pointer.pointee.root = State.noTable
    pointer.pointee.innermost = nil
    pointer.pointee.kept = []
    pointer.pointee.freeTableNumbers = []
    pointer.pointee.reclaim = TableReclaim()
    pointer.pointee.sets = []
    pointer.pointee.listening = []
    pointer.pointee.setsOfComponents = [:]
    pointer.pointee.setOfAll = nil
    pointer.pointee.destructionSink = nil
    pointer.pointee.contextObservers = nil
    pointer.pointee.journals = nil
    pointer.pointee.lastCommit = 0
    pointer.pointee.lostElements = 0
    pointer.pointee.tablesMade = 0
    pointer.pointee.heldSlots = nil
    pointer.pointee.deferred = []
    pointer.pointee.readers = [:]
    pointer.pointee.client = nil
    pointer.pointee.life += 1
  }

  /// Offers the core to the next context, unless its generations are nearly used up.
  func returnToPool() {
    CorePool.put(self, isUsedUp: pointer.pointee.firstGeneration >= Record.lastGeneration / 2)
  }
}
