import ECS

/// What the context knows at the end, in the order in which it is shown.
struct Report {
  let repository: Repository
  let since: String?
  let totals: Totals
  let authors: [Row]
  let files: [Row]
  let directories: [Row]
  let weeks: [(monday: Day, tally: Tally)]

  /// Files that changed together at least twice.
  let pairs: [Pair]
  let largestCommits: [Commit]

  struct Row {
    let name: RawText
    let tally: Tally
  }

  struct Pair {
    let first: RawText
    let second: RawText
    let commits: Int
  }

  struct Commit {
    let id: String
    let author: RawText
    let summary: CommitSummary
  }

  init(_ context: Context, repository: Repository, options: Options) {
    self.repository = repository
    since = options.since
    totals = context.uniqueComponent(Totals.self) ?? Totals()
    authors = context.rows(by: \AuthorKey.name)
    files = context.rows(by: \FileKey.path)
    directories = context.rows(by: \DirectoryKey.path)
    weeks = context.weeks()
    pairs = context.pairs()
    largestCommits = context.largestCommits(options.top)
  }
}

extension Context {
  /// The names and tallies of all authors, files or directories, those with most commits first.
  fileprivate func rows<Key: Component>(
    by name: any KeyPath<Key, RawText> & Sendable
  ) -> [Report.Row] {
    let view = group(Matcher(all: [Key.cid, Tally.cid]))
      .sorted(by: \Tally.commits, .descending).then(by: \Tally.changedLines, .descending)
      .then(by: name)
    return view.compactMap { entity in
      guard let key = entity.get(Key.self), let tally = entity.get(Tally.self) else { return nil }
      return Report.Row(name: key[keyPath: name], tally: tally)
    }
  }

  fileprivate func weeks() -> [(monday: Day, tally: Tally)] {
    group(Matcher(all: [WeekKey.cid, Tally.cid])).sorted(by: \WeekKey.monday).compactMap { week in
      guard let key = week.get(WeekKey.self), let tally = week.get(Tally.self) else { return nil }
      return (Day(number: key.monday), tally)
    }
  }

  fileprivate func pairs() -> [Report.Pair] {
    guard let counts = uniqueComponent(PairCounts.self)?.table else { return [] }
    var paths: [UInt32: RawText] = [:]
    group(FileKey.matcher).withEach { (_, key: FileKey) in paths[key.number] = key.path }
    var pairs: [Report.Pair] = []
    counts.visit(atLeast: 2) { lower, higher, commits in
      guard let one = paths[lower], let other = paths[higher] else { return }
      pairs.append(Report.Pair(first: min(one, other), second: max(one, other), commits: commits))
    }
    return pairs.sorted { ($1.commits, $0.first, $0.second) < ($0.commits, $1.first, $1.second) }
  }

  /// The commits that changed most lines.
  fileprivate func largestCommits(_ count: Int) -> [Report.Commit] {
    var commits: [(key: CommitKey, entity: Entity, lines: Int)] = []
    func keepLargest() {
      commits.sort { ($1.lines, $0.key) < ($0.lines, $1.key) }
      commits.removeLast(max(0, commits.count - count))
    }
    group(CommitSummary.matcher).withEach { (entity, key: CommitKey, summary: CommitSummary) in
      commits.append((key, entity, summary.added + summary.deleted))
      // Sorted now and then, so that neither time nor memory grow with the history much.
      if commits.count / 2 >= max(count, 512) { keepLargest() }
    }
    keepLargest()
    return commits.compactMap { commit in
      guard let summary = commit.entity.get(CommitSummary.self),
        let author = commit.entity.target(WrittenBy.self)?.get(AuthorKey.self)
      else { return nil }
      return Report.Commit(
        id: commit.key.hexadecimal, author: author.name, summary: summary)
    }
  }
}
