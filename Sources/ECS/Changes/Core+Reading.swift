// What entities have, read without changing anything.
extension Core {
  /// Copies of all components of an entity.
  func components(of handle: Handle) -> [any Component] {
    guard let record = unsafe record(of: handle), let table = unsafe record.pointee.table else {
      return (signature(of: handle) ?? []).compactMap { commands.component($0.key, handle) }
    }
    return unsafe (0..<table.pointee.columnCount).map { number in
      let column = unsafe table.pointee.columns[number]
      return unsafe copy(of: column.cid, at: column.place(Int(record.pointee.row)))
    }
  }

  /// The component types of an entity, ascending.
  func componentIDs(of handle: Handle) -> [CID] {
    (signature(of: handle) ?? [])
  }

  /// Calls a body with each entity that has a component, and the value.
  func forEachValue<C: Component>(of type: C.Type, _ body: (Handle, C) -> Void) {
    exclusivity.checkNoneTaken(type.cid, "A primary index")
    for unsafe(table) in unsafe pointer.pointee.tables.all {
      guard let column = unsafe table.pointee.column(of: type.cid) else { continue }
      // SAFETY: the column holds values of this type in all rows below the table's count.
      let values = unsafe column.pointee.base.assumingMemoryBound(to: type)
      for row in unsafe 0..<table.pointee.count {
        unsafe body(handle(at: row, of: table), values[row])
      }
    }
  }

  /// A property of a living entity's component; nil if it is dead or does not have it.
  ///
  /// `offset` is where the property is in the component, if it is stored.
  @inlinable
  func property<C: Component, Value>(
    _ keyPath: KeyPath<C, Value>, offset: Int?, of handle: Handle
  ) -> Value? {
    guard let place = unsafe place(of: C.self, handle) else {
      // It may wait for the end of an iteration.
      return commands.value(of: C.self, handle)?[keyPath: keyPath]
    }
    if !_isPOD(C.self) && pointer.pointee.iterations.exclusiveColumns > 0 {
      unsafe exclusivity.checkRead(C.self, place)
    }
    guard let offset else { return unsafe place.pointee[keyPath: keyPath] }
    // SAFETY: `MemoryLayout.offset(of:)` says that a value of this type is stored there.
    return unsafe UnsafeRawPointer(place).advanced(by: offset).assumingMemoryBound(to: Value.self)
      .pointee
  }

  /// Where the row of a living entity is, changes that wait left aside.
  func storedTable(of handle: Handle) -> TablePointer? {
    guard let record = unsafe record(of: handle) else { return nil }
    return unsafe record.pointee.table ?? commands.entry(of: handle)?.table
  }

  /// Whether an entity is alive once all that waits has been done, as far as that names it.
  @usableFromInline
  @inline(never)
  func isSeenAlive(_ handle: Handle) -> Bool {
    if let record = unsafe record(of: handle), unsafe record.pointee.table != nil { return true }
    guard let entry = commands.entry(of: handle) else { return false }
    return !entry.isDestroyed
  }

  /// Whether an entity is seen alive, as far as that can be seen at once: in a section of this
  /// thread.
  // PERFORMANCE: E1, V2: loops over snapshots ask for each entity.
  @inlinable
  @inline(__always)
  func knowsAlive(_ handle: Handle) -> Bool {
    guard pointer.pointee.lock.isHeldByCurrentThread, let record = unsafe record(of: handle) else {
      return false
    }
    return unsafe record.pointee.table != nil
  }

  /// A copy of a value, unless a closure has it to itself.
  func copy(of cid: CID, at address: UnsafeMutableRawPointer) -> any Component {
    if !cid.pointer.pointee.isTrivial && pointer.pointee.iterations.exclusiveColumns > 0 {
      unsafe exclusivity.checkRead(cid, address)
    }
    return unsafe cid.pointer.pointee.copy(address)
  }

  /// The component types of an entity, ascending; nil if it is dead.
  func signature(of handle: Handle) -> [CID]? {
    if let table = unsafe record(of: handle)?.pointee.table {
      return unsafe table.pointee.signature
    }
    guard let entry = commands.entry(of: handle), !entry.isDestroyed else { return nil }
    return entry.signature
  }

  /// Whether an entity has a row, whatever waits.
  func isStored(_ handle: Handle) -> Bool { unsafe storedTable(of: handle) != nil }
}
