/// The observers of the commits of a context.
// Guarded by the lock of the core of the context.
final class JournalObserverList: ObserverList, @unchecked Sendable {
  // PERFORMANCE: J2: delivered without a walk through the list.
  /// The observer, if there is just one.
  // INVARIANT: its observer is in the list, or was until it was retired, and keeps it.
  private var singleReader: UnmanagedReference<CommitReader>?

  /// What observers have asked for; nil while there are none.
  private var choice: JournalFilter?

  /// How many have gone since the choice was made from those that are here.
  private var goneCount = 0

  /// How much had been noted of the present outermost change when observers began in its course.
  private var starts: [ObjectIdentifier: UndoLog.Position] = [:] {
    didSet { hasStarts = !starts.isEmpty }
  }

  /// Whether there are any.
  private var hasStarts = false

  override func observersOfChangesDidChange() {
    guard !hasObserversOfChanges else { return }
    singleReader = nil
    choice = nil
    goneCount = 0
    starts = [:]
    core.commits.end()
  }

  override func joinedThoseOfChanges(_ observer: Observer) {
    singleReader = count == 1 ? observer.reader.map { UnmanagedReference($0) } : nil
    guard let other = observer.choice, !notifier.isEnded else { return }
    if choice?.contains(other) != true { note(choice?.union(other) ?? other) }
    starts[ObjectIdentifier(observer)] = core.recorder.position
    IterationNotes(core: core).divide()
  }

  override func notesWereTakenBack() {
    guard hasStarts else { return }
    // What was noted before they began has been taken back, too.
    let present = core.recorder.position ?? .start
    starts = starts.mapValues { $0.isBehind(present) ? present : $0 }
  }

  override func leftThoseOfChanges(_ observer: Observer) {
    singleReader = count == 1 ? observers.first?.reader.map { UnmanagedReference($0) } : nil
    starts[ObjectIdentifier(observer)] = nil
    goneCount += 1
    // Not each time: that would take as long as there are observers.
    guard goneCount * 2 >= count, !notifier.isEnded else { return }
    goneCount = 0
    let choices = observers.compactMap(\.choice)
    if let first = choices.first { note(choices.dropFirst().reduce(first) { $0.union($1) }) }
  }

  private func note(_ choice: JournalFilter) {
    self.choice = choice
    core.commits.begin(choice, for: self)
  }

  override func deliver(_ commit: CommitRecord) {
    if !hasStarts, let singleReader {
      return singleReader.visit { $0.tell(commit, behind: .start) }
    }
    let starts = starts
    self.starts = [:]
    tell(commit) { starts[ObjectIdentifier($0)] ?? .start }
  }

  override var name: String { "journal" }
}

extension Observer {
  /// What reads commits, if they are what is observed.
  fileprivate var reader: CommitReader? {
    if case .commit(let reader) = handler { reader } else { nil }
  }

  /// Whether an asynchronous sequence gets the commits of a journal by it.
  func isSequence(of choice: JournalFilter) -> Bool {
    guard let reader, reader.isOfSequence else { return false }
    return reader.choice.contains(choice) && choice.contains(reader.choice)
  }
}
