extension Freezing {
  /// Lets a body look at some pages from one on, as far as they are still the table's, which are
  /// not asked for any more then.
  ///
  /// Returns the next page, which is the first one if it is a copy.
  func readOnce(
    from first: Int, of frozen: FrozenTable, atMost limit: Int, _ body: (TableView) -> Void
  ) -> Int {
    var end = first
    while end < min(frozen.pageCount, first + limit), !frozen.isCopied(end) { end += 1 }
    guard end > first, let table = unsafe frozen.table else { return first }
    let rows = frozen.rows(of: first).lowerBound..<frozen.rows(of: end - 1).upperBound
    unsafe body(TableView(core: core, table: table, rows: rows))
    frozen.pass(first..<end)
    return end
  }

  /// The row of an entity that has stayed where it was when a picture was made.
  ///
  /// Nil if its page is a copy, or it was no part of the picture, which is known by its copies.
  func unchangedRow(
    of handle: Handle, beside copies: FrozenCopies
  ) -> (table: FrozenTable, row: Int)? {
    guard let record = unsafe core.record(of: handle),
      let table = unsafe core.storedTable(of: handle),
      let frozen = unsafe table.pointee.frozen.first(where: { $0.copies === copies })
    else { return nil }
    let row = unsafe Int(record.pointee.row)
    guard row < frozen.count, !frozen.isCopied(row / FrozenTable.rowsOfPage) else { return nil }
    return (frozen, row)
  }

  /// The value of an entity that has stayed where it was when a picture was made.
  ///
  /// Nil if there is none, if changes of the entity wait, or if a closure has values that it
  /// changes.
  func unchangedValue<C: Component>(
    of type: C.Type, _ handle: Handle, beside copies: FrozenCopies
  ) -> C?? {
    guard core.pointer.pointee.iterations.exclusiveColumns == 0,
      unsafe core.record(of: handle)?.pointee.table != nil,
      unchangedRow(of: handle, beside: copies) != nil
    else { return nil }
    return .some(core.value(of: type, handle))
  }
}
