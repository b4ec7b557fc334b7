import ECS

/// Makes a commit of each event, related to its author.
///
/// Of its files, nobody asks more than how many there are: links to them would take more memory than
/// the commits themselves.
final class CommitSystem: ReactiveSystem {
  let name = "Commits"
  let collector: Collector
  private let context: Context
  private let commits: PrimaryIndex<CommitKey, CommitKey>

  init(context: Context) {
    self.context = context
    collector = context.collector(for: Matcher(all: [CommitEvent.cid, TouchedFiles.cid]))
    commits = context.primaryIndex { (key: CommitKey) in key }
  }

  func execute(entities events: EntitySet) {
    context.perform {
      events.withEach {
        (_, announced: CommitEvent, authored: AuthoredBy, touched: TouchedFiles) in
        let commit = announced.commit
        commits.getOrCreate(commit.id).set(
          CommitSummary(
            date: commit.date, subject: commit.subject, files: touched.files.count,
            added: commit.tally.added, deleted: commit.tally.deleted)
        ).relate(WrittenBy.self, to: authored.author)
      }
    }
  }
}
