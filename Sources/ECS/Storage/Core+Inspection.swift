extension CoreReference {
  var bits: UInt { UInt(bitPattern: pointer) }

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

  /// The number of entities that were created before a living one; nil for a dead handle.
  func creationCount(before handle: Handle) -> UInt64? {
    guard record(of: handle) != nil else { return nil }
    return pointer.pointee.creationNumbers[creationNumber(handle)]
  }
}
