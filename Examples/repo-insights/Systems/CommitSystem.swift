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
      for event in events {
        guard let commit = event.get(CommitEvent.self)?.commit,
          let author = event.get(AuthoredBy.self)?.author,
          let touched = event.get(TouchedFiles.self)
        else { continue }
        commits.getOrCreate(commit.id).set(
          CommitSummary(
            date: commit.date, subject: commit.subject, files: touched.files.count,
            added: commit.tally.added, deleted: commit.tally.deleted)
        ).relate(WrittenBy.self, to: author)
      }
    }
  }
}
