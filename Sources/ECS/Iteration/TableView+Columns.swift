extension TableView {
  /// The component types, ascending.
  var types: [CID] { unsafe table.pointee.signature }

  /// The bytes of a column of trivial values; nil if there is none.
  @_lifetime(borrow self)
  func bytes(of cid: CID) -> RawSpan? {
    guard let column = unsafe table.pointee.column(of: cid) else { return nil }
    requireTrivial(cid)
    // SAFETY: as in `span`; the values are trivial, so that copying their bytes copies them.
    let bytes = unsafe RawSpan(
      _unsafeStart: column.pointee.place(rows.lowerBound),
      byteCount: rows.count * column.pointee.stride)
    return unsafe _overrideLifetime(bytes, borrowing: self)
  }

  /// Writes the creation numbers of some rows.
  func appendCreationNumbers(of offsets: Range<Int>, to output: inout OutputSpan<UInt64>) {
    let first = unsafe table.pointee.entities + rows.lowerBound
    let numbers = core.pointer.pointee.slots.creationNumbers
    unsafe output.withUnsafeMutableBufferPointer { buffer, count in
      require(
        buffer.count - count >= offsets.count,
        "\(offsets.count) creation numbers were to be written where there is room for \(buffer.count - count)."
      )
      guard !offsets.isEmpty, let base = buffer.baseAddress else { return }
      let copies = unsafe base + count
      let slots = unsafe first + offsets.lowerBound
      // PERFORMANCE: N1: nearly always, all numbers have the same distance from those in storage.
      if let offset = numbers.commonOffset {
        unsafe core.pointer.pointee.slots.creationOrder.copy(
          of: slots, count: offsets.count, plus: offset, to: copies)
      } else {
        for index in 0..<offsets.count {
          // SAFETY: the view has these rows, whose entities have slots; there is room, as was seen.
          unsafe (copies + index).initialize(
            to: numbers[core.pointer.pointee.slots.creationOrder[slots[index]]])
        }
      }
      count += offsets.count
    }
  }
}

extension Core {
  /// Stops where values are being changed, so that not all columns are whole.
  func checkColumnsAreFree(toRead: Bool = false) {
    checkMode(toRead: toRead)
    let mode = pointer.pointee.section.mode
    require(
      (toRead ? mode.subtracting(.reading) : mode).accepts && pointer.pointee.taken.count == 0,
      "Columns were asked for inside an iteration or an update, where values are being changed: ask for them outside."
    )
  }

  /// Calls a body with each table that has rows.
  func forEachTable<Failure: Error>(_ body: (TableView) throws(Failure) -> Void) throws(Failure) {
    for unsafe(table) in unsafe pointer.pointee.tables.all where unsafe table.pointee.count > 0 {
      try unsafe body(TableView(core: self, table: table, rows: 0..<table.pointee.count))
    }
  }
}
