// What the present outermost change has changed so far, while there are journals.
extension ChangeRecorder {
  /// Visits the entities, and the links, of all changes that were noted and not taken back, in
  /// their order: one that changed several times comes several times.
  ///
  /// - Parameters:
  ///   - type: A component.
  ///   - body: Gets an entity and, if the change destroyed it or removed a component of the type,
  ///     the value that this had. It must not change anything.
  ///   - links: Gets the relation of a link, what happened to it, and its source and its target,
  ///     which may be dead. It must not change anything.
  func forEachNotedChange<C: Component>(
    losing type: C.Type, _ body: (Handle, C?) -> Void,
    links: (Any.Type, NotedLinkChange, Handle, Handle) -> Void
  ) {
    guard core.isJournaling, let recording = unsafe core.pointer.pointee.journaling.recording else {
      return
    }
    let key = ComponentKey(type)
    unsafe recording.pointee.records.walk { note in
      switch unsafe note.pointee.kind {
      case .holder: break
      case .linked, .unlinked, .moved, .linkUpdated:
        guard let (link, change) = unsafe note.linkChange else { break }
        unsafe links(link.relation, change, note.pointee.handle, link.target)
      case .createdMany, .column:
        for row in unsafe 0..<Int(note.pointee.count) {
          if unsafe note.hasChanged(row) { unsafe body(note.handle(ofRow: row), nil) }
        }
      case .destroyed:
        var lost: C?
        unsafe note.forEachColumnOfEntities { cid, value in
          // SAFETY: a value of this very type is there.
          if cid.key == key { lost = unsafe value.assumingMemoryBound(to: type).pointee }
        }
        unsafe body(note.pointee.handle, lost)
      case .removed:
        guard let cid = unsafe note.pointee.cid, cid.key == key, unsafe note.pointee.hasOld else {
          return unsafe body(note.pointee.handle, nil)
        }
        // SAFETY: as above.
        unsafe body(
          note.pointee.handle, note.oldValues(of: cid).assumingMemoryBound(to: type).pointee)
      case .created, .added, .replaced: unsafe body(note.pointee.handle, nil)
      }
    }
  }
}

/// A kind of change of a link.
package enum NotedLinkChange: Sendable {
  /// The link was made, as the last one at both ends.
  case linked

  /// The link went.
  case unlinked

  /// Its value was replaced.
  case updated

  /// It has another position among the targets of its source.
  case movedAmongTargets

  /// It has another position among the sources of its target.
  case movedAmongSources
}

extension UndoRecordPointer {
  /// The link of a note about one, and what happened to it.
  fileprivate var linkChange: (NotedLink, NotedLinkChange)? {
    switch unsafe pointee.kind {
    case .linked: unsafe (link.pointee, .linked)
    case .unlinked: unsafe (unlink.pointee.link, .unlinked)
    case .linkUpdated: unsafe (link.pointee, .updated)
    case .moved:
      unsafe (
        move.pointee.link, move.pointee.isAmongTargets ? .movedAmongTargets : .movedAmongSources
      )
    default: nil
    }
  }
}
