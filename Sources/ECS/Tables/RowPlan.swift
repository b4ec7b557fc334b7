/// The steps by which the values of a row leave a table.
///
/// A plan lists which values move to columns of another table, which end, and which columns the
/// last row has to fill the gap in. Steps are grouped by what they do, so that carrying out a plan
/// decides nothing per column.
@safe
@usableFromInline
struct RowPlan {
  /// A step for one column's value.
  @safe
  struct Step {
    let source: UnsafeMutablePointer<Column>

    /// Where the value goes; where it came from if it ends.
    let destination: UnsafeMutablePointer<Column>

    var ends: Bool { unsafe source == destination }
  }

  /// The addresses at which the columns of a simple step begin.
  @safe
  @usableFromInline
  struct Bases {
    @usableFromInline let source: UnsafeMutableRawPointer
    @usableFromInline let destination: UnsafeMutableRawPointer

    init(source: UnsafeMutableRawPointer, destination: UnsafeMutableRawPointer) {
      unsafe (self.source, self.destination) = unsafe (source, destination)
    }

    // SAFETY: callers pass rows with values of the size of the bits, of which the new one has none
    // yet.

    /// Moves a value, and that of the last row into the gap.
    // PERFORMANCE: A1: loads come first, so that none waits for a store.
    @inline(__always)
    func move<Bits: BitwiseCopyable>(
      _ row: Int, to newRow: Int, last: Int, as type: Bits.Type
    ) {
      let size = MemoryLayout<Bits>.size
      let value = unsafe source.loadUnaligned(fromByteOffset: row &* size, as: type)
      let filling = unsafe source.loadUnaligned(fromByteOffset: last &* size, as: type)
      unsafe destination.storeBytes(of: value, toByteOffset: newRow &* size, as: type)
      unsafe source.storeBytes(of: filling, toByteOffset: row &* size, as: type)
    }

    /// Moves two values of eight bytes.
    @inlinable
    @inline(__always)
    static func movePair(
      _ first: UnsafeMutablePointer<Bases>, _ row: Int, to newRow: Int, last: Int
    ) {
      let (row, newRow, last) = (row &* 8, newRow &* 8, last &* 8)
      let (one, other) = unsafe (first.pointee.source, first[1].source)
      let value = unsafe one.loadUnaligned(fromByteOffset: row, as: Double.self)
      let otherValue = unsafe other.loadUnaligned(fromByteOffset: row, as: Double.self)
      let filling = unsafe one.loadUnaligned(fromByteOffset: last, as: Double.self)
      let otherFilling = unsafe other.loadUnaligned(fromByteOffset: last, as: Double.self)
      unsafe first.pointee.destination.storeBytes(
        of: value, toByteOffset: newRow, as: Double.self)
      unsafe first[1].destination.storeBytes(
        of: otherValue, toByteOffset: newRow, as: Double.self)
      unsafe one.storeBytes(of: filling, toByteOffset: row, as: Double.self)
      unsafe other.storeBytes(of: otherFilling, toByteOffset: row, as: Double.self)
    }

    /// Lets the value of the last row take the place of another one.
    @inlinable
    @inline(__always)
    func end<Bits: BitwiseCopyable>(_ row: Int, last: Int, as type: Bits.Type) {
      let size = MemoryLayout<Bits>.size
      let filling = unsafe source.loadUnaligned(fromByteOffset: last &* size, as: type)
      unsafe source.storeBytes(of: filling, toByteOffset: row &* size, as: type)
    }
  }

  private enum StepKind: Int, CaseIterable {
    case move8, end8, move4, end4, general
  }

  // PERFORMANCE: A1, A2, D1: the bases of simple steps lie behind the plan, so that values are
  // found with the fewest loads, each of which waits for the one before. Groups begin where those
  // before end.
  // INVARIANT: up to date after `findBases`, which is called when columns have moved.
  private let end8: UnsafeMutablePointer<Bases>
  private let move4: UnsafeMutablePointer<Bases>
  private let end4: UnsafeMutablePointer<Bases>
  private let general: UnsafeMutablePointer<Bases>

  /// What the steps are, if that is common.
  @usableFromInline let shape: Shape

  /// The column of the component that the move adds, if it adds one, and where that begins.
  let added: UnsafeMutablePointer<Column>?
  @usableFromInline private(set) var addedBase: UnsafeMutableRawPointer?

  /// All steps, the simple ones first.
  private let steps: UnsafeMutablePointer<Step>
  private let simpleCount: Int
  private let generalCount: Int

  /// Makes a plan for moves from one table to another, or for the end of rows if there is no other.
  static func make(
    from source: TablePointer, to destination: TablePointer?, adding cid: CID?
  ) -> UnsafeMutablePointer<RowPlan> {
    var groups = [[Step]](repeating: [], count: StepKind.allCases.count)
    for number in unsafe 0..<source.pointee.columnCount {
      let column = unsafe source.pointee.columns + number
      let target = unsafe destination?.pointee.column(of: column.pointee.cid) ?? column
      let step = unsafe Step(source: column, destination: target)
      if let kind = RowPlan.kind(of: step) { groups[kind.rawValue].append(step) }
    }
    // PERFORMANCE: R3: one value that is moved twice is moved, and the plan has a common shape.
    if groups[0].count == 1, groups[2].isEmpty, groups[4].isEmpty { groups[0].append(groups[0][0]) }
    let simpleCount = groups.dropLast().joined().count
    let plan = unsafe UnsafeMutableRawPointer.allocate(
      byteCount: MemoryLayout<RowPlan>.stride + simpleCount * MemoryLayout<Bases>.stride,
      alignment: 64
    )
    .bindMemory(to: RowPlan.self, capacity: 1)
    let added = unsafe cid.flatMap { unsafe destination?.pointee.column(of: $0) }
    unsafe plan.initialize(to: RowPlan(groups, bases: bases(behind: plan), adding: added))
    unsafe plan.pointee.findBases()
    return unsafe plan
  }

  private init(
    _ groups: [[Step]], bases: UnsafeMutablePointer<Bases>,
    adding added: UnsafeMutablePointer<Column>?
  ) {
    let all = groups.joined()
    unsafe steps = UnsafeMutablePointer<Step>.allocate(capacity: max(1, all.count))
    // SAFETY: the capacity is the number of steps.
    for (number, step) in all.enumerated() { unsafe (steps + number).initialize(to: step) }
    unsafe end8 = bases + groups[..<1].joined().count
    unsafe move4 = bases + groups[..<2].joined().count
    unsafe end4 = bases + groups[..<3].joined().count
    unsafe general = bases + groups[..<4].joined().count
    simpleCount = groups.dropLast().joined().count
    generalCount = groups[4].count
    shape = Shape(
      moved8: groups[0].count, ended8: groups[1].count, moved4: groups[2].count,
      ended4: groups[3].count)
    unsafe self.added = added
  }

  #if InternalChecks
    /// Whether all columns are where the plan says.
    var knowsBases: Bool {
      let bases = unsafe general - simpleCount
      return unsafe addedBase == added?.pointee.base
        && (0..<simpleCount).allSatisfy {
          unsafe bases[$0].source == steps[$0].source.pointee.base
            && bases[$0].destination == steps[$0].destination.pointee.base
        }
    }
  #endif

  @inlinable
  static func bases(
    behind plan: UnsafeMutablePointer<RowPlan>
  ) -> UnsafeMutablePointer<Bases> {
    // SAFETY: plans are made with room for bases behind them, which are aligned as plans are.
    unsafe UnsafeMutableRawPointer(plan + 1).assumingMemoryBound(to: Bases.self)
  }

  /// Notes where columns are by now.
  mutating func findBases() {
    unsafe addedBase = added?.pointee.base
    // SAFETY: there is room for the bases of all simple steps before `general`; columns live as
    // long as their tables, and plans between tables no longer than either.
    let bases = unsafe general - simpleCount
    for number in 0..<simpleCount {
      let step = unsafe steps[number]
      unsafe (bases + number).initialize(
        to: Bases(source: step.source.pointee.base, destination: step.destination.pointee.base))
    }
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

  /// Frees a plan.
  @unsafe static func free(_ plan: UnsafeMutablePointer<RowPlan>?) {
    guard let plan = unsafe plan else { return }
    unsafe plan.pointee.steps.deallocate()
    unsafe plan.deallocate()
  }

  /// Whether `move` is all there is to do.
  var isSimple: Bool { generalCount == 0 }

  /// Moves the values of a row to a row of the other table, and those of the last row into the gap.
  ///
  /// If the plan is not simple, `moveGeneral` has to follow.
  // PERFORMANCE: A1, D1: bits go by way of floating-point registers: the others are all in use.
  @inline(__always)
  static func move(
    _ plan: UnsafeMutablePointer<RowPlan>, _ row: Int, to newRow: Int, last: Int
  ) {
    // SAFETY: the rows are below the counts of the tables that the plan was made for; the new row
    // is uninitialized, and the last row is given up by the caller.
    var step = unsafe bases(behind: plan)
    // PERFORMANCE: A1, A2: two columns begin at the same place of a page, so a load from one would
    // wait for a store to the other.
    if unsafe step + 2 <= plan.pointee.end8 {
      unsafe Bases.movePair(step, row, to: newRow, last: last)
      unsafe step += 2
      if unsafe step == plan.pointee.general { return }
    }
    while unsafe step < plan.pointee.end8 {
      unsafe step.pointee.move(row, to: newRow, last: last, as: Double.self)
      unsafe step += 1
    }
    while unsafe step < plan.pointee.move4 {
      unsafe step.pointee.end(row, last: last, as: Double.self)
      unsafe step += 1
    }
    while unsafe step < plan.pointee.end4 {
      unsafe step.pointee.move(row, to: newRow, last: last, as: Float.self)
      unsafe step += 1
    }
    while unsafe step < plan.pointee.general {
      unsafe step.pointee.end(row, last: last, as: Float.self)
      unsafe step += 1
    }
  }

  /// The steps of sizes and types that are not common.
  func moveGeneral(
    _ row: Int, to newRow: Int, last: Int,
    discard: (CID, UnsafeMutableRawPointer) -> Void
  ) {
    for number in 0..<generalCount {
      let step = unsafe steps[simpleCount + number]
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
