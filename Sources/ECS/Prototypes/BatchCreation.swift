/// The creation of entities of values that are there already: those of others, or of a template.
///
/// Its functions are called within a section of the core.
@safe
struct BatchCreation {
  let core: Core

  // MARK: Reading

  /// The values of living entities, by their component types, with the indices of the entities in
  /// the list.
  func prototypeValues(of handles: [Handle]) -> [(values: PrototypeValues, indices: [Int])] {
    guard core.acceptsChanges && core.pointer.pointee.taken.count == 0 else {
      // Changes may wait, and closures may have values: asked for one by one.
      return handles.enumerated().map { (PrototypeValues(core.components(of: $1)), [$0]) }
    }
    var groups: [(table: TablePointer, rows: [Int], numbers: [Int])] = unsafe []
    var indices: [TablePointer: Int] = unsafe [:]
    var number = 0
    while number < handles.count {
      guard let table = unsafe core.record(of: handles[number])?.pointee.table else {
        stop("An entity that is copied is in no table.")
      }
      let index = unsafe indices[table] ?? groups.count
      if unsafe index == groups.count {
        unsafe groups.append((table, [], []))
        unsafe indices[table] = index
      }
      // PERFORMANCE: Q1b: entities that follow each other are mostly of the same table.
      var group = unsafe groups[index]
      unsafe groups[index] = (table, [], [])
      unsafe append(&group.rows, &group.numbers, of: handles, from: &number, table)
      unsafe groups[index] = unsafe group
    }
    return unsafe groups.map { group in
      unsafe (PrototypeValues(group.rows, of: group.table), group.numbers)
    }
  }

  /// Appends the rows of entities from one on that are in the same table.
  private func append(
    _ rows: inout [Int], _ numbers: inout [Int], of handles: [Handle], from number: inout Int,
    _ table: TablePointer
  ) {
    while number < handles.count, let record = unsafe core.record(of: handles[number]),
      unsafe record.pointee.table == table
    {
      unsafe rows.append(Int(record.pointee.row))
      numbers.append(number)
      number += 1
    }
  }

  /// Lets values end when the lock is free.
  func retire(_ values: PrototypeValues) {
    if values.types.contains(where: { !$0.pointer.pointee.isTrivial }) {
      core.retire(values)
    }
  }

  /// Lets values that no entity gets end when the lock is free.
  private func retire(_ batches: [EntityBatch]) {
    for batch in batches { retire(batch.staged) }
  }

  private func retire(_ staged: [StagedValues]) {
    for values in staged where !values.cid.pointer.pointee.isTrivial { core.retire(values) }
  }

  // MARK: Writing

  /// Calls a closure with each of some entities that are to be made of values.
  ///
  /// For each entity, `sources` has the number of its values and the row in them; if it is empty,
  /// all have the first ones.
  func write(
    _ count: Int, _ values: [PrototypeValues], from sources: [(number: Int, row: Int)],
    originals: [Entity], _ body: (Int, borrowing NewEntity) -> Void
  ) -> [EntityBatch] {
    let writer = UnsafeMutablePointer<EntityWriter>.allocate(capacity: 1)
    unsafe writer.initialize(to: EntityWriter(core, values, total: count))
    core.refusingChanges(.usingColumns) {
      let entity = unsafe NewEntity(writer)
      if sources.isEmpty, count > 0 {
        unsafe writer.pointee.begin(0, source: 0, row: 0, original: nil)
        for position in 0..<count {
          unsafe writer.pointee.begin(position)
          body(position, entity)
          unsafe writer.pointee.end()
        }
      }
      for position in sources.indices {
        let (number, row) = sources[position]
        unsafe writer.pointee.begin(
          position, source: number, row: row, original: originals[position])
        body(position, entity)
        unsafe writer.pointee.end()
      }
    }
    var batches = unsafe writer.pointee.finish()
    unsafe writer.deinitialize(count: 1)
    unsafe writer.deallocate()
    core.refusingChanges(.usingColumns) {
      for number in batches.indices { retire(batches[number].complete()) }
    }
    return batches
  }

  // MARK: Creating

  /// Creates an entity at once with the values of the first row, which have all that they require.
  func createOne(_ values: PrototypeValues) -> Handle {
    var table = unsafe core.root
    for cid in values.types {
      if let edge = unsafe table.pointee.edge(cid.key), unsafe edge.pointee.column == nil,
        let target = unsafe edge.pointee.target
      {
        unsafe table = target
      } else {
        unsafe table = core.makeTable(adding: cid, to: table)
      }
    }
    require(
      unsafe table.pointee.createsPlainly, "An entity lacks what its components require.")
    let (handle, row, _) = unsafe core.beginCreation(in: table)
    for number in values.types.indices {
      // SAFETY: columns are in the order of the types, and the row is new.
      unsafe values.types[number].copyValue(
        to: table.pointee.columns[number].place(row), from: values.place(number, 0))
    }
    unsafe endCreation(handle, in: table, row: row)
    return handle
  }

  /// Creates a copy of one entity at once; nil if there is more to see to.
  ///
  /// Nothing but an entity in an ordinary state is copied in this way, whose components neither
  /// refer to others nor identify it.
  func copyOne(_ handle: Handle) -> Handle? {
    guard core.acceptsChanges, core.pointer.pointee.taken.count == 0,
      let record = unsafe core.record(of: handle), let table = unsafe record.pointee.table,
      // The copy is to lack what the entity lacks.
      unsafe table.pointee.createsPlainly
    else { return nil }
    for cid in unsafe table.pointee.signature
    where isIdentity(cid) || cid.type is any EntityReferencing.Type { return nil }
    // Before there is a further slot, which may move all records.
    let original = unsafe Int(record.pointee.row)
    let (copy, row, _) = unsafe core.beginCreation(in: table)
    for number in unsafe 0..<table.pointee.columnCount {
      let column = unsafe table.pointee.columns + number
      // SAFETY: both are rows of the table, and one of them is new.
      unsafe column.pointee.cid.copyValue(
        to: column.pointee.place(row), from: column.pointee.place(original))
    }
    unsafe endCreation(copy, in: table, row: row)
    return copy
  }

  private func endCreation(_ handle: Handle, in table: TablePointer, row: Int) {
    unsafe core.endCreation(handle, in: table, row: row)
    if core.isNoting { core.recorder.noteCreation(handle) }
  }

  /// Creates entities: now, or when the running iteration ends.
  func create(
    _ count: Int, _ batches: [EntityBatch], as reserved: NewEntities.Handles? = nil
  ) -> NewEntities {
    if core.acceptsChanges {
      return BulkLoad(core: core).create(count, in: batches.map(\.table), reserved: reserved) {
        batches[$0].fill($1)
      }
    }
    let entities = NewEntities(
      core: core, handles: reserved ?? reserveSlots(count), endIndex: count)
    queueCreation(of: entities, batches)
    return entities
  }

  private func reserveSlots(_ count: Int) -> NewEntities.Handles {
    core.checkMode()
    return .listed((0..<count).map { _ in core.pointer.pointee.slots.reserve() })
  }

  private func queueCreation(of entities: NewEntities, _ batches: [EntityBatch]) {
    for position in entities.indices {
      core.pointer.pointee.iterations.queued.noteCreation(of: entities.handle(position))
    }
    var made: [Handle] = []
    for batch in batches {
      core.bulkCreation.checkHolders(batch.count, isUnique: batch.types.contains { $0.isUnique })
      for cid in batch.types {
        if batch.count > 0 { core.commands.noteMade(cid, in: &made) }
        for number in 0..<batch.count {
          guard let value = batch.value(of: cid, number) else { continue }
          core.commands.note(value, cid, for: entities.handle(batch.position(number)))
        }
      }
    }
    for holder in made { core.commands.noteEndIfEmpty(holder) }
    core.pointer.pointee.iterations.deferred.append {
      core.enter()
      _ = create(entities.count, batches, as: entities.handles)
      core.leave()
    }
  }

  /// Creates copies of entities, or nothing if there is a reason against it.
  ///
  /// `map` gives a handle the one that takes its place; the copies are dead as yet.
  func createCopies(
    _ count: Int, _ batches: inout [EntityBatch], of originals: [Entity],
    _ map: (NewEntities, Entity) -> Entity
  ) throws(CopyError) -> NewEntities {
    core.checkMode()
    core.bulkCreation.checkCount(count)
    if let refusal = uniqueRefusal(batches, originals) {
      retire(batches)
      throw refusal
    }
    let handles = core.acceptsChanges ? BulkLoad(core: core).reserve(count) : reserveSlots(count)
    let entities = NewEntities(core: core, handles: handles, endIndex: count)
    core.refusingChanges(.usingColumns) {
      for number in batches.indices where batches[number].refersToEntities {
        batches[number].mapEntities { map(entities, $0) }
      }
    }
    if let refusal = keyRefusal(batches, originals) {
      retire(batches)
      if case .listed(let listed) = handles {
        for handle in listed.reversed() { core.pointer.pointee.slots.giveBack(handle.index) }
      }
      throw refusal
    }
    return create(count, batches, as: handles)
  }

  private func uniqueRefusal(
    _ batches: [EntityBatch], _ originals: [Entity]
  ) -> CopyError? {
    var seen: Set<CID> = []
    for batch in batches {
      for cid in batch.types where cid.isUnique && batch.count > 0 {
        guard let type = cid.type as? any UniqueComponent.Type else { continue }
        if batch.count > 1 || core.unique.holder(of: cid.key) != nil || !seen.insert(cid).inserted {
          return .unique(component: type, of: originals[batch.position(0)])
        }
      }
    }
    return nil
  }

  private func keyRefusal(_ batches: [EntityBatch], _ originals: [Entity]) -> CopyError? {
    var seen: Set<Identity.Key> = []
    for batch in batches {
      for cid in batch.types where isIdentity(cid) {
        for number in 0..<batch.count {
          guard let value = batch.value(of: cid, number) else { continue }
          for identity in core.identities(of: value)
          where identity.holder != nil || !seen.insert(identity.key).inserted {
            return .duplicateKey(
              component: cid.type, of: originals[batch.position(number)], holder: identity.holder)
          }
        }
      }
    }
    return nil
  }

  /// Whether a primary index is of a component.
  private func isIdentity(_ cid: CID) -> Bool {
    core.pointer.pointee.listeners.hasPrimaryIndex(of: cid)
  }
}

extension NewEntities {
  /// The first entities.
  func array(ofFirst count: Int) -> [Entity] {
    unsafe [Entity](unsafeUninitializedCapacity: count) { buffer, initialized in
      guard let base = buffer.baseAddress else { return }
      switch handles {
      case .following(let first, let generation):
        // PERFORMANCE: Q4: nothing has to be read for these.
        let second = Handle(index: first &+ 1, generation: generation)
        unsafe Memory.initialize(
          base, count: count, from: Entity(core: core, handle: handle(0)),
          Entity(core: core, handle: second))
      case .listed(let handles):
        for number in 0..<count {
          unsafe (base + number).initialize(to: Entity(core: core, handle: handles[number]))
        }
      }
      initialized = count
    }
  }
}
