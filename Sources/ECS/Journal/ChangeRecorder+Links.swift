// What journals tell of links.
extension ChangeRecorder {
  /// The value of a link, for notes.
  struct LinkValue {
    let values: LinkValues
    let link: RelationLinks.ID
  }

  /// Notes that entities were linked, with the value of the link, if it has one; or that another
  /// value is about to replace it.
  func noteLink(
    _ link: NotedLink, of source: Handle, _ value: LinkValue?, by new: (any Component)? = nil
  ) {
    guard takesIn(link.relation) else { return }
    let size = MemoryLayout<NotedLink>.stride
    let noted =
      unsafe new == nil
      ? append(.linked, source, size: size, new: value)
      : append(.linkUpdated, source, size: size, old: value, new: value)
    // SAFETY: there is room for it behind the note, and for the values.
    unsafe noted.link.initialize(to: link)
    if let value { unsafe noted.fill(with: value) }
    if let new, let (cid, address) = unsafe noted.linkValue(isOld: false) {
      unsafe cid.pointer.pointee.unbox(new, address)
    }
  }

  /// Notes that a link went, with the value that it had, if any.
  func noteUnlink(_ unlink: NotedUnlink, of source: Handle, _ value: LinkValue?) {
    guard takesIn(unlink.link.relation) else { return }
    let size = MemoryLayout<NotedUnlink>.stride
    let noted = unsafe append(.unlinked, source, size: size, old: value)
    // SAFETY: there is room for it behind the note.
    unsafe noted.unlink.initialize(to: unlink)
    if let value { unsafe noted.fill(with: value) }
  }

  /// Notes that a link was moved among others.
  func noteMove(_ move: NotedMove, of source: Handle) {
    guard takesIn(move.link.relation) else { return }
    let noted = unsafe append(.moved, source, size: MemoryLayout<NotedMove>.stride)
    // SAFETY: there is room for it behind the note.
    unsafe noted.move.initialize(to: move)
  }

  private func takesIn(_ relation: Any.Type) -> Bool {
    core.isJournaling && (unsafe core.recording.pointee.interest.takesIn(relation: relation))
  }

  private func append(
    _ kind: UndoRecord.Kind, _ source: Handle, size: Int, old: LinkValue? = nil,
    new: LinkValue? = nil
  ) -> UndoRecordPointer {
    var note = UndoRecord(kind)
    note.handle = source
    (note.hasOld, note.hasNew) = (old != nil, new != nil)
    guard let cid = (old ?? new)?.values.cid else { return unsafe append(note, size: size) }
    let count = (old == nil ? 0 : 1) + (new == nil ? 0 : 1)
    note.typeCount = UInt32(truncatingIfNeeded: count)
    let types = (count + 1) * MemoryLayout<CID>.stride
    let values = UndoRecord.size(of: cid, values: count) + count * cid.pointer.pointee.alignment
    let noted = unsafe append(note, size: size + types + values)
    // SAFETY: there is room for the types behind the ends of the link.
    for index in 0..<count { unsafe (noted.types + index).initialize(to: cid) }
    if !cid.pointer.pointee.isTrivial { unsafe core.recording.pointee.ownsValues = true }
    return unsafe noted
  }
}

extension UndoRecordPointer {
  /// Puts a copy of the value of a link where the first one of the note is.
  fileprivate func fill(with value: ChangeRecorder.LinkValue) {
    var isFirst = true
    unsafe forEachColumnOfEntities { _, address in
      // SAFETY: there is room for a value of the type, and none as yet.
      if isFirst { unsafe value.values.copyValue(of: value.link, to: address) }
      isFirst = false
    }
  }
}
