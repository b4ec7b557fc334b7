extension CoreReference {
  /// Makes rows for new entities whose values the caller initialises.
  ///
  /// Returns the first row.
  @usableFromInline
  func beginCreation(of count: Int, in table: TablePointer) -> Int {
    precondition(
      count <= 1 || !table.pointee.hasUnique,
      "\(count) entities were to be created with a unique component: at most one entity holds it.")
    if table.pointee.epoch != pointer.pointee.epoch { refreshTable(table) }
    if table.pointee.hasUnique && count > 0 { evictHolders(for: table) }
    reserveSlots(count)
    table.pointee.reserve(count)
    let first = table.pointee.count
    for _ in 0..<count {
      _ = appendEntity(reserveSlot(), to: table)
    }
    return first
  }

  @inlinable
  func initialize<C: Component>(_ value: C, in table: TablePointer, row: Int, count: Int) {
    guard count > 0, let edge = table.pointee.edge(ComponentKey(C.self)),
      let column = edge.pointee.column
    else { return }
    // SAFETY: the rows are new, so the places are uninitialised; the key says the type.
    (column.assumingMemoryBound(to: C.self) + row).initialize(repeating: value, count: count)
  }

  @usableFromInline
  func finishCreation(of count: Int, in table: TablePointer, from first: Int) {
    guard table.pointee.enter != nil || table.pointee.hasUnique else { return }
    for row in first..<first + count {
      finishCreation(handle(at: row, of: table), in: table, row: row)
    }
  }

  /// Writes the entities of a table's rows to a buffer.
  @usableFromInline
  func copyEntities(
    of table: TablePointer, from first: Int, into buffer: inout UnsafeMutableBufferPointer<Entity>,
    _ count: Int
  ) {
    // SAFETY: the buffer has room for `count` entities, and the table has that many rows.
    for offset in 0..<count {
      buffer.initializeElement(
        at: offset, to: Entity(core: self, handle: handle(at: first + offset, of: table)))
    }
  }

  /// Destroys all entities, in the order of their creation.
  func destroyAll() {
    // The end of a value may destroy further ones.
    for handle in handlesInOrderOfCreation() where isAlive(handle) { destroyEntity(handle) }
  }

  func handlesInOrderOfCreation() -> [Handle] {
    livingHandles().sorted { creationNumber($0) < creationNumber($1) }
  }
}
