import ExampleSupport

/// The tables in Markdown, as GitHub and others show them.
struct MarkdownReport {
  let report: Report
  let options: Options

  func write(to file: OutputFile) throws(Failure) {
    let (totals, top) = (report.totals, options.top ?? 10)
    try file.write("# \(escaped(report.repository.name))\n\n")
    guard totals.tally.commits > 0 else { return try file.write("No commits.\n") }
    let dates = [totals.firstDate, totals.lastDate].compactMap { $0.map { Day(seconds: $0).text } }
    try file.write(
      "\(dates.joined(separator: " to ")): \(counted(totals.tally.commits, "commit")) by "
        + "\(counted(report.authors.count, "author")), "
        + "\(counted(report.presentFiles.count, "file")), +\(grouped(totals.tally.added)) "
        + "−\(grouped(totals.tally.deleted)) lines.\n")
    if let filter = report.filter.description { try file.write("\n\(escaped(filter))\n") }
    for section in options.sections ?? [.authors, .files, .directories, .pairs, .commits] {
      switch section {
      case .activity: try writeActivity(to: file)
      case .hours: try writeHours(to: file)
      case .authors: try write(report.authorTable(top: top, isWhole: true), to: file)
      case .files: try write(report.fileTable(top: top), to: file)
      case .directories: try write(report.directoryTable(top: top), to: file)
      case .pairs: try writePairs(top, to: file)
      case .commits: try writeCommits(to: file)
      }
    }
  }

  private func write(_ table: Table, to file: OutputFile) throws(Failure) {
    try write(
      table.title, [""] + table.columns.map(\.title), table.rows.map { [$0.name] + $0.cells },
      to: file)
  }

  private func writeActivity(to file: OutputFile) throws(Failure) {
    guard let bins = Bins(report, atMost: 52) else { return }
    let rows = bins.tallies.enumerated().map { [bins.day($0).text, grouped($1.commits)] }
    try write("Activity", ["\(bins.unit) of", "commits"], rows, to: file)
  }

  private func writeHours(to file: OutputFile) throws(Failure) {
    let rows = Report.weekdays.enumerated().map { day, name in
      let commits = report.totals.hours[day * 24..<day * 24 + 24].reduce(0, +)
      return [name, grouped(commits), report.share(commits)]
    }
    try write("Days of the week", ["", "commits", "share"], rows, to: file)
  }

  private func writePairs(_ top: Int, to file: OutputFile) throws(Failure) {
    let rows = report.pairs.prefix(top).map {
      [$0.first.string, $0.second.string, grouped($0.commits), "\($0.degree) %"]
    }
    try write("Changed together", ["", "with", "commits", "degree"], rows, to: file)
  }

  private func writeCommits(to file: OutputFile) throws(Failure) {
    let rows = report.largestCommits.map { commit in
      [
        String(commit.id.prefix(9)), Day(seconds: commit.summary.date).text,
        commit.author.string, "+\(grouped(commit.summary.added))",
        "−\(grouped(commit.summary.deleted))", commit.summary.subject.string,
      ]
    }
    try write(
      "Largest commits", ["", "date", "author", "added", "deleted", "subject"], rows, to: file)
  }

  private func write(
    _ title: String, _ heads: [String], _ rows: [[String]], to file: OutputFile
  ) throws(Failure) {
    guard !rows.isEmpty else { return }
    func line(_ cells: [String]) -> String { "| \(cells.joined(separator: " | ")) |\n" }
    try file.write("\n## \(title)\n\n" + line(heads))
    try file.write(
      line(heads.map { ["", "with", "author", "subject"].contains($0) ? "---" : "---:" }))
    for row in rows { try file.write(line(row.map(escaped))) }
  }

  /// Text that is nothing else in Markdown.
  private func escaped(_ text: String) -> String {
    printable(text).map { "\\`*_{}[]<>#|&~".contains($0) ? "\\\($0)" : String($0) }.joined()
  }
}
