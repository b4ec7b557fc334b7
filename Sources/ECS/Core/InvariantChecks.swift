#if InternalChecks
  #if canImport(Darwin)
    import Darwin
  #elseif canImport(Glibc)
    import Glibc
  #elseif canImport(Musl)
    import Musl
  #endif

  /// Whether `ECS_NO_WALKS` is set: races and long programs would take too long otherwise.
  // SAFETY: the environment is read once, and nothing in the process changes it.
  private let walksNothing = unsafe getenv("ECS_NO_WALKS") != nil

  /// The state of the context at the last walk of the invariants.
  struct InvariantWalk {
    /// The outermost calls since everything was last walked.
    var callCount = 0

    /// What there was then: something else after most changes.
    var look: [UInt64] = []

    /// How much of logs, indexes, views and links there was to walk the last time.
    var listenerLength = 0
  }

  /// The checks that storage does not contradict itself.
  @frozen
  @usableFromInline
  struct InvariantChecks {
    @usableFromInline let core: Core

    @inlinable
    @inline(__always)
    init(_ core: Core) { self.core = core }
  }

  // The flag `InternalChecks` of the compiler has the whole storage walked after every outermost
  // change, and a contradiction stops the process where it arises.
  extension InvariantChecks {
    /// Stops if storage contradicts itself, or what is kept up to date with it: logs, indexes,
    /// views and links.
    ///
    /// Large contexts are walked now and then only, and so are those that look as they did, since
    /// most calls read: so that programs still come to an end.
    @usableFromInline
    func run() {
      guard
        !walksNothing, core.pointer.pointee.lock.depth == 1,
        core.pointer.pointee.section.mode.subtracting([.journaling, .frozen]).isEmpty
      else { return }
      core.pointer.pointee.walk.callCount += 1
      let calls = core.pointer.pointee.walk.callCount
      let size =
        unsafe core.pointer.pointee.slots.count + core.pointer.pointee.tables.all.count * 8
        + core.pointer.pointee.walk.listenerLength * 2
      guard calls >= size else { return }
      let look = look
      guard look != core.pointer.pointee.walk.look || calls >= 256 + size * 4 else { return }
      core.pointer.pointee.walk.callCount = 0
      for unsafe(table) in unsafe core.pointer.pointee.tables.all { unsafe check(table) }
      Freezing(core: core).checkInvariants()
      checkSlots()
      checkSets()
      checkUnique()
      checkListeners()
      core.pointer.pointee.walk.look = look
    }

    /// What differs after most changes.
    private var look: [UInt64] {
      let versions = unsafe core.pointer.pointee.tables.all.reduce(0) {
        unsafe $0 &+ $1.pointee.version
      }
      core.pointer.pointee.walk.listenerLength = listenerLength
      return [
        versions, UInt64(core.pointer.pointee.walk.listenerLength),
        core.pointer.pointee.listeners.registrations,
        UInt64(core.pointer.pointee.listeners.sets.count), core.pointer.pointee.tables.epoch,
      ]
    }

    /// How much of logs, indexes, views and links there is to walk.
    private var listenerLength: Int {
      var length = core.pointer.pointee.listeners.destructionSink?.walkLength ?? 0
      for set in core.pointer.pointee.listeners.sets where set.hasListeners {
        for box in set.logs { length += box.log.pointee.walkLength + 1 }
        for index in set.indexes { length += index.history.walkLength + 1 }
        for sink in set.sinks { length += sink.walkLength + 1 }
      }
      return length
    }

    private func check(_ table: TablePointer) {
      let signature = unsafe table.pointee.signature
      let names = signature.map(\.name)
      require(
        zip(signature, signature.dropFirst()).allSatisfy { $0.id < $1.id },
        "The types of the table \(names) are not ascending.")
      unsafe require(
        core.pointer.pointee.tables.bySignature[signature] == table,
        "The table \(names) is not the one of its signature.")
      unsafe require(
        table.pointee.count >= 0 && table.pointee.count <= table.pointee.capacity,
        unsafe "The table \(names) has \(table.pointee.count) rows, with room for \(table.pointee.capacity)."
      )
      for (index, cid) in signature.enumerated() {
        // SAFETY: a table has a column for each type of its signature.
        let column = unsafe table.pointee.columns + index
        unsafe require(
          column.pointee.cid == cid
            && table.pointee.edge(cid.key)?.pointee.column == column.pointee.base,
          "The edge of \(cid.name) in the table \(names) leads to another column.")
      }
      unsafe checkPlans(of: table, names)
      for row in unsafe 0..<table.pointee.count {
        // SAFETY: rows below the count have entities.
        let index = unsafe Int(table.pointee.entities[row])
        require(
          index < core.pointer.pointee.slots.count,
          "A row of \(names) has the unknown entity \(index).")
        // SAFETY: index < recordCount.
        let record = unsafe core.pointer.pointee.slots.records[index]
        unsafe require(
          record.table == table && Int(record.row) == row && record.generation % 2 == 1,
          "Entity \(index) of row \(row) of \(names) is said to be elsewhere, or dead.")
      }
    }

    private func checkPlans(of table: TablePointer, _ names: [String]) {
      // SAFETY: a table has room for so many edges.
      let plans =
        unsafe (0..<table.pointee.edgeCapacity).map { unsafe table.pointee.edges[$0].plan }
        + [table.pointee.endPlan]
      for unsafe(plan) in unsafe plans {
        unsafe require(
          plan?.pointee.knowsBases != false,
          "A plan for rows of the table \(names) says that a column is elsewhere.")
      }
    }

    private func checkSlots() {
      // SAFETY: records below `recordCount` are initialized.
      let living = (0..<core.pointer.pointee.slots.count)
        .count { unsafe core.pointer.pointee.slots.records[$0].generation % 2 == 1 }
      let rows = unsafe core.pointer.pointee.tables.all.reduce(0) { unsafe $0 + $1.pointee.count }
      require(
        living == core.pointer.pointee.slots.liveCount && rows == living,
        "\(living) slots are alive, \(rows) rows there, \(core.pointer.pointee.slots.liveCount) counted."
      )
      var free = core.pointer.pointee.slots.firstFree
      var steps = 0
      while free != Record.none {
        // SAFETY: free slots are below `recordCount`; the list ends before it has more slots.
        let record = unsafe core.pointer.pointee.slots.records[Int(free)]
        steps += 1
        require(
          record.generation % 2 == 0 && steps <= core.pointer.pointee.slots.count - living,
          "Slot \(free) is alive or met twice in the list of free slots.")
        free = record.row
      }
      if let held = core.pointer.pointee.retainedSlots { check(held, freeCount: steps) }
      checkCreationOrder()
    }

    private func checkCreationOrder() {
      core.pointer.pointee.slots.creationOrder.checkInvariants()
      let ordinals = core.livingHandles().map(core.creationOrdinal)
      require(
        Set(ordinals).count == ordinals.count,
        "Two entities have the same ordinal in the order of creation.")
      require(
        ordinals.allSatisfy { $0 < core.pointer.pointee.slots.nextCreation },
        "An entity has an ordinal that was not given out: \(core.pointer.pointee.slots.nextCreation) is the next one."
      )
    }

    /// Stops if slots without an entity are not either free, used up, or known to wait for holders.
    private func check(_ held: RetainedSlots, freeCount: Int) {
      require(
        held.holderCount > 0 && held.counts.values.allSatisfy { $0 > 0 },
        "Slots are kept by \(held.holderCount) holders, \(held.counts) times.")
      let known = Set(held.parked).union(held.counts.keys)
      var otherCount = freeCount
      for index in 0..<core.pointer.pointee.slots.count {
        // SAFETY: records below `recordCount` are initialized.
        let record = unsafe core.pointer.pointee.slots.records[index]
        if record.generation % 2 == 1 { continue }
        let slot = UInt32(truncatingIfNeeded: index)
        if record.row == slot {
          require(known.contains(slot), "Slot \(slot) waits for holders that do not know of it.")
        } else if record.generation < Record.lastGeneration {
          require(held.counts[slot] == nil, "Slot \(slot) is kept, and can be used by others.")
          otherCount -= 1
        }
      }
      require(otherCount >= 0, "\(-otherCount) slots are neither free nor kept.")
    }

    private func checkSets() {
      for set in core.pointer.pointee.listeners.sets {
        let expected = unsafe core.pointer.pointee.tables.all.filter {
          unsafe set.matcher.accepts($0.pointee.signature)
        }
        unsafe require(
          Set(expected) == Set(set.tables) && expected.allSatisfy(set.contains),
          "A set of tables differs from what its matcher accepts.")
        require(
          set.hasListeners == (set.listeningIndex >= 0),
          "A set of tables is wrong about whether it is among those with listeners.")
      }
      for (index, set) in core.pointer.pointee.listeners.listening.enumerated() {
        require(
          set.listeningIndex == index, "A set of tables with listeners is at another index.")
      }
    }

    private func checkListeners() {
      for set in core.pointer.pointee.listeners.sets where set.hasListeners {
        set.logs.checkInvariants()
        set.indexes.checkInvariants()
        set.sinks.checkInvariants()
        for box in set.logs { box.log.pointee.checkInvariants() }
        for index in set.indexes { index.history.checkInvariants(core, of: index.cid) }
        for sink in set.sinks { sink.checkInvariants() }
      }
      core.pointer.pointee.listeners.destructionSink?.checkInvariants()
    }

    private func checkUnique() {
      for unsafe(table) in unsafe core.pointer.pointee.tables.all
      where unsafe table.pointee.hasUnique {
        guard unsafe table.pointee.count > 0 else { continue }
        unsafe require(table.pointee.count == 1, "Several entities hold one unique component.")
        for (index, cid) in unsafe table.pointee.signature.enumerated() where cid.isUnique {
          let slot = unsafe core.pointer.pointee.slots.unique.find(cid.key)?.pointee
          unsafe require(
            slot?.value == table.pointee.columns[index].base
              && slot?.holder == core.handle(at: 0, of: table),
            "The holder of \(cid.name) is not the one that is known.")
        }
      }
    }
  }
#endif
