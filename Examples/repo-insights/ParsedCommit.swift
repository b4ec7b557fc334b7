/// A commit as the log has it.
struct ParsedCommit: Sendable {
  let id: CommitKey
  let parents: Int
  let author: RawText
  let address: RawText

  /// When it was committed, in seconds since January 1, 1970.
  let date: Int

  /// When it was written, by the clock of its author: the hour of a week that begins on Monday.
  let hourOfWeek: Int

  /// The first line of the message.
  let subject: RawText
  var changes: [FileChange]

  /// Whether what it changed is not known, as its parents were cut off.
  var isCutOff = false

  var added: Int { changes.reduce(0) { $0 + $1.added } }
  var deleted: Int { changes.reduce(0) { $0 + $1.deleted } }

  /// What the commit adds to a tally.
  var tally: Tally { Tally(commits: 1, added: added, deleted: deleted) }
}

/// What a commit did to a file; `path` is where the file is afterwards.
struct FileChange: Sendable {
  let path: RawText
  let added: Int
  let deleted: Int
  let isBinary: Bool

  /// Where the file was before, if it was moved.
  var formerPath: RawText?
}
