/// A target that may be notified of whole commits, too.
// Guarded by the lock of the core.
class JournalTarget: ChangeTarget, @unchecked Sendable {
  /// Delivers all that an outermost change has changed.
  func deliver(_ commit: CommitNotes) {}

  /// Some of what was noted for journals was taken back.
  func notesWereTakenBack() {}
}
