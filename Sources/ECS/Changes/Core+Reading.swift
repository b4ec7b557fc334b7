// What entities have, read without changing anything.
extension Core {
  /// Copies of all components of an entity.
  func components(of handle: Handle) -> [any Component] {
    guard let record = unsafe record(of: handle), let table = unsafe record.pointee.table else {
      return (signature(of: handle) ?? []).compactMap { queuedComponent($0.key, handle) }
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
    checkNoneTaken(type.cid, "A primary index")
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
      return queuedValue(of: C.self, handle)?[keyPath: keyPath]
    }
    if !_isPOD(C.self) && pointer.pointee.iterations.exclusiveColumns > 0 {
      unsafe checkNotExclusive(C.self, place)
    }
    guard let offset else { return unsafe place.pointee[keyPath: keyPath] }
    // SAFETY: `MemoryLayout.offset(of:)` says that a value of this type is stored there.
    return unsafe UnsafeRawPointer(place).advanced(by: offset).assumingMemoryBound(to: Value.self)
      .pointee
  }
}
