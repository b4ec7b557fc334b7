/// Those who are told the commits of a context.
// Guarded by the lock of the core of the context.
final class JournalObserverList: ObserverList, @unchecked Sendable {
  /// What observers have asked for since there are any; nil while there are none.
  private var choice: JournalChoice?

  override func observersOfChangesDidChange() {
    guard !hasObserversOfChanges else { return }
    choice = nil
    core.endJournaling()
  }

  override func joinedThoseOfChanges(_ observer: Observer) {
    guard let other = observer.choice, !notifier.isEnded else { return }
    if choice?.contains(other) == true { return }
    let union = choice?.union(other) ?? other
    choice = union
    core.beginJournaling(union, for: self)
  }

  override func deliver(_ commit: CommitNotes) { tell(commit) }

  override var name: String { "journal" }
}
