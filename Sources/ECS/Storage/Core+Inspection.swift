extension CoreReference {
  var bits: UInt { UInt(bitPattern: pointer) }

  /// Copies of all components of an entity.
  func components(of handle: Handle) -> [any Component] {
    guard let record = record(of: handle), let table = record.pointee.table else { return [] }
    return (0..<table.pointee.columnCount).map { number in
      let column = table.pointee.columns[number]
      return column.info.pointer.pointee.copy(column.place(Int(record.pointee.row)))
    }
  }

  /// The component types of a living entity, ascending.
  func signature(of handle: Handle) -> [ComponentInfoReference]? {
    record(of: handle)?.pointee.table?.pointee.signature
  }

  /// The component types of an entity, ascending.
  func componentIDs(of handle: Handle) -> [CID] {
    guard let table = record(of: handle)?.pointee.table else { return [] }
    return table.pointee.signature.map(CID.init(info:))
  }

  /// The number of entities that were created before a living one; nil for a dead handle.
  func creationCount(before handle: Handle) -> UInt64? {
    guard record(of: handle) != nil else { return nil }
    return pointer.pointee.creationNumbers[creationNumber(handle)]
  }
}
