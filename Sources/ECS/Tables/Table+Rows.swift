// All rows of a table at once.
extension Table {
  /// Moves the values and the entities of all rows behind the rows of another table.
  ///
  /// Of columns that the other table does not have, values have to be gone already; its own further
  /// column is left uninitialized.
  mutating func moveRows(to target: TablePointer) {
    if unsafe target.pointee.count == 0, count >= Table.fewestExchanged {
      unsafe exchangeBlocks(with: target)
    } else {
      unsafe copyRows(to: target)
    }
    unsafe target.pointee.count += count
    departures &+= UInt64(count)
    count = 0
  }

  /// Below this many rows, copying takes less time than giving back the memory of a column.
  private static var fewestExchanged: Int { 64 }

  private func copyRows(to target: TablePointer) {
    unsafe target.pointee.reserve(count)
    let first = unsafe target.pointee.count
    // SAFETY: there is room for so many rows behind those of the target, which are uninitialized,
    // and those of this table are given up.
    unsafe (target.pointee.entities + first).update(from: entities, count: count)
    for number in 0..<columnCount {
      let source = unsafe columns[number]
      guard let column = unsafe target.pointee.column(of: source.cid) else { continue }
      unsafe column.pointee.moveValues(from: source, to: first, count: count)
    }
  }

  /// Lets the empty target have the memory of the rows, and takes the target's for it.
  private mutating func exchangeBlocks(with target: TablePointer) {
    let (given, taken) = unsafe (capacity, target.pointee.capacity)
    for number in 0..<columnCount {
      let column = unsafe columns + number
      if let other = unsafe target.pointee.column(of: column.pointee.cid) {
        unsafe swap(&column.pointee.base, &other.pointee.base)
      } else {
        unsafe column.pointee.reallocate(count: 0, capacity: taken, oldCapacity: given)
      }
    }
    for number in unsafe 0..<target.pointee.columnCount {
      let column = unsafe target.pointee.columns + number
      guard unsafe self.column(of: column.pointee.cid) == nil else { continue }
      unsafe column.pointee.reallocate(count: 0, capacity: given, oldCapacity: taken)
    }
    unsafe swap(&entities, &target.pointee.entities)
    capacity = taken
    unsafe target.pointee.capacity = given
    noteMovedColumns()
    unsafe target.pointee.noteMovedColumns()
  }
}
