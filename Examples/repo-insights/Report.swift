import ECS

/// What the context has at the end, in the order in which it is shown.
struct Report {
  let repository: Repository
  let filter: Filter
  let totals: Totals
  let authors: [Author]

  /// The files, those that are gone included; what was moved is one file.
  let files: [File]
  let directories: [Row]
  let weeks: [(day: Day, tally: Tally)]
  let days: [(day: Day, tally: Tally)]

  /// Files that changed together at least twice.
  let pairs: [Pair]
  let largestCommits: [Commit]

  /// The number of paths at which there were files.
  let pathCount: Int

  /// Authors that have committed with one address: perhaps they are one.
  let namesakes: [(address: RawText, names: [RawText])]

  struct Row {
    let name: RawText
    let tally: Tally
  }

  struct Author {
    let name: RawText
    let tally: Tally
    let period: Period
  }

  struct File {
    let path: RawText
    let formerPaths: [RawText]
    let isGone: Bool
    let tally: Tally
  }

  struct Pair {
    let first: RawText
    let second: RawText
    let commits: Int

    /// How many of the commits that changed one of the files changed both, in percent: of their
    /// average number.
    let degree: Int
  }

  struct Commit {
    let id: String
    let author: RawText
    let summary: CommitSummary
  }

  /// Tells what a context has of a repository, with so many of the largest commits.
  init(_ context: Context, repository: Repository, filter: Filter, top: Int) throws {
    self.repository = repository
    self.filter = filter
    pathCount = context.group(Matcher(all: [FileKey.cid, Tally.cid])).count
    context.joinMovedFiles(present: try repository.presentPaths())
    totals = context.uniqueComponent(Totals.self) ?? Totals()
    authors = context.authors()
    files = context.files()
    directories = context.directories()
    weeks = context.periods(by: \WeekKey.monday)
    days = context.periods(by: \DayKey.day)
    pairs = context.pairs()
    largestCommits = context.largest(top)
    namesakes = context.namesakes()
  }

  /// The files that are there.
  var presentFiles: [File] { files.filter { !$0.isGone } }
}

extension LiveViewSource {
  /// The same, those with most commits first.
  func ranked<Key: Component>(by name: any KeyPath<Key, RawText> & Sendable) -> LiveView {
    sorted(by: \Tally.commits, .descending).then(by: \Tally.changedLines, .descending)
      .then(by: name)
  }

  /// The commits that changed most lines, at most so many.
  func largestFirst(_ count: Int) -> LiveView {
    sorted(by: \CommitSummary.changedLines, .descending).then(by: \CommitKey.self)
      .limited(to: count)
  }
}

extension LiveView {
  /// What happened in the days or weeks of the view.
  func periods<Key: Component>(
    by number: any KeyPath<Key, Int> & Sendable
  ) -> [(day: Day, tally: Tally)] {
    var periods: [(day: Day, tally: Tally)] = []
    entities().withEach { (_, key: Key, tally: Tally) in
      periods.append((Day(number: key[keyPath: number]), tally))
    }
    return periods
  }
}

extension Context {
  var commits: Group { group(Matcher(all: [CommitKey.cid, CommitSummary.cid])) }

  /// All authors, files or directories, those with most commits first.
  func ranking<Key: Component>(
    by name: any KeyPath<Key, RawText> & Sendable
  ) -> LiveView {
    group(Matcher(all: [Key.cid, Tally.cid])).ranked(by: name)
  }

  fileprivate func authors() -> [Report.Author] {
    var authors: [Report.Author] = []
    ranking(by: \AuthorKey.name).entities().withEach {
      (_, key: AuthorKey, tally: Tally, period: Period) in
      authors.append(Report.Author(name: key.name, tally: tally, period: period))
    }
    return authors
  }

  fileprivate func files() -> [Report.File] {
    var files: [Report.File] = []
    let names = uniqueComponent(Names.self)?.paths ?? NameTable()
    ranking(by: \FileKey.path).entities().withEach { (file, key: FileKey, tally: Tally) in
      let formerPaths = file.get(FormerPaths.self)?.all.map { names[$0] } ?? []
      files.append(
        Report.File(
          path: key.path, formerPaths: formerPaths.sorted(),
          isGone: file.has(IsGone.cid), tally: tally))
    }
    return files
  }

  fileprivate func directories() -> [Report.Row] {
    var directories: [Report.Row] = []
    ranking(by: \DirectoryKey.path).entities().withEach {
      (_, key: DirectoryKey, tally: Tally) in
      directories.append(Report.Row(name: key.path, tally: tally))
    }
    return directories
  }

  /// All days or weeks, in their order.
  func periods<Key: Component>(
    by number: any KeyPath<Key, Int> & Sendable
  ) -> [(day: Day, tally: Tally)] {
    group(Matcher(all: [Key.cid, Tally.cid])).sorted(by: number).periods(by: number)
  }

  fileprivate func pairs() -> [Report.Pair] {
    guard var counts = uniqueComponent(PairCounts.self)?.table else { return [] }
    var (files, names) = ([UInt32: (path: RawText, commits: Int)](), [UInt32: UInt32]())
    group(FileKey.matcher).withEach { (file, key: FileKey, tally: Tally) in
      files[key.id.number] = (key.path, tally.commits)
      for former in file.get(FormerPaths.self)?.all ?? [] { names[former.number] = key.id.number }
    }
    if !names.isEmpty { counts = counts.renamed(names) }
    var pairs: [Report.Pair] = []
    counts.visit(atLeast: 2) { lower, higher, commits in
      guard let one = files[lower], let other = files[higher] else { return }
      let degree = 200 * commits / max(1, one.commits + other.commits)
      pairs.append(
        Report.Pair(
          first: min(one.path, other.path), second: max(one.path, other.path), commits: commits,
          degree: min(100, degree)))
    }
    return pairs.sorted { ($1.commits, $0.first, $0.second) < ($0.commits, $1.first, $1.second) }
  }

  fileprivate func largest(_ count: Int) -> [Report.Commit] {
    var commits: [Report.Commit] = []
    self.commits.largestFirst(count).entities().withEach {
      (commit, key: CommitKey, summary: CommitSummary) in
      guard let author = commit.target(WrittenBy.self)?.get(AuthorKey.self) else { return }
      commits.append(
        Report.Commit(id: key.hexadecimal, author: author.name, summary: summary))
    }
    return commits
  }

  /// An index by each address that an author has tells which have one in common.
  fileprivate func namesakes() -> [(address: RawText, names: [RawText])] {
    let byAddress = index(keys: { (addresses: Addresses) in addresses.all })
    let texts = uniqueComponent(Names.self)?.people ?? NameTable()
    var addresses: Set<NameID> = []
    group(Addresses.matcher).withEach { (_, known: Addresses) in addresses.formUnion(known.all) }
    return addresses.filter { byAddress.count(for: $0) > 1 && !texts[$0].bytes.isEmpty }
      .map { address in
        let names = byAddress[address].compactMap { $0.get(AuthorKey.self)?.name }
        return (texts[address], names.sorted())
      }
      .sorted { $0.address < $1.address }
  }
}
