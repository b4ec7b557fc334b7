import ECS
import ExampleSupport

extension Dashboard {
  /// What is on a screen, from top to bottom: totals, a chart, the panes, and two lines of what goes
  /// on and what keys do.
  func lines(_ width: Int, _ rows: Int) -> [String] {
    let head = [terminal.styled(shortened(summary, to: width, mark: terminal.ellipsis), .title)]
    let chart = chart(width, rows < 16 ? 0 : rows < 40 ? 3 : 6)
    let room = max(2, rows - head.count - chart.count - 2)
    return head + chart + panes(width, room) + [status(width), help(width)]
  }

  private var summary: String {
    let totals = context.uniqueComponent(Totals.self) ?? Totals()
    let doing =
      switch state {
      case .reading, .catchingUp: "reading"
      case .watching(let notice): notice ?? "watching"
      }
    return "\(printable(title))  \(counted(totals.tally.commits, "commit"))  "
      + "+\(grouped(totals.tally.added)) -\(grouped(totals.tally.deleted))  \(doing)"
  }

  /// The authors, and beside or below them the files, directories or commits.
  private func panes(_ width: Int, _ rows: Int) -> [String] {
    let other =
      switch side {
      case .files: files
      case .directories: directories
      case .commits: commits
      }
    let selection = cursor ?? author
    guard width >= 72 else {
      let top = rows / 2
      let upper = authors.lines(top, width, on: terminal, selection: selection)
      let lower = other.lines(rows - top, width, on: terminal)
      return filled(upper, top) + filled(lower, rows - top)
    }
    let gap = 3
    // Paths are longer than names.
    let left = (width - gap) * 9 / 20
    let names = authors.lines(rows, left, on: terminal, selection: selection)
    let paths = other.lines(rows, width - gap - left, on: terminal)
    return (0..<rows).map { row in
      let name = row < names.count ? names[row] : String(repeating: " ", count: left)
      let path = row < paths.count ? String(repeating: " ", count: gap) + paths[row] : ""
      return name + path
    }
  }

  private func filled(_ lines: [String], _ count: Int) -> [String] {
    lines + Array(repeating: "", count: max(0, count - lines.count))
  }

  /// The commits of each week, or day of a history that has few weeks.
  private func chart(_ width: Int, _ height: Int) -> [String] {
    guard height > 0 else { return [] }
    let isYoung = weeks.count < 9
    let periods = isYoung ? context.periods(by: \DayKey.day) : weeks.periods(by: \WeekKey.monday)
    let bins = Bins(days: periods, areWeeks: !isYoung, atMost: width)
    let commits = bins?.tallies.map(\.commits) ?? []
    let most = Double(max(1, commits.max() ?? 1))
    return (0..<height).reversed().map { row in
      let blocks = commits.map {
        terminal.block(height: Double($0) * Double(height) / most, row: row)
      }
      return terminal.styled(blocks.joined(), .bar)
    }
  }

  private func status(_ width: Int) -> String {
    let rows = panes.reduce(weeks.count) { $0 + $1.view.count }
    let text =
      "\(grouped(pulse.rate)) events/s  \(counted(context.count, "entity", "entities"))  "
      + "last change: \(grouped(pulse.touched)) of \(grouped(rows)) rows"
    return terminal.styled(shortened(text, to: width), .dim)
  }

  private func help(_ width: Int) -> String {
    let name = author?.get(AuthorKey.self).map { "of \(printable($0.name.string))  " } ?? ""
    let typed = filter.map { "filter: \(printable($0))  " } ?? ""
    let arrows = terminal.isRich ? "↑↓" : "Up Down"
    let keys = "\(arrows) Enter: author  Tab: \(side.next.rawValue)  /: filter  Esc: all"
    let end = filter == nil ? "  q: end" : "  ^C: end"
    return terminal.styled(shortened(name + typed + keys + end, to: width), .dim)
  }
}
