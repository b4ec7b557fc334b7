/// Someone who is told commits: which changes, and by what.
// PERFORMANCE: J2: one object, whose references are not counted for each commit.
final class CommitReader: Sendable {
  let choice: JournalChoice
  private let body: @Sendable (Commit) -> Void

  init(_ choice: JournalChoice, _ body: @escaping @Sendable (Commit) -> Void) {
    self.choice = choice
    self.body = body
  }

  /// Tells what a commit has behind a position, if anything of that concerns the reader.
  func tell(_ commit: CommitNotes, behind start: NoteMemory.Position) {
    let isNoted = commit.isNoted(for: choice)
    guard isNoted && commit.isSole || commit.hasChanges(choice, behind: start) else { return }
    body(Commit(commit, isNoted ? nil : choice, behind: start))
  }
}
