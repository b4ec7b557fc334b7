extension RowPlan {
  /// A common form of the simple steps of a plan.
  // PERFORMANCE: A1, A2: what is common needs no loops, and so few registers that hardly any has to
  // be saved.
  @usableFromInline
  struct Shape: Equatable {
    @usableFromInline let value: UInt8

    @inlinable
    init(value: UInt8) { self.value = value }

    init(moved8: Int, ended8: Int, moved4: Int, ended4: Int) {
      self =
        switch (moved8, moved4, ended8, ended4) {
        case (2, 0, 0, 0): .two
        case (2, 0, 0, 1): .twoEnding4
        case (2, 0, 1, 0): .twoEnding8
        default: .any
        }
    }

    @inlinable
    @inline(__always)
    static func == (left: Shape, right: Shape) -> Bool { left.value == right.value }

    /// Nothing is known about them.
    @inlinable static var any: Shape { Shape(value: 0) }

    /// Two values of eight bytes move, or one twice.
    @inlinable static var two: Shape { Shape(value: 1) }

    /// Two values of eight bytes move, and one of four bytes ends.
    @inlinable static var twoEnding4: Shape { Shape(value: 2) }

    /// Two values of eight bytes move, and another one ends.
    @inlinable static var twoEnding8: Shape { Shape(value: 3) }
  }

  // SAFETY: the rows are below the counts of the tables that the plan was made for; the new row is
  // uninitialized, and the last row is given up by the caller. The plan has the shape; its bases of
  // what ends follow those of what moves.

  /// Moves the values of the last row, which are two.
  @inlinable
  @inline(__always)
  static func moveTwo(_ plan: UnsafeMutablePointer<RowPlan>, fromLast row: Int, to newRow: Int) {
    let bases = unsafe bases(behind: plan)
    for number in 0..<2 {
      let value = unsafe bases[number].source.loadUnaligned(
        fromByteOffset: row &* 8, as: Double.self)
      unsafe bases[number].destination.storeBytes(
        of: value, toByteOffset: newRow &* 8, as: Double.self)
    }
  }

  /// Moves the values of a row, which are two, and those of the last row into the gap.
  @inlinable
  @inline(__always)
  static func moveTwo(
    _ plan: UnsafeMutablePointer<RowPlan>, _ row: Int, to newRow: Int, last: Int
  ) {
    unsafe Bases.movePair(bases(behind: plan), row, to: newRow, last: last)
  }

  /// Lets the value of the last row take the place of the one that ends, if one does.
  @inlinable
  @inline(__always)
  static func endOne(
    _ plan: UnsafeMutablePointer<RowPlan>, _ shape: Shape, _ row: Int, last: Int
  ) {
    if shape == .two { return }
    let ended = unsafe bases(behind: plan) + 2
    if shape == .twoEnding4 {
      unsafe ended.pointee.end(row, last: last, as: Float.self)
    } else {
      unsafe ended.pointee.end(row, last: last, as: Double.self)
    }
  }
}
