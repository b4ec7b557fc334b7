import ECS

/// Finds the author of each commit that is announced, or makes one, and adds up what authors did.
final class AuthorSystem: ReactiveSystem {
  let name = "Authors"
  let collector: Collector
  private let context: Context
  private let authors: PrimaryIndex<AuthorKey, RawText>

  init(context: Context) {
    self.context = context
    collector = context.collector(for: CommitEvent.matcher)
    authors = context.primaryIndex { (key: AuthorKey) in key.name }
  }

  func execute(entities events: EntitySet) {
    context.perform {
      for event in events {
        guard let commit = event.get(CommitEvent.self)?.commit else { continue }
        let author = authors.getOrCreate(AuthorKey(name: commit.author))
        author.add(commit.tally)
        event.set(AuthoredBy(author: author))
      }
    }
  }
}

extension Entity {
  /// Adds to the tally of an author, file, directory or week.
  func add(_ tally: Tally) {
    if update(Tally.self, { $0 += tally }) == nil { set(tally) }
  }
}
