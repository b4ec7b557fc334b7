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

  /// Sorts living entities by creation, dead ones behind them by slot and generation.
  func orderKey(_ handle: Handle) -> (Int, UInt32, UInt32) {
    guard record(of: handle) != nil else { return (1, handle.index, handle.generation) }
    return (0, creationNumber(handle), 0)
  }
}
