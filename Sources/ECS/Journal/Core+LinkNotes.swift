// What journals tell of links.
extension Core {
  /// Notes that entities were linked.
  func noteLink(_ link: NotedLink, of source: Handle) {
    guard takesIn(link.relation) else { return }
    let noted = unsafe append(.linked, source, size: MemoryLayout<NotedLink>.stride)
    // SAFETY: there is room for it behind the note.
    unsafe noted.link.initialize(to: link)
  }

  /// Notes that a link went.
  func noteUnlink(_ unlink: NotedUnlink, of source: Handle) {
    guard takesIn(unlink.link.relation) else { return }
    let noted = unsafe append(.unlinked, source, size: MemoryLayout<NotedUnlink>.stride)
    // SAFETY: there is room for it behind the note.
    unsafe noted.unlink.initialize(to: unlink)
  }

  /// Notes that a link was moved among others.
  func noteMove(_ move: NotedMove, of source: Handle) {
    guard takesIn(move.link.relation) else { return }
    let noted = unsafe append(.moved, source, size: MemoryLayout<NotedMove>.stride)
    // SAFETY: there is room for it behind the note.
    unsafe noted.move.initialize(to: move)
  }

  private func takesIn(_ relation: Any.Type) -> Bool {
    isJournaling && (unsafe recording.pointee.interest.takesIn(relation: relation))
  }

  private func append(
    _ kind: UndoRecord.Kind, _ source: Handle, size: Int
  ) -> UndoRecordPointer {
    var note = UndoRecord(kind)
    note.handle = source
    return unsafe append(note, size: size)
  }
}
