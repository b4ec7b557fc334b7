/// The values of components that a step of a history has changed, before and after: of each entity
/// and component once, in the order of the first change of each.
@safe
// Never changed: it is made by a tracker, when all rows are known.
package final class StepValues: @unchecked Sendable {
  let core: Core
  let rows: ValueRows

  /// The version that all values have after the step.
  let version: UInt64

  init(_ core: Core, _ rows: ValueRows, version: UInt64) {
    self.core = core
    self.rows = rows
    self.version = version
  }

  deinit {
    if !rows.areTrivial { rows.visit { rows.end($0) } }
    rows.deallocate()
  }

  package var isEmpty: Bool { rows.used == 0 }

  /// Whether there certainly is a value at both ends of all that was changed.
  package var isFull: Bool { !rows.hasGaps }

  /// The components of which it may have values.
  package var cids: ContiguousArray<CID> { rows.cids }

  /// The bytes that it takes, without what values refer to.
  package var byteCount: Int { isEmpty ? 0 : rows.capacity }

  /// Whether an end of it runs no code of the user's.
  package var isTrivial: Bool { rows.areTrivial }
}

/// A component of an entity that a step has changed.
package struct ChangedValue {
  package let entity: Entity
  package let cid: CID
  let row: ValueRows.Row

  /// Whether there is a value at one end of the step.
  package func isThere(_ side: UndoSide) -> Bool { row.head.has(side) }
}

extension StepValues: Sequence {
  /// Gives what a step has changed.
  package struct Iterator: IteratorProtocol {
    private let values: StepValues
    private var offset = 0

    init(_ values: StepValues) { self.values = values }

    package mutating func next() -> ChangedValue? {
      guard offset < values.rows.used else { return nil }
      let row = values.rows.row(at: offset)
      offset = row.end
      return values.value(of: row)
    }
  }

  package func makeIterator() -> Iterator { Iterator(self) }

  @inline(__always)
  func value(of row: ValueRows.Row) -> ChangedValue {
    ChangedValue(
      entity: Entity(core: core, handle: row.head.handle), cid: rows.cid(of: row), row: row)
  }

  /// A copy of a value, in a box; nil if there is none.
  package func component(_ value: ChangedValue, _ side: UndoSide) -> (any Component)? {
    guard let found = unsafe rows.value(value.row, side) else { return nil }
    // SAFETY: a value of this type is there.
    return unsafe value.cid.pointer.pointee.copy(found)
  }
}
