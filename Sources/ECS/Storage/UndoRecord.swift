/// What has to be known to take a change back, in the memory of an ``UndoMemory``.
///
/// Behind it lie, for the destruction of an entity, the types of its components, and then the values
/// that the change ended, each where its alignment lets it.
@safe
struct UndoRecord {
  enum Kind: UInt8 {
    /// An entity came to life in the last row of a table.
    case created

    /// Entities came to life in the last rows of a table.
    case createdMany

    /// An entity was destroyed; there are the types and the values that it had.
    case destroyed

    /// A component was added; the table and the row are those before.
    case added

    /// A component was removed; the table and the row are those before.
    case removed

    /// The value of a component was replaced.
    case replaced

    /// An iteration got the values of a component in a table.
    case column

    /// A unique component is about to have another holder; the handle is that of the one before.
    case holder
  }

  let kind: Kind

  /// Whether there are values of the component.
  ///
  /// If there are none, a closure had the value, and its place was uninitialised.
  var hasValues = false

  /// Whether the holder of the unique component was made for it.
  var holderIsOurs = false

  var row: UInt32 = 0

  /// How many rows or, of an entity that was destroyed, how many types there are.
  var count: UInt32 = 1

  var handle = Handle.dead
  var table: TablePointer?
  var cid: CID?

  init(_ kind: Kind) { self.kind = kind }

  /// The bytes of a record itself.
  static var headSize: Int { 48 }
}

typealias UndoRecordPointer = UnsafeMutablePointer<UndoRecord>

// SAFETY: all of these are within the bytes that the memory set aside for the record: see
// `UndoMemory.append(_:size:)` and its callers.
extension UndoRecordPointer {
  /// What lies behind the record.
  var rest: UnsafeMutableRawPointer { unsafe UnsafeMutableRawPointer(self) + UndoRecord.headSize }

  /// The types of the components of an entity that was destroyed.
  var types: UnsafeMutablePointer<CID> { unsafe rest.assumingMemoryBound(to: CID.self) }

  /// The place of the values of the component that the record is about.
  func values(of cid: CID) -> UnsafeMutableRawPointer {
    unsafe rest.alignedUp(toMultipleOf: cid.pointer.pointee.alignment)
  }

  /// Visits the values that an entity had which was destroyed.
  func forEachValueOfEntity(_ body: (CID, UnsafeMutableRawPointer) -> Void) {
    var place = unsafe rest + Int(pointee.count) &* MemoryLayout<CID>.stride
    for number in unsafe 0..<Int(pointee.count) {
      let cid = unsafe types[number]
      unsafe place = unsafe place.alignedUp(toMultipleOf: cid.pointer.pointee.alignment)
      unsafe body(cid, place)
      unsafe place += cid.pointer.pointee.stride
    }
  }

  /// Visits the values that may have to be ended: types, first values and how many there are.
  func forEachOwningValue(_ body: (CID, UnsafeMutableRawPointer, _ count: Int) -> Void) {
    if unsafe pointee.kind == .destroyed {
      unsafe forEachValueOfEntity { cid, place in
        if !cid.pointer.pointee.isTrivial { unsafe body(cid, place, 1) }
      }
    } else if unsafe pointee.hasValues, let cid = unsafe pointee.cid, !cid.pointer.pointee.isTrivial
    {
      unsafe body(cid, values(of: cid), Int(pointee.count))
    }
  }
}
