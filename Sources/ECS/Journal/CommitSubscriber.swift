/// A target that may be notified of whole commits, too.
// Guarded by the lock of the core.
class CommitSubscriber: EventSubscriber, @unchecked Sendable {
  /// Delivers all that an outermost change has changed.
  func deliver(_ commit: CommitRecord) {}

  /// Some of what was noted for journals was taken back.
  func notesWereTakenBack() {}
}
