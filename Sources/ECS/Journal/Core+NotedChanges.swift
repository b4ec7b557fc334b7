// What the present outermost change has changed so far, while there are journals.
extension Core {
  /// Visits the entities of all changes that were noted and not taken back, in their order: one
  /// that changed several times comes several times.
  ///
  /// - Parameters:
  ///   - type: A component.
  ///   - body: Gets an entity and, if the change destroyed it or removed a component of the type,
  ///     the value that this had. It must not change anything.
  func forEachNotedChange<C: Component>(losing type: C.Type, _ body: (Handle, C?) -> Void) {
    guard isJournaling, let recording = unsafe pointer.pointee.journaling.recording else { return }
    let key = ComponentKey(type)
    unsafe recording.pointee.records.walk { note in
      switch unsafe note.pointee.kind {
      case .holder, .linked, .unlinked, .moved, .linkUpdated: break
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
