/// The values of components that a step of a history has changed, before and after: of each entity
/// and component once, in the order of the first change of each.
@safe
// Never changed: it is made by a tracker, when all rows are known.
package struct StepValues: @unchecked Sendable {
  private let block: StepBlock

  init(_ block: StepBlock) { self.block = block }

  var core: Core { withExtendedLifetime(block) { unsafe block.contents.pointee.core } }
  var rows: ValueRows {
    _read {
      defer { withExtendedLifetime(block) {} }
      yield unsafe block.contents.pointee.rows
    }
  }

  /// The version that all values have after the step.
  var version: UInt64 { withExtendedLifetime(block) { unsafe block.contents.pointee.version } }

  package var isEmpty: Bool { rows.used == 0 }

  /// Whether there certainly is a value at both ends of all that was changed.
  package var isFull: Bool { !rows.hasGaps }

  /// The components of which it may have values.
  package var cids: ContiguousArray<CID> { rows.cids }

  /// The bytes that it takes, without what values refer to.
  package var byteCount: Int { rows.used }

  /// What has to end where code of the user's may run, as ends of values do; nil if none do.
  package var owner: AnyObject? { rows.areTrivial ? nil : block }
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
