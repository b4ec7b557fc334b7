import ExampleSupport

/// The report as text: what matters most on one screen, or all that is asked for.
struct TerminalReport {
  let report: Report
  let options: Options
  let terminal: Terminal

  /// A classic terminal has 24 rows, of which the next prompt needs one.
  private static let rows = 23

  /// Two tables beside each other need as much.
  private static let wide = 110

  var text: String {
    let sections = isCompact ? compact : whole
    return sections.filter { !$0.isEmpty }.map { $0.map(withoutTrailingSpace).joined() }
      .joined(separator: "\n")
  }

  private var isCompact: Bool { options.sections == nil && options.top == nil }

  private var hasCommits: Bool { report.totals.tally.commits > 0 }

  /// What was asked for, each below the other.
  private var whole: [[String]] {
    guard hasCommits else { return [head] }
    let (top, sections) = (options.top ?? 10, options.sections ?? Section.allCases)
    return [head]
      + sections.map { section in
        switch section {
        case .activity: return activity(height: 6)
        case .hours: return hours
        case .authors: return lines(report.authorTable(top: top, isWhole: true))
        case .files: return lines(report.fileTable(top: top))
        case .directories: return lines(report.directoryTable(top: top))
        case .pairs: return lines(report.pairTable(top: top))
        case .commits: return largestCommits
        }
      }
  }

  /// As much as fits on a screen.
  private var compact: [[String]] {
    guard hasCommits else { return [head] }
    let (head, activity) = (head, activity(height: 3))
    let hint = "--all shows more: hours, directories, pairs, the largest commits."
    // A line is left out before each part but the first.
    var room = TerminalReport.rows - head.count - activity.count - 1 - 2
    if terminal.columns >= TerminalReport.wide {
      room -= 2
      let half = (terminal.columns - 3) / 2
      let left = report.authorTable(top: room, isWhole: false).lines(terminal, width: half)
      let right = report.fileTable(top: room).lines(terminal, width: half)
      return [head, activity, beside(left, right, half), [terminal.styled(fitted(hint), .dim)]]
    }
    room -= 4
    // What one table doesn't need is for the other.
    let files = report.presentFiles.count
    let top = max(room / 2, room - files)
    let authors = report.authorTable(top: top, isWhole: false)
    let rest = room - min(top, report.authors.count)
    return [
      head, activity, lines(authors), lines(report.fileTable(top: rest)),
      [terminal.styled(fitted(hint), .dim)],
    ]
  }

  private func lines(_ table: Table) -> [String] {
    table.lines(terminal, width: terminal.columns)
  }

  private func beside(_ left: [String], _ right: [String], _ width: Int) -> [String] {
    (0..<max(left.count, right.count)).map { row in
      let line = row < left.count ? left[row] : ""
      let space = String(repeating: " ", count: max(0, width - terminal.visibleColumns(line)))
      return row < right.count ? line + space + "   " + right[row] : line
    }
  }

  private var head: [String] {
    let (totals, tally) = (report.totals, report.totals.tally)
    var lines = [terminal.styled(printable(report.repository.name), .title)]
    let filter = report.filter.description.map { [fitted(printable($0))] } ?? []
    guard hasCommits else { return lines + ["No commits."] + filter }
    let dates = [totals.firstDate, totals.lastDate].compactMap { $0.map { Day(seconds: $0).text } }
    lines[0] += "  " + terminal.styled(dates.joined(separator: " to "), .dim)
    lines += filter
    let files = report.presentFiles.count
    let paths = report.pathCount == files ? "" : " (\(counted(report.pathCount, "path")) in all)"
    lines.append(
      fitted(
        "\(counted(tally.commits, "commit")) (\(counted(totals.merges, "merge"))) "
          + "by \(counted(report.authors.count, "author")), \(counted(files, "file"))\(paths)"))
    lines.append(
      terminal.styled("+\(grouped(tally.added))", .added) + " "
        + terminal.styled("-\(grouped(tally.deleted))", .deleted) + " lines, "
        + counted(totals.renames, "rename") + ", "
        + counted(totals.binaryChanges, "binary change"))
    if report.repository.isShallow {
      lines.append(
        fitted(
          "A shallow clone: what its first \(counted(totals.cutOff, "commit")) changed "
            + "is not known."))
    }
    return lines + notices
  }

  /// What should be looked after.
  private var notices: [String] {
    var notices = report.namesakes.prefix(isCompact ? 1 : 10).map { address, names in
      let list = names.prefix(3).map { printable($0.string) }.joined(separator: ", ")
      let more = names.count > 3 ? " and \(names.count - 3) more" : ""
      return fitted("One address, \(printable(address.string)): \(list)\(more). See gitmailmap.")
    }
    let strays = Bins(report, atMost: 100)?.strays ?? 0
    if strays > 0 {
      notices.append(
        fitted("The clock of \(counted(strays, "commit")) was wrong: the chart omits them."))
    }
    return notices
  }

  private func fitted(_ line: String) -> String {
    shortened(line, to: terminal.columns, mark: terminal.ellipsis)
  }

  private func activity(height: Int) -> [String] {
    guard let bins = Bins(report, beside: terminal.columns) else { return [] }
    let most = max(1, bins.tallies.map(\.commits).max() ?? 1)
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

  /// A row for each day of the week, a column for each hour, denser where there are more commits.
  private var hours: [String] {
    let hours = report.totals.hours
    let most = max(1, hours.max() ?? 1)
    let marks = terminal.isRich ? [" ", "░", "▒", "▓", "█"] : [" ", ".", "+", "*", "#"]
    let scale = (0..<24).map { $0.isMultiple(of: 6) ? padded("\($0)", 6) : "" }.joined()
    var lines = [
      terminal.styled("Hours ", .title) + terminal.styled(scale + " by authors' clocks", .dim)
    ]
    for (day, name) in Report.weekdays.enumerated() {
      let row = hours[day * 24..<day * 24 + 24]
      let cells = row.map { count in
        marks[count == 0 ? 0 : min(4, 1 + count * 4 / (most + 1))]
      }.joined()
      let sum = row.reduce(0, +)
      let text = padded(grouped(sum), 9, right: true)
      lines.append("\(name)   \(terminal.styled(cells, .bar))\(text)  \(report.share(sum))")
    }
    return lines
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
            subject, to: max(8, terminal.columns - start.count), mark: terminal.ellipsis)
      }
  }

  private func withoutTrailingSpace(_ line: String) -> String {
    line.dropLast(line.reversed().prefix { $0 == " " }.count) + "\n"
  }
}

extension Report {
  static let weekdays = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
}
