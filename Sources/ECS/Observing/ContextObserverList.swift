/// The observers of a context.
// Guarded by the lock of the core of the context.
final class ContextObserverList: ObserverList, @unchecked Sendable {
  override func observersOfChangesDidChange() {
    core.reactionLists.contextObservers = hasObserversOfChanges ? self : nil
  }

  /// Observers get the values of what is gone, not of what is new.
  override func wantsValues(_ kind: ReactionKind) -> Bool { kind != .added }
}
