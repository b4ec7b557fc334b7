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
    authors = context.rows { (key: AuthorKey) in key.name }
    files = context.rows { (key: FileKey) in key.path }
    directories = context.rows { (key: DirectoryKey) in key.path }
    weeks = context.weeks()
    pairs = context.pairs()
    largestCommits = context.largestCommits(options.top)
  }
}

extension Context {
  /// The names and tallies of all authors, files or directories, those with most commits first.
  fileprivate func rows<Key: Component>(_ name: (Key) -> RawText) -> [Report.Row] {
    var rows: [Report.Row] = []
    group(Matcher(all: [Key.cid, Tally.cid])).withEach { (_, key: Key, tally: Tally) in
      rows.append(Report.Row(name: name(key), tally: tally))
    }
    return rows.sorted { left, right in
      let (a, b) = (left.tally, right.tally)
      if a.commits != b.commits { return a.commits > b.commits }
      if a.changedLines != b.changedLines { return a.changedLines > b.changedLines }
      return left.name < right.name
    }
  }

  fileprivate func weeks() -> [(monday: Day, tally: Tally)] {
    var weeks: [(monday: Day, tally: Tally)] = []
    group(Matcher(all: [WeekKey.cid, Tally.cid])).withEach { (_, key: WeekKey, tally: Tally) in
      weeks.append((Day(number: key.monday), tally))
    }
    return weeks.sorted { $0.monday < $1.monday }
  }

  fileprivate func pairs() -> [Report.Pair] {
    var pairs: [Report.Pair] = []
    group(ChangedTogether.matcher).withEach { (_, pair: ChangedTogether) in
      guard pair.commits > 1, let one = pair.first.get(FileKey.self)?.path,
        let other = pair.second.get(FileKey.self)?.path
      else { return }
      pairs.append(
        Report.Pair(first: min(one, other), second: max(one, other), commits: pair.commits))
    }
    return pairs.sorted { ($1.commits, $0.first, $0.second) < ($0.commits, $1.first, $1.second) }
  }

  /// The commits that changed most lines.
  fileprivate func largestCommits(_ count: Int) -> [Report.Commit] {
    var commits: [(id: String, entity: Entity, lines: Int)] = []
    group(CommitSummary.matcher).withEach { (entity, key: CommitKey, summary: CommitSummary) in
      let lines = summary.added + summary.deleted
      guard commits.count < count || lines >= commits.last?.lines ?? 0 else { return }
      let commit = (id: key.hexadecimal, entity: entity, lines: lines)
      let place = commits.firstIndex { ($0.lines, commit.id) < (lines, $0.id) }
      commits.insert(commit, at: place ?? commits.endIndex)
      if commits.count > count { commits.removeLast() }
    }
    return commits.compactMap { commit in
      guard let summary = commit.entity.get(CommitSummary.self),
        let author = commit.entity.get(AuthoredBy.self)?.author.get(AuthorKey.self)
      else { return nil }
      return Report.Commit(id: commit.id, author: author.name, summary: summary)
    }
  }
}
