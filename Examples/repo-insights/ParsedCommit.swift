/// A commit as the log has it.
///
/// PERFORMANCE: an object, since several systems hand it on: copies of a value with so much in it
/// would take longer than what is done with them.
final class ParsedCommit: Sendable {
  let id: CommitKey
  let parents: Int
  let author: NameID
  let address: NameID

  /// When it was committed, in seconds since January 1, 1970.
  let date: Int

  /// When it was written, by the clock of its author: the hour of a week that begins on Monday.
  let hourOfWeek: Int

  /// The first line of the message.
  let subject: RawText
  let changes: [FileChange]

  /// Whether what it changed is not known, as its parents were cut off.
  let isCutOff: Bool

  /// What the commit adds to a tally.
  let tally: Tally

  init(
    id: CommitKey, parents: Int, author: NameID, address: NameID, date: Int, hourOfWeek: Int,
    subject: RawText, changes: [FileChange], isCutOff: Bool
  ) {
    (self.id, self.parents, self.author, self.address) = (id, parents, author, address)
    (self.date, self.hourOfWeek, self.subject) = (date, hourOfWeek, subject)
    self.changes = isCutOff ? [] : changes
    self.isCutOff = isCutOff
    var tally = Tally(commits: 1)
    for change in self.changes {
      tally.added += change.added
      tally.deleted += change.deleted
    }
    self.tally = tally
  }
}

/// What a commit did to a file; `path` is where the file is afterwards.
struct FileChange: Sendable {
  let path: NameID
  let added: Int
  let deleted: Int
  let isBinary: Bool

  /// Where the file was before, if it was moved.
  let formerPath: NameID?
}
