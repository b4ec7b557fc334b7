// What notes that journals want say of single rows.
extension UndoRecordPointer {
  /// The entity of a row.
  func handle(ofRow row: Int) -> Handle {
    switch unsafe pointee.kind {
    // SAFETY: there are as many handles as rows.
    case .createdMany: unsafe handles[row]
    case .column:
      if let cid = unsafe pointee.cid { unsafe handles(ofColumn: cid)[row] } else { Handle.dead }
    default: unsafe pointee.handle
    }
  }

  /// Whether a row changed: iterations get values that they may leave alone.
  func hasChanged(_ row: Int) -> Bool {
    guard unsafe pointee.kind == .column, let cid = unsafe pointee.cid else { return true }
    guard unsafe pointee.hasNew else { return false }
    // A closure had the value when a journal began: what it was then could not be seen.
    guard unsafe pointee.hasOld else { return true }
    let stride = cid.pointer.pointee.stride
    guard stride > 0 else { return false }
    // SAFETY: there are as many values as rows. Values of the same bytes are the same; those of
    // other bytes may be equal, which cannot be known of all types.
    let (old, new) = unsafe (
      UnsafeRawBufferPointer(start: oldValues(of: cid) + row &* stride, count: stride),
      UnsafeRawBufferPointer(start: newValues(of: cid) + row &* stride, count: stride)
    )
    return unsafe !old.elementsEqual(new)
  }
}
