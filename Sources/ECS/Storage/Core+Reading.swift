// What entities have, read without changing anything.
extension Core {
  /// Copies of all components of an entity.
  func components(of handle: Handle) -> [any Component] {
    guard let record = record(of: handle), let table = record.pointee.table else {
      return (signature(of: handle) ?? []).compactMap { queuedComponent($0.key, handle) }
    }
    return (0..<table.pointee.columnCount).map { number in
      let column = table.pointee.columns[number]
      return copy(of: column.cid, at: column.place(Int(record.pointee.row)))
    }
  }

  /// The component types of an entity, ascending.
  func componentIDs(of handle: Handle) -> [CID] {
    (signature(of: handle) ?? [])
  }

  /// Calls a body with each entity that has a component, and the value.
  func forEachValue<C: Component>(of type: C.Type, _ body: (Handle, C) -> Void) {
    checkNobodyHas(type.cid, "A view")
    for table in pointer.pointee.tables {
      guard let column = table.pointee.column(of: type.cid) else { continue }
      // SAFETY: the column holds values of this type in all rows below the table's count.
      let values = column.pointee.base.assumingMemoryBound(to: type)
      for row in 0..<table.pointee.count { body(handle(at: row, of: table), values[row]) }
    }
  }

  /// A property of a living entity's component; nil if it is dead or does not have it.
  ///
  /// `offset` is where the property is in the component, if it is stored.
  @inlinable
  func property<C: Component, Value>(
    _ keyPath: KeyPath<C, Value>, offset: Int?, of handle: Handle
  ) -> Value? {
    guard let place = place(of: C.self, handle) else { return nil }
    if !_isPOD(C.self) && pointer.pointee.exclusiveColumns > 0 { checkNotExclusive(C.self, place) }
    guard let offset else { return place.pointee[keyPath: keyPath] }
    // SAFETY: `MemoryLayout.offset(of:)` says that a value of this type is stored there.
    return UnsafeRawPointer(place).advanced(by: offset).assumingMemoryBound(to: Value.self).pointee
  }
}
