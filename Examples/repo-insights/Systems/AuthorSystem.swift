import ECS

/// Finds the author of each commit that is announced, or makes one, and adds up what authors did.
final class AuthorSystem: ReactiveSystem {
  let name = "Authors"
  let collector: Collector
  private let context: Context
  private let authors: PrimaryIndex<AuthorKey, NameID>
  private let names: NameTable

  init(context: Context, names: NameTable) {
    self.context = context
    self.names = names
    collector = context.collector(for: CommitEvent.matcher)
    authors = context.primaryIndex { (key: AuthorKey) in key.id }
  }

  func execute(entities events: EntitySet) {
    context.perform {
      events.withEach { (event, announced: CommitEvent) in
        let commit = announced.commit
        let author =
          authors[commit.author]
          ?? authors.getOrCreate(AuthorKey(id: commit.author, name: names[commit.author]))
        author.add(commit.tally)
        author.note(commit)
        event.set(AuthoredBy(author: author))
      }
    }
  }
}

extension Entity {
  /// Remembers when an author has committed, and with which address.
  fileprivate func note(_ commit: ParsedCommit) {
    update(default: Period(first: commit.date, last: commit.date)) { $0.include(commit.date) }
    let known = get(Addresses.self)?.all ?? []
    if !known.contains(commit.address) { set(Addresses(all: known + [commit.address])) }
  }

  /// Adds to the tally of an author, file, directory or week.
  func add(_ tally: Tally) {
    update(default: Tally()) { $0 += tally }
  }
}
