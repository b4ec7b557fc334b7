/// How the values of a row leave a table.
///
/// A plan knows which values move to columns of another table, which end, and which columns the
/// last row has to fill the gap in. Steps are grouped by what they do, so that carrying out a plan
/// decides nothing per column.
@safe
struct RowPlan {
  /// What happens to one column's value.
  @safe
  struct Step {
    let source: UnsafeMutablePointer<Column>

    /// Where the value goes; where it came from if it ends.
    let destination: UnsafeMutablePointer<Column>

    var ends: Bool { unsafe source == destination }
  }

  private enum StepKind: Int, CaseIterable {
    case move8, end8, move4, end4, general
  }

  private let steps: UnsafeMutablePointer<Step>

  // Where groups of steps begin, which is where those before end.
  private let end8: UnsafeMutablePointer<Step>
  private let move4: UnsafeMutablePointer<Step>
  private let end4: UnsafeMutablePointer<Step>
  private let general: UnsafeMutablePointer<Step>
  private let generalCount: Int

  /// The column of the component that the move adds, if it adds one.
  let added: UnsafeMutablePointer<Column>?

  /// Plans moves from one table to another, or the end of rows if there is no other.
  init(
    from source: TablePointer, to destination: TablePointer?, adding cid: CID?
  ) {
    unsafe added = cid.flatMap { unsafe destination?.pointee.column(of: $0) }
    var groups = [[Step]](repeating: [], count: StepKind.allCases.count)
    for number in unsafe 0..<source.pointee.columnCount {
      let column = unsafe source.pointee.columns + number
      let target = unsafe destination?.pointee.column(of: column.pointee.cid) ?? column
      let step = unsafe Step(source: column, destination: target)
      if let kind = RowPlan.kind(of: step) { groups[kind.rawValue].append(step) }
    }
    let all = groups.joined()
    unsafe steps = UnsafeMutablePointer<Step>.allocate(capacity: max(1, all.count))
    // SAFETY: the capacity is the number of steps.
    for (number, step) in all.enumerated() { unsafe (steps + number).initialize(to: step) }
    unsafe end8 = steps + groups[..<1].joined().count
    unsafe move4 = steps + groups[..<2].joined().count
    unsafe end4 = steps + groups[..<3].joined().count
    unsafe general = steps + groups[..<4].joined().count
    generalCount = groups[4].count
  }

  /// The kind of a step; nil if there is nothing to do.
  private static func kind(of step: Step) -> StepKind? {
    let column = unsafe step.source.pointee
    if !column.isBitwiseTakable || (step.ends && !column.isTrivial) { return .general }
    switch column.stride {
    case 0: return nil
    case 8: return step.ends ? .end8 : .move8
    case 4: return step.ends ? .end4 : .move4
    default: return .general
    }
  }

  @unsafe func deallocate() { unsafe steps.deallocate() }

  /// Whether `move` is all there is to do.
  var isSimple: Bool { generalCount == 0 }

  /// Moves the values of a row to a row of the other table, and those of the last row into the gap.
  ///
  /// If the plan is not simple, `moveGeneral` has to follow.
  ///
  /// PERFORMANCE: A1, A2, D1: if the row is the last one it is copied onto itself, which costs less
  /// than asking. Mutating only so that fields are read where they are, not copied first.
  @inline(__always)
  mutating func move(_ row: Int, to newRow: Int, last: Int) {
    // SAFETY: the rows are below the counts of the tables that the plan was made for; the new row
    // is uninitialized, and the last row is given up by the caller.
    var step = unsafe steps
    while unsafe step < end8 {
      let source = unsafe step.pointee.source.pointee.base
      unsafe (step.pointee.destination.pointee.base + newRow &* 8)
        .copyMemory(from: source + row &* 8, byteCount: 8)
      unsafe (source + row &* 8).copyMemory(from: source + last &* 8, byteCount: 8)
      unsafe step += 1
    }
    // PERFORMANCE: A1, A2: often that was all.
    if unsafe step == general { return }
    while unsafe step < move4 {
      let source = unsafe step.pointee.source.pointee.base
      unsafe (source + row &* 8).copyMemory(from: source + last &* 8, byteCount: 8)
      unsafe step += 1
    }
    while unsafe step < end4 {
      let source = unsafe step.pointee.source.pointee.base
      unsafe (step.pointee.destination.pointee.base + newRow &* 4)
        .copyMemory(from: source + row &* 4, byteCount: 4)
      unsafe (source + row &* 4).copyMemory(from: source + last &* 4, byteCount: 4)
      unsafe step += 1
    }
    while unsafe step < general {
      let source = unsafe step.pointee.source.pointee.base
      unsafe (source + row &* 4).copyMemory(from: source + last &* 4, byteCount: 4)
      unsafe step += 1
    }
  }

  /// The steps of sizes and types that are not common.
  func moveGeneral(
    _ row: Int, to newRow: Int, last: Int,
    discard: (CID, UnsafeMutableRawPointer) -> Void
  ) {
    for number in 0..<generalCount {
      let step = unsafe general[number]
      let source = unsafe step.source.pointee
      let place = unsafe source.place(row)
      if !step.ends {
        unsafe source.moveValue(to: step.destination.pointee.place(newRow), from: place)
      } else if !source.isTrivial {
        unsafe discard(source.cid, place)
      }
      if row != last { unsafe source.moveValue(to: place, from: source.place(last)) }
    }
  }
}
