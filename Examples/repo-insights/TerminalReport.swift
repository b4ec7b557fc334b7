import ExampleSupport

/// The report as text.
struct TerminalReport {
  let report: Report
  let top: Int
  let terminal: Terminal

  private static let chartHeight = 6

  var text: String {
    var sections = [head]
    if report.totals.tally.commits > 0 {
      sections += [activity, authors.lines(terminal), files.lines(terminal)]
      sections += [directories.lines(terminal), pairs, largestCommits]
    }
    return sections.filter { !$0.isEmpty }.map { $0.map(withoutTrailingSpace).joined() }
      .joined(separator: "\n")
  }

  private var head: [String] {
    let (totals, tally) = (report.totals, report.totals.tally)
    var lines = [terminal.styled(printable(report.repository.name), .title)]
    guard tally.commits > 0 else {
      let since = report.since.map { " since \(printable($0))" } ?? ""
      return lines + ["No commits\(since)."]
    }
    let dates = [totals.firstDate, totals.lastDate].compactMap { $0.map { Day(seconds: $0).text } }
    lines[0] += "  " + terminal.styled(dates.joined(separator: " to "), .dim)
    lines.append(
      "\(counted(tally.commits, "commit")) (\(counted(totals.merges, "merge"))) "
        + "by \(counted(report.authors.count, "author")), \(counted(report.files.count, "path"))")
    lines.append(
      terminal.styled("+\(grouped(tally.added))", .added) + " "
        + terminal.styled("-\(grouped(tally.deleted))", .deleted) + " lines, "
        + counted(totals.renames, "rename") + ", "
        + counted(totals.binaryChanges, "binary change"))
    if report.repository.isShallow {
      lines.append(
        "The history of this clone is cut off (shallow); what its first "
          + "\(counted(totals.cutOff, "commit")) changed is not known.")
    }
    return lines
  }

  private var activity: [String] {
    guard let bins = Bins(report.weeks, beside: terminal.columns) else { return [] }
    let most = max(1, bins.tallies.map(\.commits).max() ?? 1)
    let height = TerminalReport.chartHeight
    let label = grouped(most)
    var lines = [
      terminal.styled("Activity", .title)
        + terminal.styled("  commits per \(bins.unit)", .dim)
    ]
    for row in (0..<height).reversed() {
      let bars = bins.tallies.map { tally in
        terminal.block(height: Double(tally.commits * height) / Double(most), row: row)
      }.joined()
      let axis = padded(row == height - 1 ? label : "", label.count, right: true)
      lines.append("\(axis) \(terminal.isRich ? "│" : "|")" + terminal.styled(bars, .bar))
    }
    let line = String(repeating: terminal.isRich ? "─" : "-", count: bins.tallies.count)
    let indent = String(repeating: " ", count: label.count + 2)
    lines.append("\(padded("0", label.count, right: true)) \(terminal.isRich ? "└" : "+")\(line)")
    let (first, last) = (bins.start.text, bins.day(bins.tallies.count - 1).text)
    let gap = bins.tallies.count - first.count - last.count
    let dates = gap > 0 ? first + String(repeating: " ", count: gap) + last : first
    return lines + [indent + terminal.styled(dates, .dim)]
  }

  private var authors: Table { table("Authors", report.authors, nameless: "(no name)") }

  private var files: Table {
    var table = table("Hottest files", report.files)
    table.keepsEnd = true
    return table
  }

  private var directories: Table {
    var table = table("Hottest directories", report.directories, nameless: "(top level)")
    table.keepsEnd = true
    return table
  }

  private var pairs: [String] {
    let pairs = report.pairs.prefix(top)
    guard !pairs.isEmpty else { return [] }
    var table = Table(title: "Changed together", numbers: [("commits", nil)])
    table.rows = pairs.flatMap { pair in
      [
        Table.Row(name: pair.first.string, numbers: [pair.commits]),
        Table.Row(name: "  + " + pair.second.string, numbers: []),
      ]
    }
    table.keepsEnd = true
    return table.lines(terminal)
  }

  private var largestCommits: [String] {
    guard !report.largestCommits.isEmpty else { return [] }
    let title = terminal.styled("Largest commits", .title)
    return [title]
      + report.largestCommits.map { commit in
        let summary = commit.summary
        let start =
          "\(commit.id.prefix(9))  \(Day(seconds: summary.date).text)  "
          + padded("+\(grouped(summary.added)) -\(grouped(summary.deleted))", 20) + "  "
        let subject = printable(summary.subject.string)
        return start
          + shortened(
            subject, to: max(12, terminal.columns - start.count), mark: terminal.ellipsis)
      }
  }

  private func withoutTrailingSpace(_ line: String) -> String {
    line.dropLast(line.reversed().prefix { $0 == " " }.count) + "\n"
  }

  private func table(
    _ title: String, _ rows: [Report.Row], nameless: String = ""
  ) -> Table {
    var table = Table(
      title: title, numbers: [("commits", nil), ("added", .added), ("deleted", .deleted)])
    table.rows = rows.prefix(top).map { row in
      let name = row.name.bytes.isEmpty ? nameless : row.name.string
      return Table.Row(
        name: name, numbers: [row.tally.commits, row.tally.added, row.tally.deleted])
    }
    return table
  }
}
