/// The bulk load of entities of several tables, column by column.
///
/// They come to life together: their values are put behind the last rows of the tables, where they
/// are not seen until all are there.
struct BulkLoad {
  let core: Core
}

extension BulkLoad {
  @safe
  private struct Target {
    let table: TablePointer
    let row: Int
    let source: NewTable
  }

  /// Creates entities; `claimed` is an index that has their keys already, `reserved` are handles
  /// that were set aside for them.
  ///
  /// `completes` says whether components that others require come along.
  func create(
    _ count: Int, in newTables: [NewTable], claimed: ClaimedIndex? = nil,
    reserved: NewEntities.Handles? = nil, completes: Bool = false,
    _ fill: (Int, borrowing NewColumns) -> Void
  ) -> NewEntities {
    core.bulkCreation.checkCount(count)
    let rest = unplaced(count, newTables)
    let missing =
      completes ? newTables.map { Completion(core: core).missing(from: $0.types) } : []
    var tables = newTables + (rest.isEmpty ? [] : [NewTable([], rest)])
    for (number, required) in missing.enumerated() where !required.isEmpty {
      tables[number].types += required.map(\.cid)
    }
    let targets = targets(of: tables)
    if reserved != nil, Int(core.pointer.pointee.slots.nextCreation) + count > Int(UInt32.max) {
      core.renumberCreations()
    }
    let entities = NewEntities(
      core: core, handles: reserved ?? reserve(count), endIndex: count)
    core.refusingChanges(.usingColumns) {
      for (number, target) in targets.enumerated() {
        let required = number < missing.count ? missing[number] : []
        fillColumns(of: target, entities, required) {
          if number < newTables.count { fill(number, $0) }
        }
      }
    }
    bringToLife(entities, in: targets)
    claimed?.settle(entities, in: newTables)
    if core.isJournaling {
      // One by one: in the order of creation, which goes from table to table.
      for position in 0..<count { core.recorder.noteCreation(entities.handle(position)) }
    } else if core.isRecording {
      for target in targets {
        unsafe core.recorder.noteCreation(
          of: target.source.count, in: target.table, from: target.row)
      }
    }
    claimed?.rest(true)
    tellOfCreation(of: entities, in: targets, claimed)
    claimed?.rest(false)
    return entities
  }

  /// The positions that are in no table.
  private func unplaced(_ count: Int, _ tables: [NewTable]) -> [Int] {
    var next = 0
    // PERFORMANCE: N2: the usual case needs no memory.
    for table in tables {
      guard case .range(let range) = table.positions, range.lowerBound == next else { break }
      next = range.upperBound
    }
    if next == count, tables.reduce(0, { $0 + $1.count }) == count { return [] }
    var isPlaced = [Bool](repeating: false, count: count)
    func place(_ position: Int) {
      require(
        position >= 0 && position < count,
        "A new table has the position \(position), but only \(count) entities are created: use one below that."
      )
      require(
        !isPlaced[position],
        "The position \(position) is in two new tables or twice in one: name each once.")
      isPlaced[position] = true
    }
    for table in tables {
      switch table.positions {
      case .range(let range): range.forEach(place)
      case .list(let list): list.forEach(place)
      }
    }
    return isPlaced.indices.filter { !isPlaced[$0] }
  }

  /// Makes the tables, with room for the rows that come.
  private func targets(of newTables: [NewTable]) -> [Target] {
    checkHolders(newTables)
    // None of the tables may be freed before it has got its rows.
    core.pointer.pointee.tables.keepsEmpty = true
    defer { core.pointer.pointee.tables.keepsEmpty = false }
    let tables = unsafe newTables.map { unsafe table(of: $0.types) }
    for (number, source) in newTables.enumerated() where source.count > 0 {
      if unsafe tables[number].pointee.hasUnique {
        unsafe core.unique.evictHolders(for: tables[number])
      }
    }
    var ends: [TablePointer: Int] = unsafe [:]
    var targets: [Target] = []
    for (number, source) in newTables.enumerated() {
      let table = unsafe tables[number]
      let row = unsafe ends[table] ?? table.pointee.count
      unsafe targets.append(Target(table: table, row: row, source: source))
      unsafe ends[table] = row + source.count
    }
    for unsafe(table, end) in unsafe ends {
      unsafe table.pointee.reserve(end - table.pointee.count)
      // After the end of observed entities, which makes reactions out of date.
      if unsafe !table.pointee.isEntryListed { unsafe core.reactionLists.refreshTable(table) }
    }
    return targets
  }

  private func table(of types: [CID]) -> TablePointer {
    let signature = types.ascending()
    for (type, next) in zip(signature, signature.dropFirst()) {
      require(
        type != next,
        "A new table has two \(type.name) components: an entity holds at most one of each type.")
    }
    return unsafe core.graph.findTable(signature, keeping: core.root)
  }

  /// Stops if a unique component would have several holders.
  private func checkHolders(_ newTables: [NewTable]) {
    var seen: Set<CID> = []
    for table in newTables where table.count > 0 {
      for cid in table.types where cid.isUnique {
        core.bulkCreation.checkHolders(table.count, isUnique: true)
        require(
          seen.insert(cid).inserted,
          "Several entities cannot be created with \(cid.name), which is unique: at most one entity holds it."
        )
      }
    }
  }

  /// Sets slots aside, whose handles are dead as yet.
  func reserve(_ count: Int) -> NewEntities.Handles {
    if Int(core.pointer.pointee.slots.nextCreation) + count > Int(UInt32.max) {
      core.renumberCreations()
    }
    if core.pointer.pointee.slots.firstFree != Record.none {
      return .listed((0..<count).map { _ in core.pointer.pointee.slots.reserve() })
    }
    core.pointer.pointee.slots.reserveCapacity(forMore: count)
    let generation = core.pointer.pointee.slots.firstGeneration
    return .following(
      first: UInt32(truncatingIfNeeded: core.pointer.pointee.slots.count),
      generation: generation &+ 1)
  }

  private func fillColumns(
    of target: Target, _ entities: NewEntities, _ required: [RequiredComponent],
    _ fill: (borrowing NewColumns) -> Void
  ) {
    let columnCount = unsafe target.table.pointee.columnCount
    let isFilled = UnsafeMutablePointer<Bool>.allocate(capacity: max(1, columnCount))
    unsafe isFilled.initialize(repeating: false, count: columnCount)
    defer { unsafe isFilled.deallocate() }
    unsafe fill(
      NewColumns(
        entities, target.table, row: target.row, count: target.source.count, isFilled: isFilled))
    for number in 0..<columnCount where unsafe !isFilled[number] {
      let column = unsafe target.table.pointee.columns[number]
      guard let made = required.first(where: { $0.cid == column.cid }) else { continue }
      for row in target.row..<target.row + target.source.count {
        // SAFETY: there is room for the rows, of which nothing has made this value.
        unsafe made.part.initialize(column.place(row))
      }
      unsafe isFilled[number] = true
    }
    // Empty values are there already.
    for number in 0..<columnCount where unsafe target.table.pointee.columns[number].stride > 0 {
      unsafe require(
        isFilled[number],
        unsafe "The column of \(target.table.pointee.signature[number].name) was not filled: fill each column of a new table."
      )
    }
  }

  private func bringToLife(_ entities: NewEntities, in targets: [Target]) {
    let first = core.pointer.pointee.slots.nextCreation
    let order = unsafe placesForNumbers(of: entities, from: first)
    for target in targets {
      switch (target.source.positions, entities.handles) {
      case (.range(let range), .following(let slot, let generation)):
        let offset = UInt32(truncatingIfNeeded: range.lowerBound)
        unsafe bringToLife(
          target, inSlotsFrom: slot &+ offset, generation, first &+ offset, order)
      case (.range(let range), .listed):
        unsafe bringToLife(target, entities, first, order) { range.lowerBound &+ $0 }
      case (.list(let list), _):
        unsafe bringToLife(target, entities, first, order) { list[$0] }
      }
      unsafe target.table.pointee.count += target.source.count
    }
    if case .following = entities.handles { core.pointer.pointee.slots.count += entities.count }
    core.pointer.pointee.slots.nextCreation += UInt32(truncatingIfNeeded: entities.count)
    core.pointer.pointee.slots.liveCount += entities.count
  }

  /// Where to write numbers of new entities, by slots; nil if that need not be.
  private func placesForNumbers(
    of entities: NewEntities, from first: UInt32
  ) -> UnsafeMutablePointer<UInt32>? {
    if entities.isEmpty { return nil }
    return switch entities.handles {
    case .following(let slot, _):
      unsafe core.pointer.pointee.slots.creationOrder.writableOrdinals(
        from: first, ofSlotsFrom: slot, count: entities.count, of: core.pointer.pointee.slots.room)
    case .listed:
      unsafe core.pointer.pointee.slots.creationOrder.writableOrdinals(
        of: core.pointer.pointee.slots.room)
    }
  }

  // PERFORMANCE: N2: loops that only count, of which processors do several steps at once.
  private func bringToLife(
    _ target: Target, inSlotsFrom slot: UInt32, _ generation: UInt32, _ first: UInt32,
    _ order: UnsafeMutablePointer<UInt32>?
  ) {
    let records = unsafe core.pointer.pointee.slots.records + Int(slot)
    let rows = unsafe target.table.pointee.entities + target.row
    let (count, row) = (target.source.count, UInt32(truncatingIfNeeded: target.row))
    // SAFETY: slots and rows were reserved, so all places are within their blocks.
    for offset in 0..<count {
      unsafe (records + offset).initialize(
        to: Record(
          generation: generation, row: row &+ UInt32(truncatingIfNeeded: offset),
          table: target.table))
    }
    if let order = unsafe order {
      for offset in 0..<count {
        unsafe order[Int(slot) &+ offset] = first &+ UInt32(truncatingIfNeeded: offset)
      }
    }
    for offset in 0..<count {
      unsafe rows[offset] = slot &+ UInt32(truncatingIfNeeded: offset)
    }
  }

  @inline(__always)
  private func bringToLife(
    _ target: Target, _ entities: NewEntities, _ first: UInt32,
    _ order: UnsafeMutablePointer<UInt32>?, _ position: (Int) -> Int
  ) {
    let records = unsafe core.pointer.pointee.slots.records
    let rows = unsafe target.table.pointee.entities + target.row
    for offset in 0..<target.source.count {
      let position = position(offset)
      let handle = entities.handle(position)
      let row = UInt32(truncatingIfNeeded: target.row &+ offset)
      // SAFETY: as above.
      unsafe (records + Int(handle.index)).initialize(
        to: Record(generation: handle.generation, row: row, table: target.table))
      unsafe order?[Int(handle.index)] = first &+ UInt32(truncatingIfNeeded: position)
      unsafe rows[offset] = handle.index
    }
  }

  private func tellOfCreation(
    of entities: NewEntities, in targets: [Target], _ claimed: ClaimedIndex?
  ) {
    let isHeard = targets.contains {
      if unsafe $0.table.pointee.hasUnique { return true }
      guard let list = unsafe $0.table.pointee.enter else { return false }
      return unsafe claimed?.isAlone(in: list) != true
    }
    guard isHeard else { return }
    for position in 0..<entities.count {
      let handle = entities.handle(position)
      guard let record = unsafe core.record(of: handle), let table = unsafe record.pointee.table,
        unsafe table.pointee.enter != nil || table.pointee.hasUnique
      else { continue }
      unsafe core.finishCreation(handle, in: table, row: Int(record.pointee.row))
    }
  }
}
