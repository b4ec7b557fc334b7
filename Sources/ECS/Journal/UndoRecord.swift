/// A note by which a change is taken back or delivered to journals, in the memory of a ``UndoLog``.
///
/// Behind it lie handles and types, if there is more than one of them, and then the values that the
/// change ended and those that it brought, each where its alignment lets it.
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

    /// An entity was linked to another one.
    case linked

    /// A link between entities went.
    case unlinked

    /// A link has another position among those of one of its ends.
    case moved

    /// The value of a link was replaced.
    case linkUpdated

    /// Whether it is of a link: then what comes behind the note are the ends of the link, and the
    /// value that it had or has, if any, as types and values of whole entities do.
    var isOfLink: Bool {
      switch self {
      case .linked, .unlinked, .moved, .linkUpdated: true
      default: false
      }
    }
  }

  let kind: Kind

  /// Whether there are values from before the change.
  ///
  /// If there are none, a closure had the value, and its memory was uninitialized.
  var hasOld = false

  /// Whether there are values from after the change, which only journals want.
  var hasNew = false

  /// Whether the holder of the unique component was made for it.
  var holderIsOurs = false

  var row: UInt32 = 0

  /// How many rows there are.
  var count: UInt32 = 1

  /// The ID of the cause in the commit; `unjournaled` if no journal wants it.
  var cause = UndoRecord.unjournaled

  var handle = Handle.dead
  var table: TablePointer?

  /// The component, if there is only one.
  var cid: CID?

  /// How many types there are behind the note: those of whole entities, and of values of links.
  var typeCount: UInt32 = 0

  init(_ kind: Kind) { self.kind = kind }

  static var unjournaled: UInt32 { .max }

  /// Whether it tells of one component that was added, replaced or removed, and a journal wants it.
  var isJournaledComponent: Bool {
    switch kind {
    case .added, .replaced, .removed: cause != UndoRecord.unjournaled
    default: false
    }
  }

  /// The bytes of a note itself.
  static var headSize: Int { 48 }

  /// The bytes that values of one component need.
  static func size(of cid: CID, values: Int) -> Int {
    let alignment = cid.pointer.pointee.alignment
    return cid.pointer.pointee.stride &* values &+ (alignment > 16 ? alignment : 0)
  }

  /// Whether there is, before the values that the change brought, room for those that it ended.
  fileprivate var hasRoomForOld: Bool { kind != .added }
}

typealias UndoRecordPointer = UnsafeMutablePointer<UndoRecord>

/// The ends of a link, as noted.
struct NotedLink {
  let target: Handle
  let relation: Any.Type
}

/// A link that went, as noted, and what came next at both of its ends.
struct NotedUnlink {
  let link: NotedLink
  let nextTarget: Handle?
  let nextSource: Handle?
}

/// A link that was moved, as noted: from before one entity to before another one, if it was not and
/// is not the last one.
struct NotedMove {
  let link: NotedLink
  let isAmongTargets: Bool
  let earlierNext: Handle?
  let next: Handle?
}

// SAFETY: all of these are within the bytes that the memory set aside for the note: see
// `UndoLog.append(_:size:)` and its callers.
extension UndoRecordPointer {
  /// What lies behind the note.
  private var rest: UnsafeMutableRawPointer {
    unsafe UnsafeMutableRawPointer(self) + UndoRecord.headSize
  }

  // MARK: One component

  /// The address of the first value from before the change, of a note about one component.
  func oldValues(of cid: CID) -> UnsafeMutableRawPointer {
    unsafe rest.alignedUp(toMultipleOf: cid.pointer.pointee.alignment)
  }

  /// The address of the first value from after the change, of a note about one component.
  func newValues(of cid: CID) -> UnsafeMutableRawPointer {
    let earlier = unsafe pointee.hasRoomForOld ? Int(pointee.count) : 0
    return unsafe oldValues(of: cid) + earlier &* cid.pointer.pointee.stride
  }

  /// The handles of the rows of a column, behind its old and new values.
  func handles(ofColumn cid: CID) -> UnsafeMutablePointer<Handle> {
    unsafe (newValues(of: cid) + Int(pointee.count) &* cid.pointer.pointee.stride)
      .alignedUp(for: Handle.self).assumingMemoryBound(to: Handle.self)
  }

  // MARK: Whole entities

  /// The handles of entities that were created together.
  var handles: UnsafeMutablePointer<Handle> { unsafe rest.assumingMemoryBound(to: Handle.self) }

  /// The types of the components of whole entities, or of the values of a link.
  var types: UnsafeMutablePointer<CID> {
    let head =
      switch unsafe pointee.kind {
      case .createdMany: unsafe Int(pointee.count) &* MemoryLayout<Handle>.stride
      case .linked, .linkUpdated: MemoryLayout<NotedLink>.stride
      case .unlinked: MemoryLayout<NotedUnlink>.stride
      default: 0
      }
    return unsafe (rest + head).alignedUp(for: CID.self).assumingMemoryBound(to: CID.self)
  }

  /// Visits the components of whole entities: types, and the first of the values, one for each row.
  func forEachColumnOfEntities(_ body: (CID, UnsafeMutableRawPointer) -> Void) {
    let count = unsafe Int(pointee.count)
    var values = unsafe UnsafeMutableRawPointer(types + Int(pointee.typeCount))
    for index in unsafe 0..<Int(pointee.typeCount) {
      let cid = unsafe types[index]
      unsafe values = unsafe values.alignedUp(toMultipleOf: cid.pointer.pointee.alignment)
      unsafe body(cid, values)
      unsafe values += count &* cid.pointer.pointee.stride
    }
  }

  // MARK: Links

  var link: UnsafeMutablePointer<NotedLink> {
    unsafe rest.assumingMemoryBound(to: NotedLink.self)
  }

  var unlink: UnsafeMutablePointer<NotedUnlink> {
    unsafe rest.assumingMemoryBound(to: NotedUnlink.self)
  }

  var move: UnsafeMutablePointer<NotedMove> {
    unsafe rest.assumingMemoryBound(to: NotedMove.self)
  }

  /// The address of the value that a link had, or has since, and its type; nil if it has none.
  func linkValue(isOld: Bool) -> (cid: CID, address: UnsafeMutableRawPointer)? {
    guard unsafe pointee.kind.isOfLink, unsafe isOld ? pointee.hasOld : pointee.hasNew else {
      return nil
    }
    // The value from before comes first.
    var found = unsafe (cid: CID, address: UnsafeMutableRawPointer)?.none
    unsafe forEachColumnOfEntities { cid, value in
      if unsafe !isOld || found == nil { unsafe found = unsafe (cid, value) }
    }
    return unsafe found
  }

  // MARK: Values

  /// Visits the values that may have to be ended: types, first values and how many there are.
  func forEachOwningValue(_ body: (CID, UnsafeMutableRawPointer, _ count: Int) -> Void) {
    unsafe forEachValue { cid, values, count in
      if !cid.pointer.pointee.isTrivial { unsafe body(cid, values, count) }
    }
  }

  private func forEachValue(_ body: (CID, UnsafeMutableRawPointer, _ count: Int) -> Void) {
    let count = unsafe Int(pointee.count)
    guard unsafe pointee.hasOld || pointee.hasNew else { return }
    guard let cid = unsafe pointee.cid else {
      return unsafe forEachColumnOfEntities { unsafe body($0, $1, count) }
    }
    if unsafe pointee.hasOld { unsafe body(cid, oldValues(of: cid), count) }
    if unsafe pointee.hasNew { unsafe body(cid, newValues(of: cid), count) }
  }

  // MARK: Copies

  /// Makes a copy of the note, with its values, in memory of its length.
  func copy(to copy: UndoRecordPointer) {
    let length = unsafe UndoLog.length(of: self) - UndoLog.linkSize
    // SAFETY: both have so many bytes.
    unsafe UnsafeMutableRawPointer(copy).copyMemory(from: self, byteCount: length)
    if unsafe hasBytesOnly { return }
    // The others own something, or may lie elsewhere, aligned to more than notes are.
    var copies = unsafe [UnsafeMutableRawPointer]()
    unsafe copy.forEachValue { _, values, _ in unsafe copies.append(values) }
    var index = 0
    unsafe forEachValue { cid, values, count in
      unsafe cid.copyValues(to: copies[index], from: values, count: count)
      index += 1
    }
    if unsafe pointee.kind == .column, let cid = unsafe pointee.cid {
      let count = unsafe Int(pointee.count)
      unsafe copy.handles(ofColumn: cid).update(from: handles(ofColumn: cid), count: count)
    }
  }

  /// Whether a copy of the bytes is one of all values.
  private var hasBytesOnly: Bool {
    func isPlain(_ cid: CID) -> Bool {
      cid.pointer.pointee.isTrivial && cid.pointer.pointee.alignment <= 16
    }
    if let cid = unsafe pointee.cid { return isPlain(cid) }
    let types = unsafe UnsafeBufferPointer(start: types, count: Int(pointee.typeCount))
    return unsafe types.allSatisfy(isPlain)
  }
}
