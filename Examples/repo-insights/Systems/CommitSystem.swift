import ECS

/// Makes a commit of each event, related to its author.
///
/// Of its files, only their number is asked for: links to them would take more memory than
/// the commits themselves.
final class CommitSystem: ReactiveSystem {
  let name = "Commits"
  let collector: Collector
  private let context: Context

  init(context: Context) {
    self.context = context
    collector = context.collector(for: Matcher(all: [CommitEvent.cid, TouchedFiles.cid]))
  }

  func execute(entities events: EntitySet) {
    context.perform {
      events.withEach {
        (_, announced: CommitEvent, authored: AuthoredBy, touched: TouchedFiles) in
        let commit = announced.commit
        let summary = CommitSummary(
          date: commit.date, subject: commit.subject, files: touched.files.count,
          added: commit.tally.added, deleted: commit.tally.deleted)
        context.createEntity(with: commit.id, summary)
          .relate(WrittenBy.self, to: authored.author)
      }
    }
  }
}
