extension Core {
  /// The slots of entities: a record of each entity, its ordinal in the order of creation, and the
  /// slots that are free.
  @safe
  @usableFromInline
  struct Slots: ~Copyable {
    // INVARIANT: those below `count` are initialized.
    @usableFromInline var records: UnsafeMutablePointer<Record>
    @usableFromInline var count = 0
    @usableFromInline var capacity = 0

    @usableFromInline var creationOrder = CreationOrder()
    @usableFromInline var nextCreation: UInt32 = 0

    /// The first slot of the list of free ones.
    @usableFromInline var firstFree = Record.none
    @usableFromInline var liveCount = 0

    /// The even generation that new slots start with.
    @usableFromInline var firstGeneration: UInt32 = 0

    /// The holders of unique components.
    @usableFromInline var unique = UniqueSlots.none

    // Rarely touched state follows.

    @usableFromInline var staleWrites = 0
    var creationNumbers = CreationNumbers()

    /// The number of contexts that have used the core before.
    var incarnation = 0

    init() {
      unsafe records = Memory.allocate(Record.self, capacity: 0)
    }

    /// The number of slots, and how many there is room for.
    var room: CreationOrder.Room { CreationOrder.Room(count: count, capacity: capacity) }

    /// The handle of the living entity in a slot.
    func handle(of index: UInt32) -> Handle {
      // SAFETY: callers pass slots of entities.
      unsafe Handle(index: index, generation: records[Int(index)].generation)
    }

    /// The handles of entities in a range of slots whose components are accepted, which is asked
    /// once for each table that comes up.
    func living(in range: Range<Int>, where accepts: ([CID]) -> Bool) -> [Handle] {
      var handles: [Handle] = []
      var known: [TablePointer: Bool] = unsafe [:]
      for index in range.clamped(to: 0..<count) {
        // SAFETY: slots below `count` are initialized, and living entities have tables.
        let record = unsafe records + index
        guard unsafe record.pointee.generation % 2 == 1, let table = unsafe record.pointee.table
        else { continue }
        let isAccepted: Bool
        if let answer = unsafe known[table] {
          isAccepted = answer
        } else {
          isAccepted = unsafe accepts(table.pointee.signature)
          unsafe known[table] = isAccepted
        }
        if isAccepted {
          unsafe handles.append(
            Handle(
              index: UInt32(truncatingIfNeeded: index), generation: record.pointee.generation))
        }
      }
      return handles
    }

    // MARK: Taking slots

    /// Takes a slot for a new entity.
    ///
    /// The handle is dead until the entity comes to life.
    @inline(__always)
    mutating func reserve() -> Handle {
      let index = firstFree
      guard index != Record.none else { return reserveNew() }
      // SAFETY: free slots are below `count`.
      let record = unsafe records + Int(index)
      firstFree = unsafe record.pointee.row
      return unsafe Handle(index: index, generation: record.pointee.generation &+ 1)
    }

    private mutating func reserveNew() -> Handle {
      let index = count
      if index == capacity { grow(for: index + 1) }
      // SAFETY: index < capacity.
      unsafe (records + index).initialize(to: Record(generation: firstGeneration))
      count = index + 1
      return Handle(index: UInt32(truncatingIfNeeded: index), generation: firstGeneration &+ 1)
    }

    /// Makes room for slots that are not there yet.
    mutating func reserveCapacity(forMore additional: Int) {
      // It is not the number of living entities that counts: slots may be reserved, or retired.
      let needed = count + additional
      if needed > capacity { grow(for: needed) }
    }

    /// Makes room for so many slots, and for more to come.
    @inline(never)
    private mutating func grow(for needed: Int) {
      require(
        needed <= Record.maximumCount,
        "A context cannot hold \(needed) entities, but at most \(Record.maximumCount): destroy some first."
      )
      let old = room
      let larger = min(max(64, needed, old.capacity * 2), Record.maximumCount)
      unsafe Memory.resize(&records, count: old.count, from: old.capacity, to: larger)
      creationOrder.grow(from: old, to: larger)
      capacity = larger
    }

    // MARK: Giving slots back

    /// Ends the entity of a slot; its row must be gone already.
    @inline(__always)
    mutating func release(_ handle: Handle) {
      // SAFETY: the handle was alive.
      let record = unsafe records + Int(handle.index)
      unsafe record.pointee.generation = handle.generation &+ 1
      unsafe record.pointee.table = nil
      liveCount &-= 1
      guard unsafe record.pointee.generation < Record.lastGeneration else { return }
      unsafe record.pointee.row = firstFree
      firstFree = handle.index
    }

    /// Allows a slot to be used again whose entity is gone for good.
    mutating func giveBack(_ index: UInt32) {
      // SAFETY: callers pass slots that had entities.
      let record = unsafe records + Int(index)
      guard unsafe record.pointee.generation < Record.lastGeneration else { return }
      unsafe record.pointee.row = firstFree
      firstFree = index
    }

    /// Frees the slots; the next life of the core starts above every generation of this one.
    mutating func end() {
      var highest = firstGeneration
      for index in 0..<count {
        // SAFETY: records below `count` are initialized.
        highest = unsafe max(highest, records[index].generation)
      }
      // A reserved slot that never came to life has given out the generation after its record's.
      firstGeneration = Record.generation(above: highest)
      unsafe Memory.free(records, capacity: capacity)
      unsafe records = Memory.allocate(Record.self, capacity: 0)
      creationOrder.removeAll(of: room)
      (count, capacity) = (0, 0)
      (nextCreation, creationNumbers) = (0, CreationNumbers())
      (firstFree, liveCount, staleWrites) = (Record.none, 0, 0)
      unsafe unique.deallocate()
      unique = .none
      incarnation += 1
    }

    // MARK: Tests

    /// Uses up the generations of the free slots until they are good for so many more entities
    /// each.
    func skipGenerations(leaving count: UInt32) {
      var index = firstFree
      while index != Record.none {
        // SAFETY: free slots are below `count`.
        let record = unsafe records + Int(index)
        unsafe record.pointee.generation = max(
          record.pointee.generation, Record.lastGeneration - 2 * count)
        index = unsafe record.pointee.row
      }
    }

    /// Uses up ordinals of the order of creation until so many are left.
    mutating func skipCreations(leaving count: UInt32) {
      nextCreation = max(nextCreation, .max - count)
    }
  }
}
