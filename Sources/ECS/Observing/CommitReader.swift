/// An observer of commits: which changes it is called with, and how.
// PERFORMANCE: J2: one object, whose references are not counted for each commit.
final class CommitReader: Sendable {
  let choice: JournalFilter
  private let body: @Sendable (Commit) -> Void

  /// Called with the numbers of commits that do not concern the reader; nil unless it is a
  /// sequence.
  private let otherwise: (@Sendable (UInt64) -> Void)?

  init(
    _ choice: JournalFilter, otherwise: (@Sendable (UInt64) -> Void)? = nil,
    _ body: @escaping @Sendable (Commit) -> Void
  ) {
    self.choice = choice
    self.otherwise = otherwise
    self.body = body
  }

  /// Whether an asynchronous sequence reads.
  var isOfSequence: Bool { otherwise != nil }

  /// Tells what a commit has behind a position, if anything of that concerns the reader.
  func tell(_ commit: CommitRecord, behind start: UndoLog.Position) {
    let isNoted = commit.isNoted(for: choice)
    // PERFORMANCE: J2, UN3: mostly the first note is one, which was found when the commit began.
    guard
      isNoted && commit.beginsWithChange && start.isStart
        || commit.hasChanges(choice, behind: start)
    else {
      otherwise?(commit.number)
      return
    }
    body(Commit(commit, isNoted ? nil : choice, behind: start))
  }
}
