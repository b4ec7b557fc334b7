/// Those who are told the commits of a context.
// Guarded by the lock of the core of the context.
final class JournalObserverList: ObserverList, @unchecked Sendable {
  override func observersOfChangesDidChange() {
    let choices = observers.compactMap(\.choice)
    guard let first = choices.first else { return core.endJournaling() }
    core.beginJournaling(choices.dropFirst().reduce(first) { $0.union($1) }, for: self)
  }

  override func deliver(_ commit: CommitNotes) { tell(commit) }

  override var name: String { "journal" }
}
