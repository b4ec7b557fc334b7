extension Core {
  /// Begins the life of a core for a new context.
  func begin(for client: ContextState) {
    enter()
    let root = TablePointer.allocate(capacity: 1)
    unsafe root.initialize(to: Table(self, signature: [], [], number: 0))
    unsafe pointer.pointee.tables.begin(with: root)
    pointer.pointee.slots.unique = UniqueSlots()
    pointer.pointee.client = client
    leave()
  }

  /// Ends the context of this core: at once, or when the change ends in whose course it went.
  func end() {
    enter()
    pointer.pointee.section.pending.insert(.teardown)
    leave()
  }

  /// Counts a write to a dead entity, unless the entity belonged to an earlier life of the core.
  @usableFromInline
  @inline(never)
  func noteStaleWrite(_ handle: Handle) {
    if handle.generation > pointer.pointee.slots.firstGeneration {
      pointer.pointee.slots.staleWrites += 1
    }
  }

  /// Gives back all memory.
  ///
  /// Returns the values that have to be ended outside the lock.
  func tearDown() -> [any Component] {
    for set in pointer.pointee.listeners.sets {
      for log in set.logs {
        log.end()
        // Tasks that wait for arrivals find that there will be no more.
        if let wake = log.wake { runAfterUnlock(wake) }
      }
      for index in set.indexes { index.clear() }
      for sink in set.sinks { sink.end() }
      set.end()
    }
    pointer.pointee.listeners.destructionSink?.end()
    Freezing(core: self).keepAll()
    let ended = pointer.pointee.tables.takeAllValues()
    for unsafe(table) in unsafe pointer.pointee.tables.all { unsafe graph.free(table) }
    pointer.pointee.section.mode = Mode()
    endParts()
    let client = pointer.pointee.client
    pointer.pointee.client = nil
    client?.coreEnded()
    return ended
  }

  /// Gives back the memory of the parts, and makes them ready for the next context.
  private func endParts() {
    pointer.pointee.journaling.end()
    pointer.pointee.slots.end()
    pointer.pointee.tables.end()
    pointer.pointee.observed.removeAll()
    retire(pointer.pointee.events.end())
    pointer.pointee.iterations.end()
    pointer.pointee.listeners.removeAll()
    pointer.pointee.retainedSlots = nil
  }

  /// Offers the core to the next context, unless its generations are nearly used up.
  func returnToPool() {
    CorePool.put(self, isUsedUp: pointer.pointee.slots.firstGeneration >= Record.lastGeneration / 2)
  }
}
